"""An equilibrium of a game for three players, with what is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pigevo.core.arrays import Floats
from pigevo.core.notebook import NotebookDisplay
from pigevo.games import Race
from pigevo.three_player.certificate import Certificate, certify
from pigevo.three_player.open_orbit import OpenOrbit
from pigevo.three_player.strategy import Strategy


@dataclass(frozen=True, eq=False)
class ThreeSolution(NotebookDisplay):
    """An equilibrium of a game for three.

    Args:
        strategy: what each player does in each state.
        values: win probabilities of mover, next and third player, shape (T + 1, T + 1, T + 1, 3), by the points
            that mover, next and third player still need.
        open_orbits: the orbits where elimination leaves more than one turn to a player; all others have one
            equilibrium, and it is pure.
    """

    strategy: Strategy
    values: Floats
    open_orbits: tuple[OpenOrbit, ...]

    @property
    def game(self) -> Race:
        """The game."""
        return self.strategy.game

    @property
    def value(self) -> tuple[float, float, float]:
        """Win probabilities of first, second and third seat at the start of the game."""
        first, second, third = self.values[(self.game.target,) * 3].tolist()
        return first, second, third

    @property
    def mixed(self) -> tuple[tuple[tuple[int, int, int, int], float], ...]:
        """The states (a, b, c, k) with a mixed choice (points needed, turn total), each with its chance to roll."""
        return self.strategy.mixed

    @property
    def without_pure(self) -> tuple[OpenOrbit, ...]:
        """The orbits without a pure equilibrium."""
        return tuple(o for o in self.open_orbits if not o.has_pure)

    @property
    def several(self) -> tuple[OpenOrbit, ...]:
        """The orbits with equilibria of different win probabilities, given the chosen one at all later states."""
        return tuple(o for o in self.open_orbits if o.outcomes > 1)

    @property
    def several_equilibria(self) -> tuple[OpenOrbit, ...]:
        """The orbits at which more than one equilibrium was found, whatever their win probabilities."""
        return tuple(o for o in self.open_orbits if len(o.equilibria) > 1)

    @cached_property
    def certificate(self) -> Certificate:
        """What an independent best-response computation over the whole game finds."""
        return certify(self.strategy, self.values)

    def exploitability(self) -> float:
        """The largest gain of any player at any state by any other strategy, while the two others stay."""
        return self.certificate.gain

    def __repr__(self) -> str:
        seats = ", ".join(f"{v:.6f}" for v in self.value)
        return (
            f"ThreeSolution({self.game}, value=({seats}), orbits without a pure equilibrium: {len(self.without_pure)})"
        )
