"""An equilibrium of a race for any number of players, also if scores can fall, with its certificate, and their tables.

`pigevo.three_player.solve` is for three players and one die: it finds every equilibrium of an orbit, with closed
formulas for two and three mixing players. Here a throw may also end the turn with points, or lose the whole score (two
dice), the number of players is free, and Newton's method finds one equilibrium of an orbit, not necessarily all. The
sums over the turns of an orbit also run in opposite directions (`start_value`), which keeps the published figures of
both identical to the last bit.

If scores can fall, an orbit leads back to earlier orbits, those in which the player who has just moved has no score.
Their values are first guessed; then the whole game is solved orbit by orbit as if the guess were right; then the
resulting strategy is evaluated, which gives the next guess; and so on until nothing changes.

Where elimination leaves more than one turn at an orbit, each player plays one of the remaining turns, or mixes two
neighbouring ones. A player who mixes is indifferent between them, so its bust value is the break point between them.
This gives one equation for each mixing player, linear in each of the others' weights; Newton's method solves the
system, from several starting points. With three or more mixing players it need not find all solutions, unlike
`pigevo/three_player/equilibria.py`.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.machine import Progress, available_cores, require_memory
from pigevo.errors import InputError
from pigevo.games import Game, Pig, Piglet, Throw
from pigevo.games.pig_variants import Progressive
from pigevo.games.two_dice import BigPig, PassThePigs, TwoDice
from pigevo.three_player.equilibria import TIE, BestTurns, best_turns, largest_gain, mixed_lines, no_equilibrium
from pigevo.three_player.evaluation import LIMIT, Certificate
from pigevo.three_player.orbit_kernels import solve_orbits
from pigevo.three_player.rules import alive, count_orbits, map_orbits, orbits_by_total, throws_of, won_values
from pigevo.three_player.solver import SolverTables
from pigevo.three_player.strategy import StrategyTables

from .kernels import evaluate_all, respond_all
from .records import Rows, kept

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


STARTS = (0.5, 0.1, 0.9)
"""The starting weights of Newton's method, for each mixing player."""

STEPS = 30
CLOSE = 1e-15


@dataclass(frozen=True, eq=False)
class Played:
    """The play of an orbit's players in an equilibrium.

    `values`, shape (n, n), has the value to the player who moves `p` turns after player `m`, when `m` is to move;
    `rolls` has each player's chance to roll at each turn total; `mixing` is the number of players that mix.
    """

    values: Floats
    rolls: tuple[Floats, ...]
    mixing: int


def solve_orbit(turns: BestTurns, near: Floats | None = None) -> Played:
    """An equilibrium of an orbit in the turns that elimination leaves.

    It is the first one found; or, given `near`, shape (n, n), among those with the fewest mixing players the one whose
    values are nearest to `near`.
    """
    left = turns.left
    equilibria = (found for found in _candidates(left, _period(turns)) if _is_equilibrium(left, *found))
    listed = list(equilibria if near is not None else itertools.islice(equilibria, 1))
    if not listed:
        raise no_equilibrium(turns)
    low, weights = listed[0]
    if near is not None:
        fewest = [one for one in listed if np.count_nonzero(one[1]) == np.count_nonzero(weights)]
        low, weights = min(fewest, key=lambda one: float(np.abs(_values(mixed_lines(left, *one)) - near).max()))
    played = mixed_lines(left, low, weights)
    rolls = tuple(turns.rolls(m, x, low[m], weights[m]) for m, x in enumerate(_bust(played)))
    return Played(_values(played), rolls, int(np.count_nonzero(weights)))


