"""The analysis of recorded games, for each player and for whole games, and the cost of each turn.

The cost of a decision is the value of the better choice minus the value of the choice made, if all later decisions are
optimal. The cost of a turn is the win probability given away, the sum over its decisions; the results of the dice are
luck and cost nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from pigevo.core.arrays import Floats, own_errors
from pigevo.core.machine import byte_lru_cache
from pigevo.errors import InputError
from pigevo.exact import optimal, state_values
from pigevo.games import Game
from pigevo.people.habits import (
    Behind,
    Following,
    HoldValue,
    RuleErrors,
    ScoreGrowth,
    following,
    hold_value,
    neutral_values,
    rule_errors,
    score_growth,
    when_behind,
)
from pigevo.people.pairings import Pairings, pairings, winner_of
from pigevo.people.recorded_games import (
    PREFERENCES,
    People,
    Person,
    RecordedGame,
    RecordedTurn,
    TurnHistory,
    history_of,
)

DIFFERS = 1e-12  # decisions with a smaller cost than this count as optimal


@dataclass(frozen=True, eq=False)
class Worths:
    """The values of rolling and holding in every state between optimal players, by (i, j, k), of the game's shape."""

    roll: Floats
    hold: Floats

    def costs(self, *scores: int) -> tuple[Floats, Floats]:
        """The costs of rolling and of holding by turn total, for all scores or for one pair of scores."""
        gained = self.roll[scores] - self.hold[scores]
        return np.maximum(-gained, 0.0), np.maximum(gained, 0.0)


@dataclass(frozen=True)
class Cost:
    """The cost of a turn, or of several, in win probability: the mean, smallest and largest over the possible dice.

    `differed` is the expected number of turns with a decision that was not the optimum's, for a single turn the chance
    of one. If the dice are recorded, all are exact.
    """

    mean: float
    least: float
    most: float
    differed: float


@byte_lru_cache(lambda _, worths: worths.roll.nbytes + worths.hold.nbytes)
def worths_of(game: Game) -> Worths:
    """The values of all decisions; the optimum is computed once for each game."""
    best = optimal(game)
    target, size, waiting = game.target, game.size, 1.0 - best.values.T  # the values after a turn, by own score
    later = np.ones((target, target, size + max(points for points, _ in game.die)))
    later[:, :, :size] = state_values(best.strategy, best.strategy)
    lost = game.bust * waiting
    roll = lost[:, :, None] + sum(p * later[:, :, g : g + size] for g, p in game.die)
    own = np.add.outer(np.arange(target), np.arange(size))
    hold = np.where(own[:, :, None] >= target, 1.0, waiting[np.minimum(own, target - 1)])
    return Worths(roll, hold.transpose(0, 2, 1))


def turn_cost(game: Game, turn: RecordedTurn) -> Cost:
    """The cost of a turn; a turn without the opponent's score is refused."""
    if turn.opponent is None:
        raise InputError("what a turn cost needs the opponent's turns: the record has one side only.")
    rolls, holds = worths_of(game).costs(turn.own, turn.opponent)
    if turn.rolls == 0:
        return _certain(float(holds[0]))
    history = history_of(game, turn)
    last = float(holds[history.held]) if history.held is not None else 0.0
    if turn.dice is not None or not len(history.at):
        return _certain(float((history.at @ rolls).sum()) + last)
    least, most = (_extreme(game, turn, history, rolls, which) + last for which in (np.minimum, np.maximum))
    same = 0.0 if last > DIFFERS else _as_the_optimum(game, history, rolls)
    return Cost(float((history.at @ rolls).sum()) + last, least, most, 1.0 - same)


def _certain(cost: float) -> Cost:
    return Cost(cost, cost, cost, float(cost > DIFFERS))


def _extreme(game: Game, turn: RecordedTurn, history: TurnHistory, rolls: Floats, better: np.ufunc) -> float:
    """The smallest or the largest sum of the costs of rolling, over the possible sequences of dice."""
    worst = np.inf if better is np.minimum else -np.inf
    sums = np.where(np.arange(game.size) == 0, 0.0, worst)
    for fits in history.at:
        reached = np.full(game.size, worst)
        for points, _ in game.die:
            if points < game.size:
                reached[points:] = better(reached[points:], sums[: game.size - points])
        sums = np.where(fits > 0, reached + rolls, worst)
    return float(better.reduce(sums))


def _as_the_optimum(game: Game, history: TurnHistory, rolls: Floats) -> float:
    """The chance that the optimum would have made every roll of the turn."""
    good = rolls <= DIFFERS
    stand = np.where(np.arange(game.size) == 0, 1.0, 0.0)
    for _ in history.at:
        following = np.zeros(game.size)
        for points, chance in game.die:
            following[points:] += chance * stand[: max(0, game.size - points)]
        stand = np.where(good, following, 0.0)
    whole = float((history.before[-1] * history.after[-1]).sum())
    return min(1.0, float((stand * history.after[-1]).sum()) / whole)


T = TypeVar("T")


@dataclass(frozen=True)
class CostlyTurn:
    """A turn that differed, or may have differed, from the optimum, with the name of its game."""

    game: str
    turn: RecordedTurn
    cost: Cost


