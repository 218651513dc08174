"""What a strategy does, in figures: where it first holds, where that number misleads, and how it fares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bools, Floats
from pigevo.errors import InputError
from pigevo.exact import best_response, optimal, reach, win_probability
from pigevo.games import Game
from pigevo.games.game import DIFFERENCE, LEFT, OPPONENT, OWN
from pigevo.strategies import Strategy

PLACES = {
    "at the start": (0.0, 0.0), "level": (0.5, 0.5), "ahead": (0.6, 0.3), "behind": (0.3, 0.6),
    "level near the end": (0.85, 0.85), "ahead near the end": (0.85, 0.5), "behind near the end": (0.5, 0.85),
}  # fmt: skip
"""Where one looks, as shares of the target: the own score and the opponent's."""

LEADS = {
    "at the start": (1.0, 0.0), "level": (0.5, 0.0), "ahead": (0.5, 0.1), "behind": (0.5, -0.1),
    "level in the last turn": (0.0, 0.0), "ahead in the last turn": (0.0, 0.1), "behind in the last turn": (0.0, -0.1),
}  # fmt: skip
"""The same in a game of turns: the share of turns left after this one, and the lead as a share of the cap."""


@dataclass(frozen=True)
class Hold:
    """What a strategy does at one place of the game, turn total by turn total.

    Args:
        place: what it is called.
        at: what the axes stand for that stand still during a turn, by name.
        first: the turn total at which it first holds; None where it rolls to the end.
        wins: whether that is a matter of no choice: where it has won before the turn total at which it holds at the
            start of the game.
        again: the ranges of larger turn totals at which it rolls nevertheless.
    """

    place: str
    at: dict[str, int]
    first: int | None
    wins: bool
    again: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Character:
    """What a strategy does and how good it is.

    Args:
        name: the strategy's.
        game: what it plays, as text.
        holds: what it does at typical places.
        first, second, overall: its exact win probability against the optimum.
        best_response: what the strategy that does best against it wins, overall; None where that is not known.
        exploitability: the same less a half; None where both together do not win 1.
        gap_places: the share of the places between turns at which it rolls again above the total at which it holds.
        gap_decisions: of its decisions in play against the optimum, the share that are such.
        chance: the share of its asked cells that it leaves to chance.
    """

    name: str
    game: str
    holds: tuple[Hold, ...]
    first: float
    second: float
    overall: float
    best_response: float | None
    exploitability: float | None
    gap_places: float
    gap_decisions: float
    chance: float


@dataclass(frozen=True)
class Beside:
    """A strategy beside another.

    Args:
        other: the other one's name.
        first, second, overall: exact win probability of the strategy against it.
        cells: the share of asked cells in which they decide otherwise.
        decisions: the same of the strategy's decisions in play against the other.
    """

    other: str
    first: float
    second: float
    overall: float
    cells: float
    decisions: float


def character_data(strategy: Strategy) -> Character:
    """Look at a strategy, and let it meet the optimum and its best response."""
    game = strategy.game
    best = optimal(game).strategy
    met = win_probability(strategy, best)
    worst = _best_response(strategy)
    asked, gaps = np.broadcast_to(game.decision_states, game.shape), gap_cells(strategy)
    within = tuple(range(len(game.between), len(game.axes)))
    return Character(
        name=strategy.name,
        game=str(game),
        holds=hold_data(strategy),
        first=met.first,
        second=met.second,
        overall=met.overall,
        best_response=worst,
        exploitability=worst - 0.5 if worst is not None and game.sums_to_one else None,
        gap_places=float(gaps.any(axis=within).mean()),
        gap_decisions=_share(gaps, decisions_in_play(strategy, best)),
        chance=float(((strategy.roll > 0) & (strategy.roll < 1))[asked].mean()) if asked.any() else 0.0,
    )


