"""What the choices of a person are worth against one opponent, if the person plays best against it from there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.arena.steps import Place
from pigevo.exact.choices import Choice, Choices
from pigevo.exact.solve import Solution, best_response
from pigevo.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Judge:
    """The exact worth of every choice against an opponent; it is solved for when first asked.

    Args:
        opponent: whom the person plays against. Against the optimum best play is the optimum's.
    """

    opponent: Strategy

    @cached_property
    def best(self) -> Solution:
        """The best response to the opponent.

        Raises:
            InputError: it passes by chance.
        """
        return best_response(self.opponent)

    @cached_property
    def _choices(self) -> Choices:
        return Choices(self.best.strategy, self.opponent)

    def start(self, seat: int) -> float:
        """The win probability of best play before the first roll; in seat 0 the person moves first."""
        return self.best.second if seat else self.best.value

    def choice(self, place: Place) -> Choice:
        """What rolling and holding are worth in one place of the person's."""
        shape, cell = self.opponent.game.shape, place.cell
        between = len(self.opponent.game.between)
        state, within = (
            int(np.ravel_multi_index(cell[part], shape[part])) for part in (slice(between), slice(between, None))
        )
        return self._choices.at(state, within)
