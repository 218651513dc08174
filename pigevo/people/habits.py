"""A player's habits, from turns: hold value, scores by turn, risk when behind, following the opponent, keeping a rule.

Estimating the hold value: in the model the player holds at n, but sometimes holds early, below n, or rolls late, at n
or above, each with its own probability. The likelihood of the recorded turns depends only on n and these two
probabilities, because the dice are independent of them; if dice are not recorded, all possible sequences count with
their probabilities. Nothing is known of the two probabilities, so the likelihood of n is the mean over all values of
both from 0 to a half. The estimate is the maximum likelihood value, and its interval contains all values whose
likelihood is at least a 25th of the maximum.

A profile likelihood with a quantile of chi-square does not work: n is an integer, and among many values one fits better
than the true one by luck, the more so the more the slips can explain. Its intervals have too little coverage where
players slip. docs/people.md has a table of both, made by tests/measure_intervals.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.special import logsumexp

from pigevo.core.arrays import Bools, Floats, Floats32, own_errors
from pigevo.core.intervals import share_interval
from pigevo.core.text import counted
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.people.recorded_games import RecordedGame, RecordedTurn, TurnHistory, to_the_target
from pigevo.strategies.rules import parse_rule

_ROOTS = (np.arange(10) + 0.5) / 10

SLIPS = 0.5 * _ROOTS**2
"""The grid of probabilities of a decision against the player's own rule: of holding early, and of rolling late.

It is finer near 0, where a small change matters as much as a large one elsewhere."""

_WEIGHTS = np.outer(_ROOTS, _ROOTS).ravel() / _ROOTS.sum() ** 2  # two probabilities, uniform from 0 to a half

RATIO = 25  # the likelihood ratio at the ends of the interval, calibrated by simulated players

SHUFFLES, SIGNIFICANCE = 999, 0.05
"""The number of random permutations, and the level, of the permutation tests."""

FEWEST_OF_EACH, FEWEST_AFTER = 3, 5
"""The least number of turns with a decision, of those begun behind and of the others; and of turns after one of the
opponent's."""


@dataclass(frozen=True)
class HoldValue:
    """The estimated hold value.

    Args:
        value: the turn total at which the player holds, by maximum likelihood.
        low: the lower end of the interval: the smallest value with at least a 25th of the maximum likelihood.
        high: the largest such value; the target means that the player may have rolled to win.
        early: the estimated share of the decisions below the value in which the player held.
        late: the estimated share of the decisions at the value or above in which the player rolled.
        turns: the number of turns with a decision.
        decisions: the number of decisions in these turns.
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
        """Whether the interval is wide: its upper end is more than twice its lower end."""
        return self.high > 2 * self.low


@own_errors
def hold_value(game: Game, turns: Iterable[RecordedTurn]) -> HoldValue | None:
    """The hold value that best fits a player's turns, with its 95 % interval; None if no turn has a decision."""
    histories = [history for history in (to_the_target(game, turn) for turn in turns) if history.decisions]
    return fitted(log_chances(game, histories), histories)


