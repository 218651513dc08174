"""A player's habits, from turns: a hold value, scores by turn, risk when behind, following the other, keeping a rule.

How the hold value is found: the player is taken as one who holds at n, but at times holds early, below it, or rolls
late, at it or above, each with a chance of its own. How likely the recorded turns are depends on n and on these two
chances alone, since the dice do not know them; where the dice are not recorded, the rows of dice that fit count with
their chances. Of the two chances nothing is known, so the likelihood of n is the mean over all of them from 0 to a
half. The value that makes the record likeliest is the answer, and its interval holds all values that make it at least
a 25th as likely.

A profile of the likelihood, cut by the quantile of chi-square, does not help: n is an integer, and among so many values
one fits better than the true one by luck, the more easily the more the slips may explain. Its intervals hold too seldom
where players slip. docs/people.md has both in a table, and tests/people/coverage.py makes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.special import logsumexp

from pigevo.core.arrays import Bools, Floats, Floats32
from pigevo.core.intervals import share_interval
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.people.dice_histories import Ways, ways
from pigevo.people.recorded_games import RecordedGame, RecordedTurn
from pigevo.strategies.rules import parse_rule

_ROOTS = (np.arange(10) + 0.5) / 10

SLIPS = 0.5 * _ROOTS**2
"""The chances of a decision against the player's own rule that are tried: of holding early, and of rolling late.

They lie closer together near 0, where a small change says as much as a large one elsewhere."""

_WEIGHTS = np.outer(_ROOTS, _ROOTS).ravel() / _ROOTS.sum() ** 2  # of two chances that are uniform from 0 to a half

RATIO = 25
"""The likelihood ratio at the ends of the interval, calibrated by simulated players."""

SHUFFLES, LEVEL = 999, 0.05
"""Of the permutation tests: how many orders are drawn, and the level."""

FEWEST_OF_EACH, FEWEST_AFTER = 3, 5
"""Turns needed: with a decision, behind and otherwise each; and turns after one of the opponent's."""


@dataclass(frozen=True)
class HoldValue:
    """The hold value that fits best.

    Args:
        value: the turn total at which the player held, as near as a hold value can say.
        low: the least value that makes the record at least a 25th as likely as the best one: the interval's lower end.
        high: the greatest such value; the target means that the player may have rolled to win.
        early: in what share of the decisions below it the player held, as near as can be said.
        late: in what share of those at it or above the player rolled.
        turns: turns that say something: with a decision in them.
        decisions: of all these turns.
    """

    value: int
    low: int
    high: int
    early: float
    late: float
    turns: int
    decisions: int

    @property
    def tells_little(self) -> bool:
        """Whether the interval is so wide that its upper end is more than twice its lower end."""
        return self.high > 2 * self.low


def hold_value(game: Game, turns: Iterable[RecordedTurn]) -> HoldValue | None:
    """The hold value that fits best to a player's turns, with its interval at 95 %; None if no turn has a decision."""
    histories = [one for one in (ways(game, turn) for turn in turns) if one.decisions]
    return fitted(log_chances(game, histories), histories)


