"""Dominated strategies, by one other strategy or by a mixture of others, and their iterated elimination.

A strategy is strictly dominated if another one, or a mixture of others, gains more against every strategy; weakly, if
it gains at least as much against all and more against some. Mixtures are found by a linear program (Osborne &
Rubinstein, A Course in Game Theory, 1994, section 4.2). Both players have the same strategies and payoffs, as in a
tournament, so that the same ones are dominated for both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pigevo.core.arrays import Bools, Floats, own_errors
from pigevo.core.progress_bar import ProgressBar
from pigevo.errors import InputError
from pigevo.tournaments.ratings import mixed

SHOWN_FROM = 50  # the number of strategies from which a progress bar is shown

ROUNDING = 1e-9
"""Payoffs that differ by less than this share of the range of all payoffs are equal: the difference is rounding."""


@dataclass(frozen=True)
class Dominated:
    """A dominated strategy.

    Args:
        strategy: its name.
        by: the dominating strategies with their shares: one with share 1, or a mixture.
        strict: whether the domination is strict.
        margin: the smallest gain over all strategies of the opponent; 0 if not strict.
        largest: the largest gain.
    """

    strategy: str
    by: Mapping[str, float]
    strict: bool
    margin: float
    largest: float


@dataclass(frozen=True)
class Elimination:
    """The result of iterated elimination.

    Args:
        rounds: for each round the strategies that were dominated among those left by then; all of them are removed at
            the same time.
        left: the names of the strategies that remain.
    """

    rounds: tuple[tuple[Dominated, ...], ...]
    left: tuple[str, ...]


@own_errors
def dominated(payoffs: ArrayLike, names: Sequence[str], *, weakly: bool = False) -> tuple[Dominated, ...]:
    """The dominated strategies, in their order.

    If several strategies dominate one, the one with the largest margin is reported; a mixture only if no single
    strategy dominates it strictly. Payoffs that differ by less than a billionth of the range of all payoffs are equal.

    Args:
        payoffs: the payoff of each strategy (row) against each (column), shape (n, n), such as a win matrix.
        names: the names of the n strategies.
        weakly: whether strategies that are dominated weakly but not strictly are included.

    Raises:
        InputError: the payoffs are not a finite square matrix with a row for each name.

    Example:
        >>> from pigevo.tournaments import dominated
        >>> dominated([[-8, 0], [-10, -1]], ("confess", "lie"))  # the prisoners' dilemma, years in prison as losses
        (Dominated(strategy='lie', by={'confess': 1.0}, strict=True, margin=1.0, largest=2.0),)
    """
    matrix = np.asarray(payoffs, np.float64)
    if matrix.shape != (len(names), len(names)) or not matrix.size or not np.isfinite(matrix).all():
        raise InputError(
            f"payoffs are a square matrix of finite numbers with a row for each strategy, here {len(names)}."
        )
    scaled = _scaled(matrix)
    best = scaled.max(axis=0)
    results = []
    for row in ProgressBar(range(len(names)), desc="dominated", leave=False, disable=len(names) < SHOWN_FROM or None):
        rivals = np.arange(len(names)) != row
        gains = scaled[rivals] - scaled[row]
        never_best = bool((scaled[row] < best - ROUNDING).all())
        shares = _dominating(gains, weakly, never_best) if len(gains) else None
        if shares is not None:
            by = {
                name: share
                for name, share in zip(np.array(names)[rivals].tolist(), shares.tolist(), strict=True)
                if share
            }
            strict, more = bool((shares @ gains).min() > ROUNDING), shares @ matrix[rivals] - matrix[row]
            margin = float(more.min()) if strict else 0.0
            results.append(Dominated(names[row], by, strict, margin, float(more.max())))
    return tuple(results)


@own_errors
def eliminate(payoffs: ArrayLike, names: Sequence[str]) -> Elimination:
    """Remove the strictly dominated strategies repeatedly, until there are none.

    The result does not depend on the order, and contains every equilibrium.

    Args:
        payoffs: the payoff of each strategy (row) against each (column), shape (n, n), such as a win matrix.
        names: the names of the n strategies.

    Raises:
        InputError: the payoffs are not a finite square matrix with a row for each name.

    Example:
        >>> import pigevo
        >>> from pigevo.tournaments import eliminate
        >>> players = [pigevo.hold_at(pigevo.Pig(), n) for n in (3, 20, 25)]
        >>> eliminate(pigevo.win_matrix(players), [player.name for player in players]).left
        ('hold_at:25',)
    """
    left, names = np.asarray(payoffs, np.float64), tuple(names)
    rounds: list[tuple[Dominated, ...]] = []
    while removed := dominated(left, names):
        rounds.append(removed)
        gone = {loser.strategy for loser in removed}
        rows = [row for row, name in enumerate(names) if name not in gone]
        left, names = left[np.ix_(rows, rows)], tuple(names[row] for row in rows)
    return Elimination(tuple(rounds), names)


def _scaled(payoffs: Floats) -> Floats:
    """The payoffs scaled to 0 ... 1, which changes no choice; all 0 if they are equal."""
    span = payoffs.max() - payoffs.min()
    return (payoffs - payoffs.min()) / span if span else np.zeros_like(payoffs)


def _dominating(gains: Floats, weakly: bool, never_best: bool) -> Floats | None:
    """The shares of the other strategies in a mixture that dominates a strategy, given their `gains` over it, or None.

    A strategy that is a best response to some strategy of the other player is not strictly dominated.
    """
    least = gains.min(axis=1)
    if least.max() > ROUNDING:
        return _single(len(gains), int(least.argmax()))
    if never_best and (shares := _mixture(gains, strictly=True)) is not None:
        return shares
    if not weakly:
        return None
    as_good: Bools = (least >= -ROUNDING) & (gains.max(axis=1) > ROUNDING)
    if as_good.any():
        return _single(len(gains), int(np.where(as_good, gains.sum(axis=1), -np.inf).argmax()))
    return _mixture(gains, strictly=False)


def _single(n: int, chosen: int) -> Floats:
    shares = np.zeros(n)
    shares[chosen] = 1.0
    return shares


def _mixture(gains: Floats, strictly: bool) -> Floats | None:
    """The mixture with the largest minimal gain, or the largest total gain; None if it does not dominate."""
    costs = np.append(np.zeros(len(gains)), -1.0) if strictly else np.append(-gains.sum(axis=1), 0.0)
    shares = mixed(gains, costs, 1.0 if strictly else 0.0, ROUNDING)
    if shares is None:  # no mixture is at least as good against all
        return None
    more = shares @ gains
    dominates = more.min() > ROUNDING if strictly else more.min() >= -ROUNDING and more.max() > ROUNDING
    return shares if dominates else None
