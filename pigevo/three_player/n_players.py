"""An equilibrium of a race for any number of players, also where scores fall, with the certificate.

`solve` is for three players of one die, finds every equilibrium of an orbit and is faster. Here a throw may also end
the turn with points, or lose the whole score (two dice), and there may be two players or four.

Where scores can fall, an orbit leads back to earlier ones, those in which the player who has just moved has no score.
What these are worth is first guessed, then the whole game is solved orbit by orbit as if the guess were right, then
the strategy found is evaluated, which gives the next guess, until nothing changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.memory import refuse_more
from pigevo.core.threads import Progress, available_cores, map_threads
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.three_player.evaluation import LIMIT, Certificate
from pigevo.three_player.n_player_check_kernels import Chances, Played, evaluate_all, respond_all
from pigevo.three_player.n_player_kernels import Throws, solve_orbits
from pigevo.three_player.n_player_orbits import solve_orbit
from pigevo.three_player.strategy import MIXED

MOST_PLAYERS = 8
MOST_SWEEPS, MOST_EVALUATIONS, MOST_CHECKS = 60, 20, 2000
REST, ROUNDING = 1e-13, 1e-15
"""Where scores fall the solver stops at changes below `REST`, evaluating and checking at those below `ROUNDING`."""

STRETCH = 256
"""Orbits that one thread solves at a time."""


@dataclass(frozen=True)
class LeftOrbit:
    """An orbit where elimination leaves more than one turn to a player.

    Args:
        needs: points needed by the players, in the order of their turns.
        turns: how many turns are left to each of them.
        mixing: how many players mix in the equilibrium that is played.

    Example:
        >>> from pigevo import three_player as tp
        >>> tp.solve_many(tp.Piglet(5, 0.44), players=4).mixing_orbits
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
        open_orbits: the orbits where elimination leaves more than one turn to a player; any other one has one
            equilibrium, given what is played elsewhere, and it is pure.
        sweeps: how often the game was gone through; 1 where scores cannot fall.
        change: the largest change of a value in the last sweep, 0 where scores cannot fall.

    Example:
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve_many(tp.Piglet(3), players=4)
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
        """How many play."""
        return int(self.values.shape[-1])

    @property
    def orbits(self) -> int:
        """How many orbits the game has."""
        return count_necklaces(self.game.target, self.players)

    @property
    def value(self) -> tuple[float, ...]:
        """Win probabilities by seat at the start of the game."""
        return tuple(self.values[(self.game.target,) * self.players].tolist())

    @property
    def mixing_orbits(self) -> tuple[LeftOrbit, ...]:
        """The orbits at which somebody mixes."""
        return tuple(orbit for orbit in self.open_orbits if orbit.mixing)

    @cached_property
    def certificate(self) -> Certificate:
        """What one player gains at most at any state, computed anew by other code, and whether the values are right."""
        return certify_many(self)

    def __repr__(self) -> str:
        seats = ", ".join(f"{v:.6f}" for v in self.value)
        return f"ManySolution({self.game}, players={self.players}, value=({seats}), mixing: {len(self.mixing_orbits)})"


