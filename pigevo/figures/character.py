"""The character of a strategy: where it first holds, where that number misleads, and how good it is; also in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bools, Floats
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import percent, ranges_of, table
from pigevo.exact import best_response, optimal, reach, win_probability
from pigevo.figures import FIRST_IN_ROUND
from pigevo.games import Game
from pigevo.games.game import DIFFERENCE, LEFT, OPPONENT, OWN, SECOND
from pigevo.strategies import Strategy

PLACES = {
    "at the start": (0.0, 0.0), "level": (0.5, 0.5), "ahead": (0.5, 0.3), "behind": (0.5, 0.7),
    "level near the end": (0.85, 0.85), "ahead near the end": (0.85, 0.5), "behind near the end": (0.5, 0.85),
}  # fmt: skip
"""Typical places: the own score and the opponent's score as shares of the target.

`ahead` and `behind` differ in the opponent's score alone, so that `tendency` may compare them.
"""

LEADS = {
    "at the start": (1.0, 0.0), "level": (0.5, 0.0), "ahead": (0.5, 0.1), "behind": (0.5, -0.1),
    "level in the last turn": (0.0, 0.0), "ahead in the last turn": (0.0, 0.1), "behind in the last turn": (0.0, -0.1),
}  # fmt: skip
"""Typical places in a game of turns: the share of turns left after this one, and the lead as a share of the cap."""


MOSTLY = 0.5  # the chance of rolling from which on a random decision counts as a roll


@dataclass(frozen=True)
class Hold:
    """The decisions of a strategy at one place of the game, by turn total.

    Args:
        place: the name of the place.
        at: the values of the axes that are constant during a turn, by name.
        first: the turn total at which the strategy first holds; None if it rolls to the end.
        wins: whether it rolls to the end only because it has won before it reaches the turn total at which it holds at
            the start of the game.
        again: the ranges of larger turn totals at which it rolls again.
    """

    place: str
    at: dict[str, int]
    first: int | None
    wins: bool
    again: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Character:
    """The decisions of a strategy and its quality.

    Args:
        name: the name of the strategy.
        game: the game, as text.
        holds: its decisions at typical places.
        first, second, overall: its exact win probability against the optimum.
        best_response: the overall win probability of the best response against it.
        exploitability: `best_response` minus a half; None if the win probabilities of both players do not add up to 1.
        gap_places: the share of the places between turns at which it rolls again above the total at which it holds.
        gap_decisions: the share of its decisions in play against the optimum that are rolls above such a total.
        chance: the share of its decision states in which it decides at random.
        ignores_opponent: whether it decides alike whatever the opponent's score is, or its lead in a game of turns.
    """

    name: str
    game: str
    holds: tuple[Hold, ...]
    first: float
    second: float
    overall: float
    best_response: float
    exploitability: float | None
    gap_places: float
    gap_decisions: float
    chance: float
    ignores_opponent: bool


@dataclass(frozen=True)
class Beside:
    """A comparison of a strategy with another one.

    Args:
        other: the name of the other strategy.
        first, second, overall: exact win probability of the strategy against the other.
        cells: the share of decision states in which they differ; where chance decides, each counts by the difference of
            their chances of rolling.
        decisions: the share of the strategy's decisions in play against the other in which they differ, likewise.
    """

    other: str
    first: float
    second: float
    overall: float
    cells: float
    decisions: float


def character_data(strategy: Strategy) -> Character:
    """The character of a strategy, with its results against the optimum and against its best response."""
    game = strategy.game
    best = optimal(game).strategy
    met = win_probability(strategy, best)
    worst = float(best_response(strategy).overall)
    decides, gaps = np.broadcast_to(game.decision_states, game.shape), gap_cells(strategy)
    within = tuple(range(len(game.between), len(game.axes)))
    return Character(
        name=strategy.name, game=str(game), holds=hold_data(strategy), first=met.first, second=met.second,
        overall=met.overall, best_response=worst, exploitability=worst - 0.5 if game.sums_to_one else None,
        gap_places=float(gaps.any(axis=within).mean()),
        gap_decisions=share_of(gaps, decisions_in_play(strategy, best)),
        chance=float(((strategy.roll > 0) & (strategy.roll < 1))[decides].mean()) if decides.any() else 0.0,
        ignores_opponent=ignores_opponent(strategy),
    )  # fmt: skip


def beside_data(strategy: Strategy, other: Strategy) -> Beside:
    """Compare a strategy with another one for the same game."""
    met = win_probability(strategy, other)
    decides = np.broadcast_to(strategy.game.decision_states, strategy.game.shape)
    differ = differences(strategy, other)
    return Beside(
        other=other.name,
        first=met.first,
        second=met.second,
        overall=met.overall,
        cells=float(differ[decides].mean()) if decides.any() else 0.0,
        decisions=share_of(differ, decisions_in_play(strategy, other)),
    )


def differences(a: Strategy, b: Strategy) -> Floats:
    """The difference of the chances of rolling in each cell: 1 where one strategy rolls and the other holds."""
    return np.abs(np.subtract(a.roll, b.roll, dtype=np.float64))


def places_of(game: Game) -> dict[str, dict[str, int]]:
    """Typical places of a game: the values of the axes that are constant during a turn, by name.

    In a game of rounds they are those of the player who moves first in each round.
    """
    first = {SECOND: 0} if SECOND in (axis.name for axis in game.between) else {}
    if game.target:
        most = game.target - 1
        at = {place: [min(round(share * game.target), most) for share in shares] for place, shares in PLACES.items()}
        return {place: {OWN: own, OPPONENT: opponent} | first for place, (own, opponent) in at.items()}
    return {place: _of_turns(game, left, lead) | first for place, (left, lead) in LEADS.items()}


def _of_turns(game: Game, left: float, lead: float) -> dict[str, int]:
    points = round(lead * game.cap)
    scores = {OWN: max(points, 0), OPPONENT: max(-points, 0), DIFFERENCE: points}
    return {LEFT: 1 + round(left * (game.turns - 1))} | {
        axis.name: scores[axis.name] for axis in game.between if axis.name in scores
    }


def hold_data(strategy: Strategy) -> tuple[Hold, ...]:
    """The decisions of a strategy at typical places; all other axes have their value at the beginning of the game."""
    holds: list[Hold] = []
    for place, at in places_of(strategy.game).items():
        rolls, end = _turn(strategy, at)
        at_start = holds[0].first if holds else None
        holds.append(hold_of_turn(place, at, rolls[:end], 0 if strategy.game.allow_pass else 1, at_start))
    return tuple(holds)


def hold_of_turn(place: str, at: dict[str, int], rolls: Bools, begin: int, at_start: int | None) -> Hold:
    """The decisions of a strategy at one place, given whether it rolls at each turn total.

    The first decision is at `begin`; `at_start` is the turn total at which it holds at the start of the game.
    """
    end = len(rolls)
    first = next((total for total in range(begin, end) if not rolls[total]), None)
    again = () if first is None else ranges_of([total for total in range(first, end) if rolls[total]])
    return Hold(place, at, first, first is None and at_start is not None and end <= at_start, again)


def _turn(strategy: Strategy, at: dict[str, int]) -> tuple[Bools, int]:
    """Whether a strategy rolls at each turn total at one place, and the turn total at which it has won or must hold.

    In a race in which the other player has a last turn, the game's cap wins at once, not the target.
    """
    game = strategy.game
    standing = {axis.name: at.get(axis.name, 0) for axis in game.between}
    index = game.cell(**standing, total=0, rolls=0)[: len(game.between)]
    rolls = _by_total(strategy.roll[index] >= MOSTLY)
    if _always_passes(strategy)[index]:
        rolls = np.zeros_like(rolls)
    return rolls, game.size - standing[OWN] if game.target else game.size


def _always_passes(strategy: Strategy) -> Bools:
    """Where a strategy passes for certain, by the axes that are constant during a turn: no turn goes on there."""
    return np.asarray(strategy.roll[strategy.game.beginning] == 0)


def gap_cells(strategy: Strategy) -> Bools:
    """The cells in which a strategy rolls although it holds at a smaller turn total of the same place."""
    game = strategy.game
    rolls = np.asarray(strategy.roll >= MOSTLY)
    by_total = _by_total(rolls, len(game.between))
    if not game.allow_pass:
        by_total = by_total | (np.arange(game.size) == 0)
    gaps = by_total & ~np.logical_and.accumulate(by_total, axis=-1) & ~_always_passes(strategy)[..., None]
    cells: Bools = rolls & gaps.reshape(gaps.shape + (1,) * (rolls.ndim - gaps.ndim))
    return cells


def decisions_in_play(a: Strategy, b: Strategy) -> Floats:
    """The expected number of decisions of `a` in each cell in a game against `b`, the mean over both seats."""
    return np.where(np.broadcast_to(a.game.decision_states, a.game.shape), reach(a, b).overall, 0.0)


def _by_total(rolls: Bools, between: int = 0) -> Bools:
    """Decisions by the turn total, which is axis `between`: rolls if it rolls after any number of rolls."""
    return np.asarray(rolls.any(axis=-1)) if rolls.ndim > between + 1 else rolls


def share_of(cells: Bools | Floats, weights: Floats) -> float:
    """The share of the total weight that lies in the given cells, or in these parts of them; 0 if the total is 0."""
    total = float(weights.sum())
    return float((cells * weights).sum() / total) if total else 0.0


SHOWN_RANGES = 3
"""The largest number of ranges of turn totals that are listed; of more ranges only the number is printed."""

OFTEN = 0.05
"""If a larger share of a strategy's decisions in play is above a hold, no hold value describes the strategy."""