def beside_data(strategy: Strategy, other: Strategy) -> Beside:
    """Set a strategy beside another one of the same game."""
    met, asked = win_probability(strategy, other), np.broadcast_to(strategy.game.decision_states, strategy.game.shape)
    differ = strategy.roll != other.roll
    return Beside(
        other=other.name,
        first=met.first,
        second=met.second,
        overall=met.overall,
        cells=float(differ[asked].mean()) if asked.any() else 0.0,
        decisions=_share(differ, decisions_in_play(strategy, other)),
    )


def places_of(game: Game) -> dict[str, dict[str, int]]:
    """Typical places of a game: what the axes stand for that stand still during a turn, by name."""
    if game.target:
        most = game.target - 1
        at = {place: (round(own * game.target), round(other * game.target)) for place, (own, other) in PLACES.items()}
        return {place: {OWN: min(own, most), OPPONENT: min(other, most)} for place, (own, other) in at.items()}
    return {place: _of_turns(game, left, lead) for place, (left, lead) in LEADS.items()}


def _of_turns(game: Game, left: float, lead: float) -> dict[str, int]:
    points = round(lead * game.cap)
    scores = {OWN: max(points, 0), OPPONENT: max(-points, 0), DIFFERENCE: points}
    return {LEFT: 1 + round(left * (game.turns - 1))} | {
        axis.name: scores[axis.name] for axis in game.between if axis.name in scores
    }


def hold_data(strategy: Strategy) -> tuple[Hold, ...]:
    """What a strategy does at typical places; what these do not say is taken as at the beginning of the game."""
    found: list[Hold] = []
    for place, at in places_of(strategy.game).items():
        rolls, end = _turn(strategy, at)
        begin = 0 if strategy.game.allow_pass else 1
        first = next((total for total in range(begin, end) if not rolls[total]), None)
        again = () if first is None else _ranges([total for total in range(first, end) if rolls[total]])
        at_start = found[0].first if found else None
        found.append(Hold(place, at, first, first is None and at_start is not None and end <= at_start, again))
    return tuple(found)


def _turn(strategy: Strategy, at: dict[str, int]) -> tuple[Bools, int]:
    """Where a strategy rolls at one place, by the turn total, and the turn total at which it has won or must hold.

    In a race in which the other player has a last turn, it is not the target that wins at once, but the game's cap.
    """
    game = strategy.game
    standing = {axis.name: at.get(axis.name, 0) for axis in game.between}
    index = game.cell(**standing, total=0, rolls=0)[: len(game.between)]
    return _by_total(strategy.roll[index] > 0), game.size - standing[OWN] if game.target else game.size


def gap_cells(strategy: Strategy) -> Bools:
    """Where a strategy rolls above a turn total of the same place at which it holds, in the shape of its array."""
    game = strategy.game
    rolls = np.asarray(strategy.roll > 0)
    by_total = _by_total(rolls, len(game.between))
    if not game.allow_pass:
        by_total = by_total | (np.arange(game.size) == 0)
    gaps = by_total & ~np.logical_and.accumulate(by_total, axis=-1)
    found: Bools = rolls & gaps.reshape(gaps.shape + (1,) * (rolls.ndim - gaps.ndim))
    return found


def decisions_in_play(a: Strategy, b: Strategy) -> Floats:
    """How often `a` decides in each cell in a game against `b`, the mean of both seats."""
    return np.where(np.broadcast_to(a.game.decision_states, a.game.shape), reach(a, b).overall, 0.0)


def _by_total(rolls: Bools, between: int = 0) -> Bools:
    """Decisions by the turn total, which comes after so many axes; the number of rolls is taken as any."""
    return np.asarray(rolls.any(axis=-1)) if rolls.ndim > between + 1 else rolls


def _ranges(numbers: list[int]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return tuple(found)


def _share(cells: Bools, weights: Floats) -> float:
    total = float(weights.sum())
    return float(weights[cells].sum() / total) if total else 0.0


def _best_response(strategy: Strategy) -> float | None:
    try:
        return float(best_response(strategy).overall)
    except InputError:  # it passes by chance
        return None