def solve_many(
    game: Game, players: int = 3, workers: int | None = None, progress: Progress | None = None
) -> ManySolution:
    """An equilibrium of a race for any number of players, whose scores may fall.

    Where an orbit has several equilibria, one with the fewest mixing players is taken; in later sweeps that one of
    these which is nearest to what was played before.

    Args:
        game: a race to a target in which nobody may pass or has a last turn, and decisions depend on the scores and the
            turn total.
        players: how many, from 2 to 8.
        workers: threads, all cores by default; the result does not depend on it.
        progress: is called with the number of orbits whenever so many more are solved.

    Returns:
        The solution. Where scores fall, nothing promises that the sweeps come to rest: whether they did, `change`
        and the certificate say.

    Raises:
        InputError: they cannot play the game, or its tables would be too large.

    Example:
        >>> from pigevo import three_player as tp
        >>> from pigevo.games.two_dice import TwoDice
        >>> solution = tp.solve_many(TwoDice(target=8), players=3)
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
    """Refuse what is not solved here."""
    if not 2 <= players <= MOST_PLAYERS:
        raise InputError(f"{players} players: choose from 2 to {MOST_PLAYERS}.")
    plain = game.first_effective_throws == game.effective_throws and not game.remembers
    if not game.target or game.reply or not plain:
        raise InputError(
            f"{game} is not solved for several players: choose a race to a target, without a last turn, in which all "
            "throws are alike and decisions depend on scores and turn total."
        )
    if game.allow_pass:
        raise InputError("several players may not pass here: leave allow_pass away.")
    # values of the solver, of the strategy and of the best response; decisions; the list of orbits
    needed = (game.target + 1) ** players * (8 * 3 * players + game.target + 16)
    refuse_more(needed, f"{game} for {players} players", "choose a smaller target or fewer players")


def throws_of(game: Game) -> Chances:
    """What a throw can bring, as the kernels of the certificate take it."""
    gains: dict[int, float] = {}
    scoring: dict[int, float] = {}
    for throw in game.effective_throws:
        if not throw.ends:
            points = min(throw.points, game.target)
            gains[points] = gains.get(points, 0.0) + throw.chance
        elif throw.ends == "turn" and throw.points:
            scoring[throw.points] = scoring.get(throw.points, 0.0) + throw.chance
    lost = sum(t.chance for t in game.effective_throws if t.ends == "turn" and not t.points)
    falls = sum(t.chance for t in game.effective_throws if t.ends == "score")
    return _points(gains), _chances(gains), _points(scoring), _chances(scoring), float(lost), float(falls)


def _points(some: dict[int, float]) -> Ints:
    return np.array(list(some), dtype=np.int64)


def _chances(some: dict[int, float]) -> Floats:
    return np.array(list(some.values()), dtype=np.float64)


def orbits_of(target: int, players: int) -> Iterator[Ints]:
    """All orbits by the total of points needed, each by its first state in lexicographic order, shape (m, n) each."""
    grid = np.arange(target**players).reshape((target,) * players)
    first = np.ones(grid.shape, np.bool_)
    for shift in range(1, players):
        first &= grid <= grid.transpose(np.roll(np.arange(players), shift))
    orbits = np.argwhere(first) + 1
    totals = orbits.sum(axis=1)
    order = np.argsort(totals, kind="stable")
    yield from np.split(orbits[order], np.flatnonzero(np.diff(totals[order])) + 1)


def count_necklaces(target: int, players: int) -> int:
    """How many orbits there are: necklaces of n beads, one for each player, in T colours (Burnside)."""
    return sum(int(target ** math.gcd(shift, players)) for shift in range(players)) // players


def _won(target: int, players: int, rest: float) -> Floats:
    """Values before anything is known, shape ((T + 1)^n, n): 1 for who has won, who moved last; `rest` elsewhere."""
    values = np.full(((target + 1) ** players, players), rest)
    values[:: target + 1] = np.arange(players) == players - 1
    return values


class _Work:
    """What is known so far."""

    def __init__(self, game: Game, players: int, workers: int) -> None:
        self.game, self.players, self.workers = game, players, workers
        self.chances = throws_of(game)
        gains, chances, points, ending, _, fall = self.chances
        self.throws: Throws = (gains, chances, points, ending, fall)
        self.orbits = list(orbits_of(game.target, players))
        self.values = _won(game.target, players, 1 / players)
        self.decisions = np.zeros(((game.target + 1) ** players, game.target), np.uint8)
        self.mixed: dict[int, float] = {}
        self.left: list[LeftOrbit] = []
        self.sweeps = 0

    def sweep(self, progress: Progress | None) -> float:
        """Solve every orbit, given what is known of those that a fall leads to; the largest change of a value."""
        self.mixed, self.left, change = {}, [], 0.0
        self.sweeps += 1

        def run(stretch: Ints) -> tuple[Bytes, float]:
            return solve_orbits(stretch, self.values, self.decisions, self.throws)

        for orbits in self.orbits:
            stretches = [orbits[i : i + STRETCH] for i in range(0, len(orbits), STRETCH)]
            found = map_threads(run, stretches, self.workers)
            change = max(change, *(moved for _, moved in found))
            for needs in orbits[np.concatenate([is_open for is_open, _ in found]) > 0]:
                change = max(change, self._solve_left(needs))
            if progress is not None:
                progress(len(orbits))
        return change

    def _solve_left(self, needs: Ints) -> float:
        change, n, T = 0.0, self.players, self.game.target
        states = [int(np.ravel_multi_index(np.roll(needs, -m), (T + 1,) * n)) for m in range(n)]
        near = self.values[states] if self.sweeps > 1 else None
        turns, one = solve_orbit(needs, self.values, self.throws, T, near)
        self.left.append(LeftOrbit(tuple(needs.tolist()), turns, one.mixing))
        for m, (s, rolls) in enumerate(zip(states, one.rolls, strict=True)):
            change = max(change, float(np.abs(self.values[s] - one.values[m]).max()))
            self.values[s] = one.values[m]
            self.decisions[s, : len(rolls)] = np.where((rolls > 0) & (rolls < 1), MIXED, rolls)
            for k in np.flatnonzero(self.decisions[s] == MIXED).tolist():
                self.mixed[s * T + k] = float(rolls[k])
        return change

    def settle(self, most: int) -> None:
        """Evaluate the strategy found, so that the guess follows it; at most so often through the game."""
        orbits, played = np.concatenate(self.orbits), self._played()
        for _ in range(most):
            if evaluate_all(orbits, played, self.chances, self.values) <= ROUNDING:
                break

    def _played(self) -> Played:
        codes = np.array(sorted(self.mixed), dtype=np.int64)
        return self.decisions, codes, np.array([self.mixed[code] for code in codes.tolist()], dtype=np.float64)

    def solution(self, change: float) -> ManySolution:
        decisions, codes, chances = self._played()
        square = (self.game.target + 1,) * self.players
        return ManySolution(
            self.game, decisions.reshape(*square, -1), codes, chances, self.values.reshape(*square, -1),
            tuple(self.left), self.sweeps, change,
        )  # fmt: skip


def certify_many(solution: ManySolution) -> Certificate:
    """Check whether the strategy of a solution is an equilibrium if all play it, and its values.

    Where scores fall, what the strategy is worth is approached from below, and what the best response is worth from
    above, so that the gain is never said to be smaller than it is, except by rounding.

    Args:
        solution: what is checked.

    Example:
        >>> from pigevo import three_player as tp
        >>> tp.certify_many(tp.solve_many(tp.Piglet(3), players=4)).gain < 1e-15
        True
    """
    T, n = solution.game.target, solution.players
    orbits, chances = np.concatenate(list(orbits_of(T, n))), throws_of(solution.game)
    played: Played = (solution.decisions.reshape(-1, T), solution.codes, solution.chances)
    own, best = _won(T, n, 0.0), _won(T, n, 1.0)
    for _ in range(MOST_CHECKS):
        if evaluate_all(orbits, played, chances, own) <= ROUNDING or not solution.game.falls:
            break
    for _ in range(MOST_CHECKS):
        change, gain, s, k = respond_all(orbits, played, chances, best, own)
        if change <= ROUNDING or not solution.game.falls:
            break
    alive = _alive(T, n)
    error = np.abs(solution.values.reshape(-1, n) - own)[alive].max()
    sound = np.isfinite(error) and (best - own)[alive].min() > -LIMIT  # nothing is better than the best response
    where = (*(int(i) for i in np.unravel_index(s, (T + 1,) * n)), int(k))
    return Certificate(max(0.0, float(gain)) if sound else np.inf, where, float(error) if sound else np.inf)


def _alive(target: int, players: int) -> np.ndarray:
    """The states in which nobody has won."""
    needs = np.ones((target + 1,) * players, np.bool_)
    for axis in range(players):
        np.moveaxis(needs, axis, 0)[0] = False
    return needs.ravel()