def fitted(logs: Floats32, histories: Sequence[TurnHistory]) -> HoldValue | None:
    """The best hold value, given the `log_chances` of some turns."""
    if not histories:
        return None
    total = logs.sum(axis=0, dtype=np.float64)
    by_value = logsumexp(total, axis=1, b=_WEIGHTS)
    best = np.flatnonzero(by_value >= by_value.max() - 1e-3)
    value = int(best[(len(best) - 1) // 2])
    near = np.flatnonzero(by_value >= by_value.max() - np.log(RATIO))
    early, late = (float(SLIPS[n]) for n in np.unravel_index(total[value].argmax(), (len(SLIPS), len(SLIPS))))
    decisions = sum(history.decisions for history in histories)
    return HoldValue(value + 1, int(near[0]) + 1, int(near[-1]) + 1, early, late, len(histories), decisions)


def log_chances(game: Game, histories: Sequence[TurnHistory]) -> Floats32:
    """Log-likelihoods of decisions in turns, by hold value from 1 to T and slips, shape (turns, T, early x late)."""
    known: dict[tuple[bytes, int | None], Floats32] = {}
    rows = np.empty((len(histories), game.target, len(SLIPS) ** 2), dtype=np.float32)
    for row, history in zip(rows, histories, strict=True):
        key = (history.at.tobytes(), history.held)
        if key not in known:
            known[key] = _log_chances(game, history)
        row[:] = known[key]
    return rows


def _log_chances(game: Game, history: TurnHistory) -> Floats32:
    """The log-likelihoods of a turn for each n: a roll below n is right, and one at n or above late.

    Since totals only grow, the right rolls come first.
    """
    values, rolls = np.arange(1, game.target + 1), len(history.at)
    below = np.cumsum(history.at, axis=1)[:, values - 1]  # the chance that the total after each roll lay below n
    reached = np.vstack([np.ones(len(values)), below, np.zeros(len(values))])
    # the chance that exactly the first r totals lay below n, shape (rolls + 1, T)
    exactly = np.clip(reached[:-1] - reached[1:], 0.0, 1.0)
    right = np.arange(rolls + 1)
    early = (1 - SLIPS) ** right[:, None]
    late = SLIPS ** (rolls - right)[:, None]
    total = np.einsum("tn,te,tl->nel", exactly, early, late)
    if history.held is not None:
        is_early = (history.held < values)[:, None, None]
        total = total * np.where(is_early, SLIPS[None, :, None], (1 - SLIPS)[None, None, :])
    logs: Floats32 = np.log(np.maximum(total, 1e-37)).reshape(len(values), -1).astype(np.float32)
    return logs


def neutral_values(game: Game) -> tuple[int, int]:
    """The smallest and the largest hold value of a neutral player, who wants the most expected points in a turn.

    They are the smallest turn total at which one more throw loses at least as much on average as it adds, and the
    smallest at which it loses more: 20 and 21 in Pig. A whole score that a throw can lose is not counted. In a game to
    fewer points both are the target: that player never holds before winning.
    """
    if not game.bust:
        return game.size, game.size
    gain = sum(throw.points * throw.chance for throw in game.effective_throws)  # what a lost turn scores included
    even = gain / game.bust  # the turn total at which a throw loses as much as it adds
    low, high = int(np.ceil(even - 1e-9)), int(np.floor(even + 1e-9)) + 1
    return min(low, game.size), min(high, game.size)


@dataclass(frozen=True)
class ScoreGrowth:
    """The growth of scores with the turns.

    Args:
        scores: the scores after each turn, a list for each game.
        means: the mean after turn 1, 2, ..., over the games that have this turn.
        slope: points a turn, from a least-squares line through all scores; None with fewer than two turns.
        mean_slope: the same from a line through the means, as printed in the report.
    """

    scores: tuple[tuple[int, ...], ...]
    means: tuple[float, ...]
    slope: float | None
    mean_slope: float | None


def score_growth(sides: Iterable[tuple[RecordedGame, str]]) -> ScoreGrowth:
    """The course of the scores of one or many players, given games with the player's name."""
    scores = tuple(tuple(turn.score for turn in game.turns_of(player)) for game, player in sides)
    longest = max(map(len, scores), default=0)
    means = tuple(float(np.mean([course[n] for course in scores if len(course) > n])) for n in range(longest))
    points = [(n, score) for course in scores for n, score in enumerate(course, start=1)]
    return ScoreGrowth(scores, means, _slope(points), _slope(list(enumerate(means, start=1))))


def _slope(points: list[tuple[int, int]] | list[tuple[int, float]]) -> float | None:
    turns, scores = np.array(points, dtype=np.float64).reshape(-1, 2).T
    if len(turns) < 2 or np.ptp(turns) == 0:
        return None
    return float(np.polyfit(turns, scores, 1)[0])


@dataclass(frozen=True)
class Behind:
    """A player's risk when behind.

    Args:
        behind: the hold value in turns that began behind.
        otherwise: the hold value in turns that began level or ahead.
        p: the share of random divisions of the turns to which two hold values fit at least as much better than one.
        verdict: `more`, `less`, or `open` if the difference is not significant.
    """

    behind: HoldValue
    otherwise: HoldValue
    p: float
    verdict: str


@own_errors
def when_behind(game: Game, turns: Sequence[RecordedTurn]) -> Behind:
    """Test whether a player holds at other totals when behind."""
    if any(turn.opponent is None for turn in turns):
        raise InputError("who is behind needs the opponent's turns: the record has one side only.")
    decided = [(turn, history) for turn in turns if (history := to_the_target(game, turn)).decisions]
    behind = np.array([turn.own < (turn.opponent or 0) for turn, _ in decided], dtype=np.bool_)
    if min(behind.sum(), (~behind).sum()) < FEWEST_OF_EACH:
        raise InputError(
            f"{counted(len(behind), 'turn')} with a decision, {behind.sum()} begun behind: too few, at least "
            f"{FEWEST_OF_EACH} of either kind are needed."
        )
    known = [history for _, history in decided]
    logs = log_chances(game, known)
    first, second = (
        fitted(logs[which], [history for history, chosen in zip(known, which, strict=True) if chosen])
        for which in (behind, ~behind)
    )
    assert first is not None
    assert second is not None
    p = _permutation_p(logs, behind)
    verdict = "more" if first.value > second.value else "less"
    if p >= SIGNIFICANCE or first.value == second.value:
        verdict = "open"
    return Behind(first, second, p, verdict)


def _permutation_p(logs: Floats32, behind: Bools) -> float:
    """The share of random divisions, including this one, that deviate at least as much from one common hold value.

    The probabilities of slips are those estimated from all turns together, which do not depend on the division.
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
    """The relation of a player's turns to the opponent's turns before them.

    Args:
        correlation: the rank correlation (Spearman) of the number of rolls with that in the opponent's previous turn.
        p: the share of random orders of the opponent's turns in each game for which it is at least as far from 0.
        turns: the number of turns after a turn of the opponent's.
        verdict: `follows`, `goes against`, or `open` if the correlation is not significant.
    """

    correlation: float
    p: float
    turns: int
    verdict: str


@own_errors
def following(games: Iterable[RecordedGame], player: str) -> Following:
    """Test whether a player rolls more often after the opponent has rolled often."""
    both = [game for game in games if game.has_both]
    if not both:
        raise InputError("who follows whom needs the opponent's turns: the record has one side only.")
    pairs = [np.array(_pairs(game, player), dtype=np.float64).reshape(-1, 2) for game in both]
    theirs, own = np.concatenate(pairs).T
    if len(own) < FEWEST_AFTER or np.ptp(own) == 0 or np.ptp(theirs) == 0:
        raise InputError(
            f"{counted(len(own), 'turn')} after one of the opponent's: too few, or too much alike, to tell."
        )
    ranks = stats.rankdata(own) - (len(own) + 1) / 2
    their_ranks = stats.rankdata(theirs) - (len(own) + 1) / 2
    correlation = _correlation(their_ranks, ranks)
    indices_of_pairs = np.split(np.arange(len(own)), np.cumsum([len(pair) for pair in pairs])[:-1])
    draw = Draw(1, "validation")
    orders = (
        np.concatenate(
            [indices[draw.at(pair=n, part=m).permutation(len(indices))] for m, indices in enumerate(indices_of_pairs)]
        )
        for n in range(SHUFFLES)
    )
    rarer = sum(abs(_correlation(their_ranks[order], ranks)) >= abs(correlation) - 1e-12 for order in orders)
    p = (1 + rarer) / (1 + SHUFFLES)
    verdict = "open" if p >= SIGNIFICANCE else "follows" if correlation > 0 else "goes against"
    return Following(correlation, p, len(own), verdict)


def _pairs(game: RecordedGame, player: str) -> list[tuple[int, int]]:
    return [
        (before.rolls, turn.rolls)
        for before, turn in zip(game.turns, game.turns[1:], strict=False) if turn.player == player
    ]  # fmt: skip


def _correlation(a: Floats, b: Floats) -> float:
    return float((a * b).sum() / np.sqrt((a**2).sum() * (b**2).sum()))


@dataclass(frozen=True)
class RuleErrors:
    """The errors of a player who was asked to play by a rule.

    Args:
        rule: its text.
        decisions: the number of decisions in turns with recorded dice and known scores.
        early: the number of holds where the rule rolls.
        late: the number of rolls where the rule holds.
        left_out: the number of turns without dice, or without the opponent's score.
        low, high: the 95 % interval of the share of errors, if errors are independent and equally likely (Clopper &
            Pearson); None without a decision.
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
        """The number of decisions that differ from the rule."""
        return self.early + self.late


def rule_errors(game: Game, turns: list[RecordedTurn]) -> tuple[RuleErrors, ...]:
    """The errors of one player's turns, for each rule that the player was asked to play by.

    Args:
        game: the game.
        turns: the turns of one player.
    """
    rules = dict.fromkeys(turn.rule for turn in turns if turn.rule)
    return tuple(_errors(game, rule, [turn for turn in turns if turn.rule == rule]) for rule in rules)


def _errors(game: Game, rule: str, turns: list[RecordedTurn]) -> RuleErrors:
    roll = parse_rule(rule).strategy(game).roll
    known = [turn for turn in turns if turn.dice is not None and turn.opponent is not None]
    pairs = [
        (bool(roll[turn.own, turn.opponent, total]), rolled)
        for turn in known
        for total, rolled in decisions(game, turn)
    ]
    early, late = (
        sum(rule_rolls is kind and rolled is not kind for rule_rolls, rolled in pairs) for kind in (True, False)
    )
    low, high = share_interval(early + late, len(pairs)) if pairs else (None, None)
    return RuleErrors(rule, len(pairs), early, late, len(turns) - len(known), low, high)


def decisions(game: Game, turn: RecordedTurn) -> Iterator[tuple[int, bool]]:
    """The turn totals at which a player had a choice, each with whether the player rolled.

    Args:
        game: the game, in which the first roll of a turn is no choice unless passing is allowed.
        turn: a turn with its dice.
    """
    total = 0
    for number in range(len(turn.dice or ()) + 1):
        rolled = number < len(turn.dice or ())
        if (total or game.allow_pass) and turn.own + total < game.size:
            yield total, rolled
        if rolled and turn.dice:
            if not turn.dice[number]:
                return
            total += turn.dice[number]