def tendency(strategy: JsonObject) -> str:
    """One sentence about the effect of the scores on the decisions of a strategy."""
    by_place = {hold["place"]: hold for hold in strategy["holds"]}
    ahead, behind = by_place["ahead"], by_place["behind"]
    totals = {hold["first"] for hold in strategy["holds"] if not hold["wins"]}
    if strategy["chance"]:
        return f"Chance decides in {percent(strategy['chance'])} of its cells; they count as the more likely decision."
    if strategy["gap_decisions"] > OFTEN:
        return "It rolls again above its holds so often that no hold value describes it."
    if totals <= {None}:
        return "It never holds at these scores: it rolls until it has won."
    if len(totals) == 1:
        return f"It {does_in_words(totals.pop())} at all of these scores, unless that wins."
    if strategy["ignores_opponent"]:
        score = "its lead" if "left" in ahead["at"] else "the opponent's score"
        return f"It does not look at {score}."
    if not _lead(ahead) > 0 > _lead(behind):  # with so few points no score is ahead, or behind
        return "Where it holds depends on the scores."
    when_ahead, when_behind = (f"when {hold['place']} ({place_in_words(hold['at'])})" for hold in (ahead, behind))
    if ahead["first"] == behind["first"]:
        does = does_in_words(ahead["first"])
        return f"It {does} both {when_ahead} and {when_behind}, but not everywhere."
    further, less = (
        (when_behind, when_ahead) if _first_total(behind) > _first_total(ahead) else (when_ahead, when_behind)
    )
    return f"It rolls further {further} than {less}."


