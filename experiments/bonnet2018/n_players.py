"""An equilibrium of a race for any number of players, also if scores can fall, with its certificate.

`pigevo.three_player.solve` is for three players and one die: it finds every equilibrium of an orbit, with closed
formulas for two and three mixing players. Here a throw may also end the turn with points, or lose the whole score (two
dice), the number of players is free, and Newton's method finds one equilibrium of an orbit, not necessarily all. The
sums over the turns of an orbit also run in opposite directions (`start_value`), which keeps the published figures of
both identical to the last bit.

If scores can fall, an orbit leads back to earlier orbits, those in which the player who has just moved has no score.
Their values are first guessed; then the whole game is solved orbit by orbit as if the guess were right; then the
resulting strategy is evaluated, which gives the next guess; and so on until nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.machine import Progress, available_cores, require_memory
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.three_player.equilibria import best_turns
from pigevo.three_player.evaluation import LIMIT, Certificate
from pigevo.three_player.orbit_kernels import solve_orbits
from pigevo.three_player.rules import alive, count_orbits, map_orbits, orbits_by_total, throws_of, won_values
from pigevo.three_player.solver import SolverTables
from pigevo.three_player.strategy import StrategyTables

from .n_player_kernels import evaluate_all, respond_all
from .n_player_orbits import solve_orbit

MOST_PLAYERS = 8
MOST_SWEEPS, MOST_EVALUATIONS, MOST_CHECKS = 60, 20, 2000
REST, ROUNDING = 1e-13, 1e-15
"""If scores can fall, the solver stops at changes below `REST`, evaluation and checks at changes below `ROUNDING`."""


@dataclass(frozen=True)
class LeftOrbit:
    """An orbit where elimination leaves more than one turn to a player.

    Args:
        needs: points needed by the players, in the order of their turns.
        turns: the number of turns left to each of them.
        mixing: the number of players that mix in the chosen equilibrium.

    Example:
        >>> from pigevo.games import Piglet
        >>> from pigevo.experiments.bonnet2018.n_players import solve_many
        >>> solve_many(Piglet(5, 0.44), players=4).mixing_orbits
        (LeftOrbit(needs=(4, 5, 4, 5), turns=(2, 1, 2, 1), mixing=2),)
    """

    needs: tuple[int, ...]
    turns: tuple[int, ...]
    mixing: int


@dataclass(frozen=True, eq=False)
class ManySolution:
    """An equilibrium of a race for n players.

    Args:
        game: the game.
        decisions: 1 rolls, 0 holds, 2 rolls with a chance; bytes of shape (T + 1, ..., T + 1, T), by the points that
            mover, next and so on need, and the turn total.
        codes: the mixed decisions as flat indices into `decisions`, ascending, shape (m,).
        chances: the chance to roll in each of them, shape (m,).
        values: win probabilities of mover, next and so on, shape (T + 1, ..., T + 1, n), by the points that they need.
        open_orbits: the orbits where elimination leaves more than one turn to a player; any other orbit has one
            equilibrium, given later play, and it is pure.
        sweeps: the number of iterations over the game; 1 if scores cannot fall.
        change: the largest change of a value in the last iteration, 0 if scores cannot fall.

    Example:
        >>> from pigevo.games import Piglet
        >>> from pigevo.experiments.bonnet2018.n_players import solve_many
        >>> solution = solve_many(Piglet(3), players=4)
        >>> solution.certificate.holds
        True
    """

    game: Game
    decisions: Bytes
    codes: Ints
    chances: Floats
    values: Floats
    open_orbits: tuple[LeftOrbit, ...]
    sweeps: int
    change: float

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.values.shape[-1])

    @property
    def orbits(self) -> int:
        """The number of orbits of the game."""
        return count_orbits(self.game.target, self.players)

    @property
    def value(self) -> tuple[float, ...]:
        """Win probabilities by seat at the start of the game."""
        return tuple(self.values[(self.game.target,) * self.players].tolist())

    @property
    def mixing_orbits(self) -> tuple[LeftOrbit, ...]:
        """The orbits where at least one player mixes."""
        return tuple(orbit for orbit in self.open_orbits if orbit.mixing)

    @cached_property
    def certificate(self) -> Certificate:
        """The largest gain of one player at any state, and the error of the values, recomputed by independent code."""
        return certify_many(self)

    def __repr__(self) -> str:
        seats = ", ".join(f"{v:.6f}" for v in self.value)
        return f"ManySolution({self.game}, players={self.players}, value=({seats}), mixing: {len(self.mixing_orbits)})"


def solve_many(
    game: Game, players: int = 3, workers: int | None = None, progress: Progress | None = None
) -> ManySolution:
    """An equilibrium of a race for any number of players, in which scores may fall.

    If an orbit has several equilibria, one with the fewest mixing players is chosen; in later iterations the one of
    these that is nearest to the previous one.

    Args:
        game: a race to a target without passing and without last turns, in which decisions depend on the scores and the
            turn total only.
        players: the number of players, from 2 to 8.
        workers: threads, all cores by default; the result does not depend on it.
        progress: called with the number of orbits solved since the last call.

    Returns:
        The solution. If scores can fall, convergence is not guaranteed: `change` and the certificate show whether the
        iteration has converged.

    Raises:
        InputError: several players cannot play the game, or its tables would be too large.

    Example:
        >>> from pigevo.games.two_dice import TwoDice
        >>> from pigevo.experiments.bonnet2018.n_players import solve_many
        >>> solution = solve_many(TwoDice(target=8), players=3)
        >>> solution.certificate.holds, solution.sweeps > 1
        (True, True)
    """
    check_many(game, players)
    work = _Work(game, players, workers or available_cores())
    change = work.sweep(progress)
    while game.falls and change > REST and work.sweeps < MOST_SWEEPS:
        work.settle(MOST_EVALUATIONS)
        change = work.sweep(progress)
    if game.falls and change > REST:  # the last strategy may be an equilibrium all the same: the certificate says so
        work.settle(MOST_CHECKS)
    return work.solution(change if game.falls else 0.0)


def check_many(game: Game, players: int) -> None:
    """Refuse games and numbers of players that are not supported."""
    if not 2 <= players <= MOST_PLAYERS:
        raise InputError(f"{players} players: choose from 2 to {MOST_PLAYERS}.")
    plain = game.first_effective_throws == game.effective_throws and not game.remembers
    if not game.target or game.cap or not plain:
        raise InputError(
            f"{game} is not solved for several players: choose a race to a target, without a last turn, in which all "
            "throws are alike and decisions depend on scores and turn total."
        )
    if game.allow_pass:
        raise InputError("several players may not pass here: leave allow_pass out.")
    # values of the solver, of the strategy and of the best response; decisions; the list of orbits
    needed = (game.target + 1) ** players * (8 * 3 * players + game.target + 16)
    require_memory(needed, f"{game} for {players} players", "choose a smaller target or fewer players")


class _Work(SolverTables):
    """The tables of a game for several players; the game is iterated over if scores can fall."""

    def __init__(self, game: Game, players: int, workers: int) -> None:
        super().__init__(won_values(game.target, players, rest=1 / players))
        self.game, self.workers, self.throws = game, workers, throws_of(game)
        self.orbits = list(orbits_by_total(game.target, players))
        self.left: list[LeftOrbit] = []
        self.sweeps = 0

    def sweep(self, progress: Progress | None) -> float:
        """Solve every orbit, given the present values of orbits that a fall leads to; returns the largest change."""
        self.mixed, self.left, change = {}, [], 0.0
        self.sweeps += 1

        def run(stretch: Ints) -> tuple[Bytes, float]:
            return solve_orbits(stretch, self.by_state, self.decisions, self.throws, False)

        for orbits in self.orbits:
            solved = map_orbits(run, orbits, self.workers)
            change = max(change, *(moved for _, moved in solved))
            for needs in orbits[np.concatenate([is_open for is_open, _ in solved]) > 0].tolist():
                change = max(change, self._solve_left(needs))
            if progress is not None:
                progress(len(orbits))
        return change

    def _solve_left(self, needs: list[int]) -> float:
        near = self.by_state[:, self.states(needs)].T if self.sweeps > 1 else None
        turns = best_turns(needs, self.values, self.throws)
        played = solve_orbit(turns, near)
        self.left.append(LeftOrbit(turns.needs, tuple(len(lines) for lines in turns.left), played.mixing))
        return self.write(needs, played.values, played.rolls)

    def settle(self, most: int) -> None:
        """Evaluate the present strategy to improve the guess, by at most `most` iterations over the game."""
        orbits, played = np.concatenate(self.orbits), self.played
        for _ in range(most):
            if evaluate_all(orbits, played, self.throws, self.by_state) <= ROUNDING:
                break

    def solution(self, change: float) -> ManySolution:
        """The present strategy as a solution."""
        decisions, codes, chances = self.played
        values = np.ascontiguousarray(np.moveaxis(self.values, 0, -1))
        by_needs = decisions.reshape(*values.shape[:-1], -1)
        return ManySolution(self.game, by_needs, codes, chances, values, tuple(self.left), self.sweeps, change)


def certify_many(solution: ManySolution) -> Certificate:
    """Check whether the strategy of a solution is an equilibrium if all play it, and check its values.

    If scores can fall, the values of the strategy are approached from below, and those of the best response from
    above, so the reported gain is never too small, except by rounding.

    Args:
        solution: the solution to check.

    Example:
        >>> from pigevo.games import Piglet
        >>> from pigevo.experiments.bonnet2018.n_players import certify_many, solve_many
        >>> certify_many(solve_many(Piglet(3), players=4)).gain < 1e-15
        True
    """
    T, n = solution.game.target, solution.players
    orbits, throws = np.concatenate(list(orbits_by_total(T, n))), throws_of(solution.game)
    played: StrategyTables = (solution.decisions.reshape(-1, T), solution.codes, solution.chances)
    own, best = (won_values(T, n, rest).reshape(n, -1) for rest in (0.0, 1.0))
    for _ in range(MOST_CHECKS):
        if evaluate_all(orbits, played, throws, own) <= ROUNDING or not solution.game.falls:
            break
    for _ in range(MOST_CHECKS):
        change, gain, s, k = respond_all(orbits, played, throws, best, own)
        if change <= ROUNDING or not solution.game.falls:
            break
    living = alive(T, n).ravel()
    error = np.abs(solution.values.reshape(-1, n).T - own)[:, living].max()
    sound = np.isfinite(error) and (best - own)[:, living].min() > -LIMIT  # nothing is better than the best response
    where = (*(int(i) for i in np.unravel_index(s, (T + 1,) * n)), int(k))
    return Certificate(max(0.0, float(gain)) if sound else np.inf, where, float(error) if sound else np.inf)
