"""Population dynamics of strategies that play each other: replicator, Moran and alpha-rank on the exact matrix.

The payoff is the margin `m[a, b]`, half of the difference between the wins of a and of b, so the game is symmetric and
zero-sum. In a large population with shares `x` the replicator dynamics with mutation `u` is

    dx[a]/dt = x[a] ((m x)[a] - x m x) + u (1/n - x[a]),

where `x m x` is 0 (Taylor and Jonker 1978). In a population of N players, at each step a child of one player replaces
a random one: the parent is drawn with weights `exp(w f)`, where `f` is a player's mean margin over the others and `w`
the intensity of selection (Moran 1958; Traulsen, Shoresh and Nowak 2008). A single a takes over a population of b with
probability

    (1 - g) / (1 - g^N)  with  g = exp(-w N/(N-1) m[a, b]).

If mutants are so rare that each takes over or dies out before the next appears, the population moves from strategy to
strategy with these probabilities; the shares of time spent at each strategy are alpha-rank (Omidshafiei et al. 2019).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import logsumexp

from pigevo.core.arrays import Floats, Ints, own_errors
from pigevo.core.checked_values import JsonObject, is_integer, is_real
from pigevo.core.intervals import share_interval
from pigevo.core.portable_math import exp
from pigevo.core.text import short_repr
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.tournaments import INTENSITY, PLAYERS
from pigevo.tournaments.ratings import margins_of, nash

MOST_PLAYERS = 10_000
MOST_INTENSITY = 1e6
MOST_NUMBERS = 10**8  # the largest number of shares in a course, or of births that may be drawn
STEEP = 300  # the logarithm of the largest ratio of two fitnesses up to which fitness is kept as a product
PATIENCE = 100  # the number of generations, for each player, after which a takeover counts as undecided


@dataclass(frozen=True, eq=False)
class Course:
    """Shares of strategies in a population over time.

    Args:
        times: the recorded times, ascending, shape (steps,); in a finite population in generations of N births.
        shares: the share of each strategy, shape (steps, n); each row adds up to 1.
    """

    times: Floats
    shares: Floats

    def leaders(self) -> Ints:
        """The index of the strategy with the largest share at each time, the first of equal ones."""
        return np.asarray(self.shares.argmax(axis=1))

    def time_in_lead(self) -> Floats:
        """The share of the recorded times at which each strategy leads, shape (n,)."""
        return np.bincount(self.leaders(), minlength=self.shares.shape[1]) / len(self.times)

    def changes_of_lead(self) -> int:
        """The number of times that another strategy takes the lead."""
        leaders = self.leaders()
        return int((leaders[1:] != leaders[:-1]).sum())


@dataclass(frozen=True, eq=False)
class Dynamics:
    """All population dynamics of one matrix, and its Nash mixture.

    Args:
        overall: win probability of the row against the column, shape (n, n).
        replicator: the course of an infinite population.
        moran: one history of a finite population.
        nash: the share of each strategy in the Nash mixture, shape (n,).
        alpha_rank: the share of time at each strategy if mutants are rare, shape (n,).
        fixation: the probability that a single player of the row takes over a population of the column, shape (n, n).
        won: the number of finite populations taken over by each strategy, of `populations` without mutation.
        undecided: the number of those in which several strategies were left.
    """

    overall: Floats
    replicator: Course
    moran: Course
    nash: Floats
    alpha_rank: Floats
    fixation: Floats
    won: Ints
    undecided: int
    populations: int

    @property
    def figures(self) -> dict[str, list[float]]:
        """Figures of each strategy by name: `takes_over` is the share of `won`."""
        figures = {
            "start": self.replicator.shares[0], "end": self.replicator.shares[-1],
            "small": self.moran.shares.mean(axis=0), "last": self.moran.shares[-1],
            "takes_over": self.won / self.populations, "nash": self.nash, "alpha_rank": self.alpha_rank,
        }  # fmt: skip
        return {name: values.tolist() for name, values in figures.items()}

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """The 95 % intervals of `takes_over`."""
        return [share_interval(int(count), self.populations) for count in self.won]

    @property
    def as_json(self) -> JsonObject:
        """What is not a figure of one strategy, as plain values that JSON can hold."""
        courses = {"replicator": self.replicator, "moran": self.moran}
        return {
            "overall": self.overall.tolist(),
            "changes_of_lead": {name: course.changes_of_lead() for name, course in courses.items()},
            "time_in_lead": {name: course.time_in_lead().tolist() for name, course in courses.items()},
            "fixation": self.fixation.tolist(),
            "undecided": self.undecided,
        }


@own_errors
def all_dynamics(
    overall: Floats, time: float, generations: int, populations: int, players: int, intensity: float, mutation: float,
    seed: int,
) -> Dynamics:  # fmt: skip
    """`replicator`, `moran`, `takeovers` and all that is computed exactly, with the arguments of these functions."""
    won, undecided = takeovers(overall, players, intensity, populations, seed)
    return Dynamics(
        overall=overall,
        replicator=replicator(overall, time, mutation=mutation),
        moran=moran(overall, generations, players, intensity, mutation, seed),
        nash=nash(overall).shares,
        alpha_rank=alpha_rank(overall, players, intensity),
        fixation=fixation_probabilities(overall, players, intensity),
        won=won,
        undecided=undecided,
        populations=populations,
    )


@own_errors
def replicator(
    overall: Floats, time: float = 2000.0, steps: int = 4001, mutation: float = 0.0, start: Floats | None = None
) -> Course:
    """The replicator dynamics of an infinite population, with mutation (see the equation in the module's docstring).

    Args:
        overall: win probability of the row against the column, shape (n, n).
        time: the duration; in a time of 1 a share grows by the factor e if its margin over the population is 1.
        steps: the number of recorded times, including the first and the last.
        mutation: the rate at which members change to a random strategy.
        start: the shares at time 0, all above 0; by default they fall from 1.5/n for the first to 0.5/n for the last,
            because equal shares may be a rest point.

    Raises:
        InputError: the matrix is not square, the shares are invalid, or a number is out of range.

    Example:
        >>> import numpy as np
        >>> from pigevo.tournaments import replicator
        >>> better = np.array([[0.5, 0.6], [0.4, 0.5]])
        >>> replicator(better, time=100).shares[-1].round(3).tolist()
        [1.0, 0.0]
    """
    margins, n = _margins(overall), len(overall)
    _check_range("time", time, 1e7)
    _check_range("mutation", mutation, 1)
    _check_count("steps", steps, 2, MOST_NUMBERS // n)
    begin = np.linspace(1.5, 0.5, n) / n if start is None else np.asarray(start, np.float64)
    if begin.shape != (n,) or not (begin > 0).all() or abs(begin.sum() - 1) > 1e-9:
        raise InputError(f"start must have a share above 0 for each of the {n} strategies, which add up to 1.")

    def change(_: float, logs: Floats) -> Floats:
        shares = np.exp(logs - logs.max())
        shares /= shares.sum()
        gains = margins @ shares
        slope = gains - shares @ gains
        return np.asarray(slope + mutation * (1 / (n * np.maximum(shares, 1e-300)) - 1) if mutation else slope)

    times = np.linspace(0, time, steps)
    # With mutation the equation is stiff: shares far below their equilibrium return fast.
    method = "LSODA" if mutation else "RK45"
    solved = solve_ivp(change, (0.0, time), np.log(begin), method, times, rtol=1e-9, atol=1e-9)
    shares = np.exp(solved.y.T - solved.y.T.max(axis=1, keepdims=True))
    return Course(times, shares / shares.sum(axis=1, keepdims=True))


@own_errors
def fixation_probabilities(overall: Floats, players: int = PLAYERS, intensity: float = INTENSITY) -> Floats:
    """The exact probability that a single player with the row's strategy takes over a population with the column's.

    Args:
        overall: win probability of the row against the column, shape (n, n).
        players: N, the number of members of the population.
        intensity: w, the intensity of selection.

    Returns:
        An array of shape (n, n); 1/N, the value for a neutral mutant, if two are level, and on the diagonal.

    Raises:
        InputError: the matrix is not square, or a number is out of range.

    Example:
        >>> import numpy as np
        >>> from pigevo.tournaments import fixation_probabilities
        >>> fixation_probabilities(np.array([[0.5, 0.6], [0.4, 0.5]]), players=10, intensity=1.0).round(4).tolist()
        [[0.1, 0.1568], [0.0577, 0.1]]
    """
    better, fall = _better_fixation(_margins(overall), players, intensity)
    return np.asarray(better * np.exp(-(players - 1) * fall))  # (1 - 1/g) / (1 - 1/g^N) of the worse one


def _better_fixation(margins: Floats, players: int, intensity: float) -> tuple[Floats, Floats]:
    """For each pair the fixation probability of the better one, and `-ln g`, which is 0 where the row is not worse."""
    _check_population(players, intensity)
    fall = intensity * players / (players - 1) * np.abs(margins)
    level = fall < 1e-12
    fall = np.where(level, 1.0, fall)
    better = np.where(level, 1 / players, np.expm1(-fall) / np.expm1(-players * fall))
    return better, np.where(level | (margins > 0), 0.0, fall)


@own_errors
def alpha_rank(overall: Floats, players: int = PLAYERS, intensity: float = INTENSITY) -> Floats:
    """The shares of time that a population spends at each strategy if mutants are rare (Omidshafiei et al. 2019).

    Args:
        overall: win probability of the row against the column, shape (n, n).
        players: the number of members of the population.
        intensity: the intensity of selection; the larger, the rarer are takeovers by worse mutants.

    Returns:
        An array of shape (n,), which adds up to 1.

    Raises:
        InputError: the matrix is not square, or a number is out of range.

    Example:
        >>> import numpy as np
        >>> from pigevo.tournaments import alpha_rank
        >>> alpha_rank(np.array([[0.5, 0.6], [0.4, 0.5]]), players=10, intensity=1.0).round(4).tolist()
        [0.7311, 0.2689]
    """
    better, fall = _better_fixation(_margins(overall), players, intensity)
    step = (np.log(better) - (players - 1) * fall).T  # logarithms, from row to column, all by the same factor
    np.fill_diagonal(step, -np.inf)
    return _stationary(step)


def _stationary(logs: Floats) -> Floats:
    """The stationary distribution of a Markov chain, given the logarithms of its transitions by a common factor.

    By elimination without subtraction (Grassmann et al. 1985), in logarithms: of two transitions one may be any number
    of times as likely as the other.
    """
    n, step = len(logs), logs.copy()
    for k in range(n - 1, 0, -1):
        step[:k, k] -= logsumexp(step[k, :k])
        step[:k, :k] = np.logaddexp(step[:k, :k], step[:k, k, None] + step[k, :k])
    shares = np.zeros(n)
    for k in range(1, n):
        shares[k] = logsumexp(shares[:k] + step[:k, k])
    shares = np.exp(shares - shares.max())
    return np.asarray(shares / shares.sum())


@own_errors
def moran(
    overall: Floats, generations: int = 300, players: int = PLAYERS, intensity: float = INTENSITY,
    mutation: float = 0.0, seed: int = 0,
) -> Course:  # fmt: skip
    """One simulated history of the Moran process: players are replaced one by one by children of more successful ones.

    Args:
        overall: win probability of the row against the column, shape (n, n).
        generations: the number of generations, each of as many births as there are players.
        players: the number of members; at first equally many for every strategy, up to one.
        intensity: the intensity of selection.
        mutation: the share of children with a random strategy.
        seed: the seed of the selection stream, from which parents, mutations and deaths are drawn.

    Raises:
        InputError: the matrix is not square, a number is out of range, or there are fewer players than strategies.

    Example:
        >>> import numpy as np
        >>> from pigevo.tournaments import moran
        >>> course = moran(np.array([[0.5, 0.9], [0.1, 0.5]]), generations=20, players=10)
        >>> course.shares[0].tolist(), course.shares[-1].tolist()
        ([0.5, 0.5], [1.0, 0.0])
    """
    margins = _margins(overall)
    _check_population(players, intensity)
    _check_range("mutation", mutation, 1)
    _check_count("generations", generations, 1, MOST_NUMBERS // players)
    _check_enough(players, len(margins))
    counts = _evenly(len(margins), players)[None]
    recorded = [counts[0]]
    for generation in range(generations):
        draws = Draw(seed, "selection", part=generation).uniforms(4 * players).reshape(players, 1, 4)
        counts = _births(counts, margins, intensity, mutation, draws)
        recorded.append(counts[0])
    return Course(np.arange(generations + 1, dtype=np.float64), np.array(recorded) / players)


@own_errors
def takeovers(
    overall: Floats, players: int = PLAYERS, intensity: float = INTENSITY, populations: int = 1000, seed: int = 0
) -> tuple[Ints, int]:
    """The number of finite populations that each strategy takes over, from equal numbers of all and without mutation.

    Args:
        overall: win probability of the row against the column, shape (n, n).
        players: the number of members of each population.
        intensity: the intensity of selection.
        populations: the number of independent populations.
        seed: the seed of the selection stream.

    Returns:
        The numbers, shape (n,), and the number of populations that still had several strategies after 100 generations
        for each player.

    Raises:
        InputError: the matrix is not square, a number is out of range, or there are fewer players than strategies.

    Example:
        >>> import numpy as np
        >>> from pigevo.tournaments import takeovers
        >>> won, undecided = takeovers(np.array([[0.5, 0.6], [0.4, 0.5]]), players=10, populations=100)
        >>> int(won.sum()) + undecided
        100
    """
    margins, n = _margins(overall), len(overall)
    _check_population(players, intensity)
    _check_enough(players, n)
    _check_count("populations", populations, 1, MOST_NUMBERS // (4 * n))
    counts, won = np.tile(_evenly(n, players), (populations, 1)), np.zeros(n, np.int64)
    for generation in range(PATIENCE * players):
        alone = counts.max(axis=1) == players
        won += (counts[alone] == players).sum(axis=0)
        counts = counts[~alone]
        if not len(counts):
            break
        draws = Draw(seed, "selection", pair=1, part=generation).uniforms(4 * players * len(counts))
        counts = _births(counts, margins, intensity, 0.0, draws.reshape(players, -1, 4))
    return won, len(counts)


def _births(counts: Ints, margins: Floats, intensity: float, mutation: float, draws: Floats) -> Ints:
    """The populations after some births and deaths.

    Args:
        counts: numbers of players by strategy, shape (populations, n).
        margins: margins of the row over the column, shape (n, n).
        intensity: the intensity of selection.
        mutation: the share of children with a random strategy.
        draws: uniform numbers for each birth and population that decide the parent, whether and how the child mutates,
            and who dies, shape (births, populations, 4).
    """
    rows, n = np.arange(len(counts)), counts.shape[1]
    strength = intensity / (counts[0].sum() - 1)
    gains = counts @ (strength * margins.T)  # a player's margin over itself is 0
    added = strength * margins.T  # the change of everyone's gain when a player of the row is added
    if is_steep := bool(intensity * np.ptp(margins) > STEEP):
        fitness = _fitness(gains, counts)
    else:
        fitness, factors = exp(gains - gains.max(axis=1, keepdims=True)), exp(added)
    counts = counts.copy()
    for parent, strange, mutant, death in draws.transpose(0, 2, 1):
        born, dead = _picked(counts * fitness, parent), _picked(counts, death)
        if mutation:
            born = np.where(strange < mutation, (mutant * n).astype(np.int64), born)
        counts[rows, dead] -= 1
        counts[rows, born] += 1
        if is_steep:  # a product would leave the range of floats
            gains += added[born] - added[dead]
            fitness = _fitness(gains, counts)
        else:
            fitness *= factors[born] / factors[dead]
    return counts


def _fitness(gains: Floats, counts: Ints) -> Floats:
    """Everyone's fitness in units of that of the best strategy that is there; at most 1 for those that are not."""
    best = np.where(counts > 0, gains, -np.inf).max(axis=1, keepdims=True)
    return exp(np.minimum(gains - best, 0.0))


def _picked(weights: Floats | Ints, draws: Floats) -> Ints:
    """A random column of each row, drawn with the given weights."""
    sums = weights.cumsum(axis=1)
    # A product rounded up to the sum itself would lie beyond the last weight.
    thresholds = np.minimum(draws * sums[:, -1], np.nextafter(sums[:, -1], 0))
    return np.asarray((sums <= thresholds[:, None]).sum(axis=1))


def _evenly(n: int, players: int) -> Ints:
    return np.bincount(np.arange(players) % n, minlength=n)


def _margins(overall: Floats) -> Floats:
    matrix = np.asarray(overall, np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
        raise InputError(
            f"the matrix must be square, with a row for each of two strategies or more, not {matrix.shape}."
        )
    if not ((matrix >= 0) & (matrix <= 1)).all():
        raise InputError("the matrix must hold win probabilities, from 0 to 1.")
    return margins_of(matrix)


def _check_population(players: int, intensity: float) -> None:
    _check_count("players", players, 2, MOST_PLAYERS)
    _check_range("intensity", intensity, MOST_INTENSITY)


def _check_enough(players: int, strategies: int) -> None:
    if players < strategies:
        raise InputError(
            f"{players} players cannot begin with {strategies} strategies: take a player for each at least."
        )


def _check_count(name: str, value: object, least: int, most: int) -> None:
    if not is_integer(value) or not least <= value <= most:
        raise InputError(f"{name} must be a whole number from {least} to {most:,}, not {short_repr(value)}.")


def _check_range(name: str, value: object, most: float) -> None:
    if not is_real(value) or not 0 <= value <= most:
        raise InputError(f"{name} must be a number from 0 to {most:g}, not {short_repr(value)}.")