def does_in_words(total: int | None) -> str:
    """What a strategy does that first holds at a turn total: `holds at 20`, `passes`, or `rolls on`."""
    return "rolls on" if total is None else f"holds at {total}" if total else "passes"


def _lead(hold: JsonObject) -> int:
    at = hold["at"]
    return int(at["difference"] if "difference" in at else at["own"] - at["opponent"])


def _first_total(hold: JsonObject) -> float:
    return float("inf") if hold["first"] is None else float(hold["first"])


def ignores_opponent(strategy: Strategy) -> bool:
    """Whether a strategy decides alike whatever the opponent's score is, or in a game of turns, whatever its lead is.

    Where a player has a last turn after the other has reached the target, every strategy looks at the score to beat.
    """
    names = [axis.name for axis in strategy.game.between]
    by_score = np.moveaxis(strategy.roll, names.index(OPPONENT if OPPONENT in names else DIFFERENCE), 0)
    return bool((by_score == by_score[0]).all())


def holds_table(strategies: Sequence[JsonObject], width: int | None = None) -> list[str]:
    """A table of where each strategy first holds, with notes on rolls above that turn total below the table."""
    heads = ["first holds at", *(f" {strategy['name']}" for strategy in strategies)]
    rows: list[list[str]] = []
    notes: list[str] = []
    for holds in zip(*(strategy["holds"] for strategy in strategies), strict=True):
        row = [f"  {holds[0]['place']}, {place_in_words(holds[0]['at'])}"]
        for strategy, hold in zip(strategies, holds, strict=True):
            if hold["again"]:
                notes.append(f"  * {strategy['name']} {hold['place']}: {_again(hold)}")
            row.append(f"{hold_in_words(hold)}{'*' if hold['again'] else ' '}")
        rows.append(row)
    if SECOND in strategies[0]["holds"][0]["at"]:
        notes.insert(0, f"  {FIRST_IN_ROUND}")
    return [*table(heads, rows, "<" + ">" * len(strategies), width, indent=""), *notes]


def place_in_words(at: Mapping[str, int]) -> str:
    """The scores of a place: `50 against 50`, `50 against 50 and 30`, or in a game of turns `5 left, lead 20`."""
    parts = [f"{at['left']} left"] if "left" in at else []
    against = f"{at['next']} and {at['third']}" if "next" in at else at.get("opponent")
    parts.append(f"{at['own']} against {against}" if "own" in at else f"lead {at['difference']}")
    parts += ["last in the round"] if at.get("second") else []
    parts += [f"opponent's last turn {at['last_turn']}"] if "last_turn" in at else []
    return ", ".join(parts)


def hold_in_words(hold: JsonObject) -> str:
    """The turn total at which a strategy first holds at a place, as a cell of a table."""
    return "rolls on" if hold["first"] is None else "passes" if hold["first"] == 0 else str(hold["first"])


def _again(hold: JsonObject) -> str:
    """A note on the turn totals at which a strategy rolls again above its first hold."""
    ranges = _range_words(hold)
    if len(ranges) > SHOWN_RANGES:
        return f"holds at {hold['first']}, and rolls again in {len(ranges)} ranges above it, the first {ranges[0]}"
    return f"holds at {hold['first']}, and rolls again at {', '.join(ranges)}"


def ranges_in_words(hold: JsonObject) -> str:
    """The turn totals of rolls above the first hold, as a cell of a table, such as `20 to 29, 35`."""
    ranges = _range_words(hold)
    return f"{ranges[0]} and {len(ranges) - 1} more" if len(ranges) > SHOWN_RANGES else ", ".join(ranges)


def _range_words(hold: JsonObject) -> list[str]:
    return [range_in_words(low, high) for low, high in hold["again"]]


def range_in_words(low: int, high: int) -> str:
    """A range of whole numbers, such as `20 to 29`, or `35`."""
    return str(low) if low == high else f"{low} to {high}"