def least_pure_gain(turns: BestTurns) -> float:
    """The largest gain of a player by another turn, once, at the pure choice of the remaining turns where it is least.

    Equal states play alike.
    """
    period = _period(turns)
    choices = (np.array(lines * (len(turns.left) // period)) for lines in itertools.product(*turns.left[:period]))
    return min(largest_gain(turns.left, played, _bust(played)) for played in choices)


def _period(turns: BestTurns) -> int:
    """After how many turns the states of an orbit come again."""
    needs = turns.needs
    return next(d for d in range(1, len(needs) + 1) if (np.roll(needs, d) == needs).all())


def _is_equilibrium(left: Sequence[Floats], low: Sequence[int], weights: Floats) -> bool:
    played = mixed_lines(left, low, weights)
    return largest_gain(left, played, _bust(played)) <= TIE


def _candidates(left: Sequence[Floats], period: int) -> Iterator[tuple[tuple[int, ...], Floats]]:
    """Candidates for turns and weights of an equilibrium, fewest mixing players first; equal states play alike."""
    n = len(left)
    for count in range(period + 1):
        for mixing in itertools.combinations(range(period), count):
            ranges = [range(len(left[m]) - (m in mixing)) for m in range(period)]
            for low in itertools.product(*ranges):
                lows = low * (n // period)
                who = [m for m in range(n) if m % period in mixing]
                for start in itertools.product(STARTS, repeat=count) if count else [()]:
                    weights = _indifferent(left, lows, who, np.array(start * (n // period)))
                    if weights is not None:
                        yield lows, weights


def _indifferent(left: Sequence[Floats], low: Sequence[int], who: Sequence[int], start: Floats) -> Floats | None:
    """Weights from 0 to 1 that make every mixing player indifferent, by Newton's method."""
    weights = np.zeros(len(left))
    if not who:
        return weights
    weights[list(who)] = start
    for _ in range(STEPS):
        gap = np.array([_gap(left, low, weights, m) for m in who])
        slopes = np.zeros((len(who), len(who)))
        for j, other in enumerate(who):  # each gap is linear in each weight
            ends = []
            for end in (0.0, 1.0):
                moved = weights.copy()
                moved[other] = end
                ends.append([_gap(left, low, moved, m) for m in who])
            slopes[:, j] = np.subtract(ends[1], ends[0])
        if not np.isfinite(slopes).all() or np.linalg.matrix_rank(slopes) < len(who):
            return None
        step = np.linalg.solve(slopes, gap)
        weights[list(who)] -= step
        if np.abs(weights).max() > 10:
            return None
        if np.abs(step).max() < CLOSE:
            break
    inside = ((weights[list(who)] > 0) & (weights[list(who)] < 1)).all()
    return weights if inside else None


def _gap(left: Sequence[Floats], low: Sequence[int], weights: Floats, m: int) -> float:
    """The excess of mixing player `m`'s bust value over the break point, if that point were the value of its bust."""
    here, there = left[m][low[m]], left[m][low[m] + 1]
    x = (here[0] - there[0]) / (here[-1] - there[-1])
    return _chain(mixed_lines(left, low, weights), m, here[0] + (1 - here[-1]) * x) - float(x)


def _chain(played: Floats, m: int, value: float) -> float:
    """The value of a bust to player `m`, given its `value` at its next turn."""
    n = len(played)
    for j in range(n - 1, 0, -1):
        line = played[(m + j) % n]
        value = line[n - j] + (1 - line[n]) * value
    return float(value)


def _values(played: Floats) -> Floats:
    """The value to the player who moves `p` turns after player `m`, when `m` is to move, shape (n, n)."""
    n = len(played)
    system = np.eye(n)
    for m in range(n):
        system[m, (m + 1) % n] -= 1 - played[m, n]
    parts = np.array([[played[m, (q - m) % n] for q in range(n)] for m in range(n)])
    solved = np.linalg.solve(system, parts)
    return np.array([np.roll(solved[m], -m) for m in range(n)])


def _bust(played: Floats) -> list[float]:
    """The value of a bust to each player."""
    values = _values(played)
    return [_chain(played, m, float(values[m, 0])) for m in range(len(played))]


FOUR = (*((Piglet, target) for target in (1, 2, 3, 5, 10, 15, 20, 30)), *((Pig, t) for t in (10, 20, 30, 40, 50, 61)))
"""Games of four, with their targets."""

THREE = (
    *((TwoDice, target) for target in (20, 40, 50, 60)), *((PassThePigs, target) for target in (20, 40)),
    *((BigPig, target) for target in (20, 40, 60)), *((Progressive, target) for target in (20, 40, 60)),
)  # fmt: skip
"""Games of three, with their targets: first those whose scores can fall."""

Games = tuple[tuple[Any, int], ...]


def players_table(folder: Path, games: Mapping[int, Games], workers: int) -> Rows:
    """Games for some players: value by seat, orbits with several best turns left and with mixing, certificate, time.

    Args:
        folder: where what is computed is kept, game by game.
        games: the games' classes and targets by the number of players, the most players first.
        workers: threads.
    """
    found: Rows = []
    for players, of_them in games.items():
        for make, target in tqdm(of_them, desc=f"{players} players", disable=None):
            game = make(target)
            found += kept(folder / "players" / f"{players} {game}.json", solved_row, game, players, workers)
    return found


def solved_row(game: Game, players: int, workers: int) -> Rows:
    """One game: its row of the table; seconds are processor seconds, to solve and to certify.

    Args:
        game: the game.
        players: how many play it.
        workers: threads.
    """
    begin = time.process_time()
    solution = solve_many(game, players, workers)
    solved = time.process_time()
    certificate = solution.certificate
    seats = {f"seat_{n}": value for n, value in enumerate(solution.value, start=1)}
    mixing = solution.mixing_orbits
    return [{
        "game": str(game), "target": game.target, "players": players, **seats, "orbits": solution.orbits,
        "open": len(solution.open_orbits), "mixing": len(mixing),
        "most_mixing_players": max((orbit.mixing for orbit in mixing), default=0),
        **first_mixing(solution),
        "sweeps": solution.sweeps, "change": solution.change, "largest_gain": certificate.gain,
        "error": certificate.error, "seconds_solved": round(solved - begin, 2),
        "seconds_certified": round(time.process_time() - solved, 2),
    }]  # fmt: skip


def first_mixing(solution: ManySolution) -> dict[str, object]:
    """The smallest target with orbits that have no pure equilibrium, given later play, and those orbits.

    Of these are counted the ones from which play comes to no other orbit with several turns left: all later play is
    settled by elimination. Last, how far the best pure choice of their remaining turns is from an equilibrium.

    Args:
        solution: of a game.
    """
    target = min((max(orbit.needs) for orbit in solution.mixing_orbits), default=0)
    first = [orbit for orbit in solution.mixing_orbits if max(orbit.needs) == target]
    settled = [orbit.needs for orbit in first if not any(
        leads_to(orbit.needs, later.needs) for later in solution.open_orbits if later is not orbit
    )]  # fmt: skip
    values, throws = np.moveaxis(solution.values, -1, 0), throws_of(solution.game)
    values = np.ascontiguousarray(values) if first else values
    gains = [least_pure_gain(best_turns(list(orbit.needs), values, throws)) for orbit in first]
    return {
        "first_mixing": target, "first_mixing_orbits": "; ".join(" ".join(map(str, orbit.needs)) for orbit in first),
        "of_them_after_settled_play": len(settled), "least_gain_at_a_pure_choice": min(gains, default=""),
    }  # fmt: skip


def leads_to(here: tuple[int, ...], there: tuple[int, ...]) -> bool:
    """Whether play can come from one orbit to another: each player needs as much or less, in some rotation.

    Args:
        here: points needed in the earlier orbit.
        there: points needed in the other one.
    """
    n = len(here)
    return any(all(here[m] >= there[(m + shift) % n] for m in range(n)) for shift in range(n))


CHANCES = (0.1, 0.2, 0.3, 0.4)
SMALL_TARGETS = (6, 8, 10)


@dataclass(frozen=True)
class SmallGame(Game):
    """A throw gains one or two points, loses the turn total or the whole score."""

    title = "a small game"
    target: int = 8
    one: float = 0.2
    bust: float = 0.2
    fall: float = 0.2

    @property
    def throws(self) -> tuple[Throw, ...]:
        """What a throw can bring."""
        two = 1 - self.one - self.bust - self.fall
        return Throw(1, self.one), Throw(2, two), Throw(0, self.bust, "turn"), Throw(0, self.fall, "score")


def small_games(workers: int) -> Rows:
    """Small games for three whose scores fall, by the chances of a throw: whether the sweeps come to rest.

    Args:
        workers: threads.
    """
    rows = []
    for target, one, bust, fall in itertools.product(SMALL_TARGETS, CHANCES, CHANCES, CHANCES):
        if one + bust + fall < 0.75:
            solution = solve_many(SmallGame(target, one, bust, fall), 3, workers)
            certificate = solution.certificate
            rows.append({
                "target": target, "one": one, "bust": bust, "fall": fall, "sweeps": solution.sweeps,
                "change": solution.change, "open": len(solution.open_orbits), "mixing": len(solution.mixing_orbits),
                "largest_gain": certificate.gain, "holds": certificate.holds,
            })  # fmt: skip
    return rows