def fitted(logs: Floats32, histories: Sequence[Ways]) -> HoldValue | None:
    """The best hold value by what `log_chances` says of some turns."""
    if not histories:
        return None
    total = logs.sum(axis=0, dtype=np.float64)
    by_value = logsumexp(total, axis=1, b=_WEIGHTS)
    best = np.flatnonzero(by_value >= by_value.max() - 1e-3)
    value = int(best[(len(best) - 1) // 2])
    near = np.flatnonzero(by_value >= by_value.max() - np.log(RATIO))
    early, late = (float(SLIPS[n]) for n in np.unravel_index(total[value].argmax(), (len(SLIPS), len(SLIPS))))
    decisions = sum(one.decisions for one in histories)
    return HoldValue(value + 1, int(near[0]) + 1, int(near[-1]) + 1, early, late, len(histories), decisions)


def log_chances(game: Game, histories: Sequence[Ways]) -> Floats32:
    """How likely the decisions of turns are, by hold value from 1 to T and slips, shape (turns, T, early x late)."""
    known: dict[tuple[bytes, int | None], Floats32] = {}
    rows = np.empty((len(histories), game.target, len(SLIPS) ** 2), dtype=np.float32)
    for row, one in zip(rows, histories, strict=True):
        key = (one.at.tobytes(), one.held)
        if key not in known:
            known[key] = _log_chances(game, one)
        row[:] = known[key]
    return rows


def _log_chances(game: Game, one: Ways) -> Floats32:
    """By how many totals lay below n: the rolls that were right come first, since totals only grow in a turn."""
    values, rolls = np.arange(1, game.target + 1), len(one.at)
    below = np.cumsum(one.at, axis=1)[:, values - 1]  # the chance that the total after each roll lay below n
    reached = np.vstack([np.ones(len(values)), below, np.zeros(len(values))])
    exactly = np.clip(reached[:-1] - reached[1:], 0.0, 1.0)  # that just so many of them did, shape (rolls + 1, T)
    right = np.arange(rolls + 1)
    early = (1 - SLIPS) ** right[:, None]
    late = SLIPS ** (rolls - right)[:, None]
    total = np.einsum("tn,te,tl->nel", exactly, early, late)
    if one.held is not None:
        is_early = (one.held < values)[:, None, None]
        total = total * np.where(is_early, SLIPS[None, :, None], (1 - SLIPS)[None, None, :])
    logs: Floats32 = np.log(np.maximum(total, 1e-37)).reshape(len(values), -1).astype(np.float32)
    return logs


def neutral_values(game: Game) -> tuple[int, int]:
    """The hold values that bring the most points in a turn, the least and the greatest: who holds there is neutral."""
    gain = sum(points * chance for points, chance in game.die)
    if not game.bust:
        return game.target, game.target
    even = gain / game.bust  # the turn total at which a roll loses as much as it gains
    return int(np.ceil(even - 1e-9)), int(np.floor(even + 1e-9)) + 1


@dataclass(frozen=True)
class Course:
    """How scores grow with the turns.

    Args:
        scores: the scores after each turn, a list for each game.
        means: the mean after turn 1, 2, ..., of the games that have so many turns.
        slope: points a turn, of the straight line of least squares through all scores; None with fewer than two turns.
        mean_slope: the same of the line through the means, which is what the report printed.
    """

    scores: tuple[tuple[int, ...], ...]
    means: tuple[float, ...]
    slope: float | None
    mean_slope: float | None


def course(sides: Iterable[tuple[RecordedGame, str]]) -> Course:
    """The course of the scores of one player, or of many: of games, each with the name of the player that is meant."""
    scores = tuple(tuple(turn.score for turn in game.turns_of(player)) for game, player in sides)
    longest = max(map(len, scores), default=0)
    means = tuple(float(np.mean([one[n] for one in scores if len(one) > n])) for n in range(longest))
    points = [(n, score) for one in scores for n, score in enumerate(one, start=1)]
    return Course(scores, means, _slope(points), _slope(list(enumerate(means, start=1))))


def _slope(points: list[tuple[int, int]] | list[tuple[int, float]]) -> float | None:
    turns, scores = np.array(points, dtype=np.float64).reshape(-1, 2).T
    if len(turns) < 2 or np.ptp(turns) == 0:
        return None
    return float(np.polyfit(turns, scores, 1)[0])


@dataclass(frozen=True)
class Behind:
    """How a player plays when behind.

    Args:
        behind: the hold value of the turns that began behind.
        otherwise: of those that began level or ahead.
        p: how often hold values are as far apart, or farther, when it is drawn by lot which turns were behind.
        verdict: `more`, `less`, or `open`, where that is not rare.
    """

    behind: HoldValue
    otherwise: HoldValue
    p: float
    verdict: str


def when_behind(game: Game, turns: Sequence[RecordedTurn]) -> Behind:
    """Whether a player holds at other totals when behind."""
    if any(turn.opponent is None for turn in turns):
        raise InputError("who is behind needs the opponent's turns: the record has one side only.")
    decided = [(turn, one) for turn in turns if (one := ways(game, turn)).decisions]
    behind = np.array([turn.own < (turn.opponent or 0) for turn, _ in decided], dtype=np.bool_)
    if min(behind.sum(), (~behind).sum()) < FEWEST_OF_EACH:
        raise InputError(
            f"{len(behind)} turns with a decision, {behind.sum()} of them begun behind, are too few: "
            f"at least {FEWEST_OF_EACH} of either kind are needed."
        )
    known = [one for _, one in decided]
    logs = log_chances(game, known)
    first, second = (
        fitted(logs[which], [one for one, chosen in zip(known, which, strict=True) if chosen])
        for which in (behind, ~behind)
    )
    assert first is not None
    assert second is not None
    p = _chance(logs, behind)
    verdict = "open" if p >= LEVEL or first.value == second.value else "more" if first.value > second.value else "less"
    return Behind(first, second, p, verdict)


def _chance(logs: Floats32, behind: Bools) -> float:
    """The share of drawn divisions, including this one, that differ at least as much from one common hold value.

    The chances of slips are those that fit to all turns together, which no drawing changes.
    """
    whole = logs.sum(axis=0, dtype=np.float64)
    turns = logs[:, :, whole.max(axis=0).argmax()].astype(np.float64)
    draw = Draw(0, "validation")
    orders = np.array([np.arange(len(turns)), *(draw.at(part=n).permutation(len(turns)) for n in range(SHUFFLES))])
    part = behind[orders].astype(np.float64) @ turns
    gains = part.max(axis=1) + (turns.sum(axis=0) - part).max(axis=1)
    return float(np.mean(gains >= gains[0] - 1e-6))


@dataclass(frozen=True)
class Following:
    """How a player's turns go with the opponent's turns before them.

    Args:
        correlation: of the number of rolls with that of the opponent's turn before, by ranks (Spearman).
        p: how often it is as far from 0, or farther, when the opponent's turns of each game are put in any order.
        turns: how many turns have one of the opponent's before them.
        verdict: `follows`, `goes against`, or `open`, where that is not rare.
    """

    correlation: float
    p: float
    turns: int
    verdict: str


def following(games: Iterable[RecordedGame], player: str) -> Following:
    """Whether a player rolls more often after the opponent has rolled often."""
    both = [game for game in games if game.has_both]
    if not both:
        raise InputError("who follows whom needs the opponent's turns: the record has one side only.")
    pairs = [np.array(_pairs(game, player), dtype=np.float64).reshape(-1, 2) for game in both]
    theirs, own = np.concatenate(pairs).T
    if len(own) < FEWEST_AFTER or np.ptp(own) == 0 or np.ptp(theirs) == 0:
        raise InputError(f"{len(own)} turns after one of the opponent's are too few, or too much alike, to follow.")
    ranks = stats.rankdata(own) - (len(own) + 1) / 2
    others = stats.rankdata(theirs) - (len(own) + 1) / 2
    correlation = _correlation(others, ranks)
    places = np.split(np.arange(len(own)), np.cumsum([len(pair) for pair in pairs])[:-1])
    draw = Draw(1, "validation")
    orders = (
        np.concatenate([place[draw.at(pair=n, part=m).permutation(len(place))] for m, place in enumerate(places)])
        for n in range(SHUFFLES)
    )
    rarer = sum(abs(_correlation(others[order], ranks)) >= abs(correlation) - 1e-12 for order in orders)
    p = (1 + rarer) / (1 + SHUFFLES)
    verdict = "open" if p >= LEVEL else "follows" if correlation > 0 else "goes against"
    return Following(correlation, p, len(own), verdict)


def _pairs(game: RecordedGame, player: str) -> list[tuple[int, int]]:
    """The opponent's rolls, and the player's own in the turn after."""
    return [
        (before.rolls, turn.rolls)
        for before, turn in zip(game.turns, game.turns[1:], strict=False) if turn.player == player
    ]  # fmt: skip


def _correlation(a: Floats, b: Floats) -> float:
    return float((a * b).sum() / np.sqrt((a**2).sum() * (b**2).sum()))


@dataclass(frozen=True)
class RuleErrors:
    """What a player did who was asked to play by a rule.

    Args:
        rule: its text.
        decisions: how often the player could roll or hold, in turns whose dice are recorded and whose scores are known.
        early: how often the player held where the rule rolls.
        late: how often the player rolled where the rule holds.
        left_out: turns without dice, or without the opponent's score.
        low, high: the interval (95 %) of the share of errors, as if each decision were an error with the same chance,
            whatever came before (Clopper & Pearson); None without a decision.
    """

    rule: str
    decisions: int
    early: int
    late: int
    left_out: int
    low: float | None
    high: float | None

    @property
    def errors(self) -> int:
        """How many decisions were not the rule's."""
        return self.early + self.late


def rule_errors(game: Game, turns: list[RecordedTurn]) -> tuple[RuleErrors, ...]:
    """The errors of one player's turns, for each rule that the player was asked to play by.

    Args:
        game: the game.
        turns: of one player.
    """
    rules = dict.fromkeys(turn.rule for turn in turns if turn.rule)
    return tuple(_errors(game, rule, [turn for turn in turns if turn.rule == rule]) for rule in rules)


def _errors(game: Game, rule: str, turns: list[RecordedTurn]) -> RuleErrors:
    roll = parse_rule(rule).strategy(game).roll
    known = [turn for turn in turns if turn.dice is not None and turn.opponent is not None]
    made = [
        (bool(roll[turn.own, turn.opponent, total]), rolled)
        for turn in known
        for total, rolled in decisions(game, turn)
    ]
    early, late = (
        sum(rule_rolls is kind and rolled is not kind for rule_rolls, rolled in made) for kind in (True, False)
    )
    low, high = share_interval(early + late, len(made)) if made else (None, None)
    return RuleErrors(rule, len(made), early, late, len(turns) - len(known), low, high)


def decisions(game: Game, turn: RecordedTurn) -> Iterator[tuple[int, bool]]:
    """The turn totals at which a player could roll or hold, each with whether the player rolled.

    Args:
        game: the game, in which the first roll of a turn is no choice unless passing is allowed.
        turn: with its dice.
    """
    total = 0
    for number in range(len(turn.dice or ()) + 1):
        rolled = number < len(turn.dice or ())
        if (total or game.allow_pass) and turn.own + total < game.target:
            yield total, rolled
        if rolled and turn.dice:
            if not turn.dice[number]:
                return
            total += turn.dice[number]