@dataclass(frozen=True)
class Habits:
    """The habits of one player.  Figures that cannot be computed from the record are None; `refused` has the reasons.

    Args:
        person: the player, with the answers on the form.
        games: the number of games played.
        turns: the number of turns played.
        course: the score by turn, with its slope.
        hold: the hold value that fits best.
        suggested: the risk preference that this suggests: averse or seeking if the whole interval lies below or above
            the hold values of a neutral player, neutral if it contains them, open if it contains them only because
            there are few data.
        answered: the preference that questions 2 and 3 suggest, if both were answered: two sure sums are averse, two
            gambles seeking, one of each neutral.
        costly: the turns that differed from the optimum, in the order of the file.
        cost: the cost of all turns, in win probability.
        judged: the number of turns in `cost`; games recorded from one side only are left out.
        behind: whether the player takes more risk when behind.
        following: whether the player's turns follow the opponents'.
        by_rule: the errors under each rule that the player was asked to follow.
        refused: the reasons for figures that are None, by name.
    """

    person: Person
    games: int
    turns: int
    course: ScoreGrowth
    hold: HoldValue | None
    suggested: str | None
    answered: str | None
    costly: tuple[CostlyTurn, ...]
    cost: Cost | None
    judged: int
    behind: Behind | None
    following: Following | None
    by_rule: tuple[RuleErrors, ...]
    refused: dict[str, str]


@dataclass(frozen=True)
class Analysis:
    """The analysis of recorded games: of each player, of all with the same stated preference, and of whole games.

    `neutral` are the smallest and the largest hold value of a neutral player; `without_winner` the names of games of
    two players that nobody has won.
    """

    game: Game
    neutral: tuple[int, int]
    players: tuple[Habits, ...]
    by_preference: dict[str, ScoreGrowth]
    pairings: Pairings
    without_winner: tuple[str, ...] = ()


@own_errors
def analyse(people: People) -> Analysis:
    """Analyse recorded games: each player, all with the same stated preference, and whole games."""
    groups = {
        preference: [
            (game, person.name)
            for person in people.persons if person.preference == preference for game in people.games_of(person.name)
        ]
        for preference in PREFERENCES
    }  # fmt: skip
    courses = {preference: score_growth(sides) for preference, sides in groups.items() if sides}
    habits = tuple(habits_of(people, person) for person in people.persons)
    given_away = defaultdict[tuple[str, str], float](float)
    for habit in habits:
        for costly in habit.costly:
            given_away[costly.game, habit.person.name] += costly.cost.mean
    without_winner = (game.name for game in people.games if game.has_both and not winner_of(game, people.game.target))
    return Analysis(
        people.game, neutral_values(people.game), habits, courses, pairings(people, given_away), tuple(without_winner)
    )  # fmt: skip


def habits_of(people: People, person: Person) -> Habits:
    """The habits of one player, estimated from the records."""
    game, name = people.game, person.name
    games = people.games_of(name)
    turns = [turn for record in games for turn in record.turns_of(name)]
    refused: dict[str, str] = {}
    hold = hold_value(game, turns)
    both = [record for record in games if record.has_both]
    known = [
        (record.name, turn) for record in games for turn in record.turns_of(name) if turn.opponent is not None
    ]  # fmt: skip
    if not known:
        refused["cost"] = f"what a turn cost needs the opponent's turns, and {_only(games, name)}."
    costs = [CostlyTurn(where, turn, turn_cost(game, turn)) for where, turn in known]
    differed = tuple(costly for costly in costs if costly.cost.most > 0 and costly.cost.differed > 0)
    return Habits(
        person=person, games=len(games), turns=len(turns), course=score_growth((record, name) for record in games),
        hold=hold, suggested=suggested_preference(hold, game), answered=answered_preference(person),
        costly=differed, cost=_total(costs), judged=len(known),
        behind=_or_refused("behind", refused, games, name, lambda: when_behind(game, [turn for _, turn in known])),
        following=_or_refused("following", refused, games, name, lambda: following(both, name)),
        by_rule=rule_errors(game, turns), refused=refused,
    )  # fmt: skip


def _only(games: list[RecordedGame], name: str) -> str:
    incomplete = next(game for game in games if not game.has_both)
    return f"game {incomplete.name} has only those of {name}"


def _or_refused(
    figure: str, refused: dict[str, str], games: list[RecordedGame], name: str, find: Callable[[], T]
) -> T | None:
    if not any(game.has_both for game in games):
        question = {"behind": "who is behind", "following": "who follows whom"}[figure]
        refused[figure] = f"{question} needs the opponent's turns, and {_only(games, name)}."
        return None
    try:
        return find()
    except InputError as error:
        refused[figure] = str(error)
        return None


def suggested_preference(hold: HoldValue | None, game: Game) -> str | None:
    """The risk preference that a hold value suggests; see `Habits`."""
    low, high = neutral_values(game)
    if hold is None:
        return None
    if hold.high < low or hold.low > high:
        return "averse" if hold.high < low else "seeking"
    return "open" if hold.tells_little or low == game.size else "neutral"  # there who seeks risk never holds either


def answered_preference(person: Person) -> str | None:
    """The preference that questions 2 and 3 suggest; see `Habits`."""
    answers = {person.question_2, person.question_3}
    if None in answers:
        return None
    return "neutral" if len(answers) == 2 else "averse" if answers == {"a"} else "seeking"


def _total(costs: list[CostlyTurn]) -> Cost | None:
    if not costs:
        return None
    mean, least, most, differed = (
        sum(getattr(costly.cost, of) for costly in costs) for of in ("mean", "least", "most", "differed")
    )
    return Cost(float(mean), float(least), float(most), float(differed))
