"""The report's wish of section 1.5.3, a computer that adapts to its player: what that is worth, and what it costs.

Sittings are simulated, for what the opponent comes to believe depends on the dice. Given what it believes before a
game, what it wins in that game is exact: the mean over its own choice and all dice. So luck is only in the beliefs.
The first opponent believes in a hold value alone. The second has a list of rules that a player may follow, of which
most look at both scores, and the optimum. It compares what they would do with each of the player's decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import logsumexp

import pigevo
from pigevo.core.arrays import Bytes, Floats
from pigevo.core.intervals import mean_interval
from pigevo.core.machine import map_threads
from pigevo.dice import Draw
from pigevo.exact import against, prepare
from pigevo.games import Game
from pigevo.people import (
    MOST_TURNS,
    Belief,
    BestResponses,
    GamePlan,
    RecordedTurn,
    answers_to_holds,
    first_belief,
    learned,
    plan,
    recorded_game,
)
from pigevo.simulation.stepwise import play_turns
from pigevo.strategies.rules import parse_rule

from ..common import tables

SITTINGS, GAMES, EARLY = 20, 20, 5
LIMITS = 0.01, 0.05
SLIP = 0.05
SLIPPING_HOLD, DECOY = 20, 10
RULE = "21+(j-i)/8; race either>=71"


class Sitting(Protocol):
    """What an opponent that adapts believes of one player, from game to game."""

    @property
    def estimate(self) -> float:
        """The belief in one number."""

    def plan(self, seat: int, limit: float) -> GamePlan:
        """What it plays in the next game."""

    def learn(self, turns: Sequence[RecordedTurn]) -> None:
        """Take in the player's turns of a game."""


@dataclass(frozen=True, eq=False)
class Opponent:
    """An opponent that adapts.

    Args:
        game: what it plays.
        answers: the best responses that its plans choose from.
        sitting: begins a sitting, in which it knows nothing of the player.
    """

    game: Game
    answers: Sequence[pigevo.Strategy]
    sitting: Callable[[], Sitting]

    def played(self, answer: int | None) -> pigevo.Strategy:
        """One of the best responses by its number, or the optimum for None."""
        return pigevo.optimal(self.game).strategy if answer is None else self.answers[answer]


@dataclass
class HoldValue:
    """The sitting of pigevo's own opponent, which believes that the player holds at a number.

    Args:
        answers: its best responses.
        belief: about the hold value.
    """

    answers: BestResponses
    belief: Belief

    @property
    def estimate(self) -> float:
        """The hold value."""
        return self.belief.value

    def plan(self, seat: int, limit: float) -> GamePlan:
        """As `pigevo play --adapt` plans."""
        return plan(self.belief, self.answers, seat, limit)

    def learn(self, turns: Sequence[RecordedTurn]) -> None:
        """By Bayes' rule."""
        self.belief = learned(self.belief, turns)


def of_holds(game: Game) -> Opponent:
    """The opponent of `pigevo play --adapt`."""
    answers = answers_to_holds(game)
    return Opponent(game, answers.strategies, lambda: HoldValue(answers, first_belief(game)))


Person = Callable[[int, GamePlan], pigevo.Strategy]
"""How somebody plays game number 0, 1, ... if it knows what the opponent plans, but not which strategy it has drawn."""


@dataclass(frozen=True, eq=False)
class Sittings:
    """Of each sitting and game, shape (sittings, games): what the opponent is expected to win, and believes.

    Args:
        gains: more than the optimum wins against the same player.
        beyond: more than the optimum is sure of against anybody.
        estimates: the hold value that is believed before the game.
    """

    gains: Floats
    beyond: Floats
    estimates: Floats


def persons(opponent: Opponent) -> dict[str, Person]:
    """The players who are met."""
    game = opponent.game
    fixed = {
        **{f"holds at {n}": pigevo.hold_at(game, n) for n in (15, 20, 25)},
        f"holds at {SLIPPING_HOLD}, slips in 5 % of its decisions": slipping(game),
        "keeps pace, ends the race": parse_rule(RULE).strategy(game),
        "optimal": pigevo.optimal(game).strategy,
    }
    drifting = [pigevo.hold_at(game, min(15 + n, game.target)) for n in range(GAMES)]
    decoy, responses = pigevo.hold_at(game, DECOY), dict[int | None, pigevo.Strategy]()

    def knows(_: int, chosen: GamePlan) -> pigevo.Strategy:
        if chosen.answer not in responses:
            responses[chosen.answer] = pigevo.best_response(opponent.played(chosen.answer)).strategy
        return responses[chosen.answer]

    def drifts(n: int, _: GamePlan) -> pigevo.Strategy:
        return drifting[n]

    def deceives(n: int, chosen: GamePlan) -> pigevo.Strategy:
        return decoy if n < EARLY else knows(n, chosen)

    return {
        **{name: always(strategy) for name, strategy in fixed.items()},
        f"drifts: holds at 15, 16, ..., {14 + GAMES}": drifts,
        f"deceives: {EARLY} games as hold at {DECOY}, then knows the plan": deceives,
        "knows the plan from the first game on": knows,
    }


def always(strategy: pigevo.Strategy) -> Person:
    """Somebody who plays the same strategy in every game."""
    return lambda _, __: strategy


def slipping(game: Game) -> pigevo.Strategy:
    """One who holds at 20, and decides otherwise by mistake now and then."""
    roll = np.where(pigevo.hold_at(game, SLIPPING_HOLD).roll, 1 - SLIP, SLIP)
    roll[game.beginning] = 1.0
    return pigevo.Strategy(game, roll, "slipping")


class Referee:
    """Exact win probabilities of the answers and the optimum against a player, shape (answers + 1, 2) by seat."""

    def __init__(self, opponent: Opponent) -> None:
        self._opponent, self._found = opponent, dict[int, tuple[pigevo.Strategy, Floats]]()

    def wins(self, person: pigevo.Strategy) -> Floats:
        """Those against one player; the optimum is the last row."""
        if id(person) not in self._found:
            mine = [*self._opponent.answers, self._opponent.played(None)]
            found = [pigevo.win_probability(strategy, person) for strategy in mine]
            self._found[id(person)] = person, np.array([(won.first, won.second) for won in found])
        return self._found[id(person)][1]


def sit(opponent: Opponent, person: Person, limit: float, numbers: range, workers: int) -> Sittings:
    """Sittings of one player, each with the dice of its number; the seats alternate."""
    referee, best = Referee(opponent), pigevo.optimal(opponent.game)
    sure = best.value, best.second

    def played(number: int) -> list[tuple[float, float, float]]:
        sitting = opponent.sitting()
        rows: list[tuple[float, float, float]] = []
        for n in range(GAMES):
            chosen = sitting.plan(1 - n % 2, limit)
            strategy = person(n, chosen)
            wins = referee.wins(strategy)[:, chosen.seat]
            own = wins[-1] if chosen.answer is None else wins[chosen.answer]
            expected = chosen.share * own + (1 - chosen.share) * wins[-1]
            rows.append((expected - wins[-1], expected - sure[chosen.seat], sitting.estimate))
            responds = Draw(number, "selection", part=n).uniforms(1)[0] < chosen.share
            mine = opponent.played(chosen.answer if responds else None)
            players = (strategy, mine) if chosen.seat else (mine, strategy)
            names = ("person", "other") if chosen.seat else ("other", "person")
            turns = play_turns(*players, Draw(number, "dice", part=n), MOST_TURNS)
            sitting.learn(recorded_game("", names, turns).turns_of("person"))
        return rows

    found = np.array(map_threads(played, numbers, workers))
    return Sittings(*np.moveaxis(found, 2, 0))


def adapting_table(game: Game, workers: int) -> str:
    """What adapting is worth against each player, with intervals over the sittings."""
    opponent, rows = of_holds(game), []
    for limit in LIMITS:
        for name, person in persons(opponent).items():
            found = sit(opponent, person, limit, range(SITTINGS), workers)
            parts = found.gains[:, :EARLY], found.gains[:, EARLY:], found.beyond
            last = np.percentile(found.estimates[:, -1], (0, 50, 100))
            rows.append((f"{limit:g}", name, "{1:g} ({0:g} to {2:g})".format(*last), *map(mean, parts),
                         f"{found.beyond.min():+.4f}"))  # fmt: skip
    head = [
        "limit", "player", f"believed before game {GAMES}", f"gain a game, games 1 to {EARLY}",
        f"gain a game, games {EARLY + 1} to {GAMES}", "a game beyond what the optimum is sure of", "least of any game",
    ]  # fmt: skip
    return tables.table(head, rows)


def mean(values: Floats) -> str:
    """The mean of all games, with a 95 % interval over the sittings."""
    means = values.mean(axis=1)
    low, high = mean_interval(means)
    return f"{means.mean():+.4f}" + (f" ({low:+.4f} to {high:+.4f})" if low is not None and high is not None else "")


HOLDS = range(10, 35 + 1)
BASES, SHARES, RACES = (17, 19, 21, 23), (6, 8, 11), (65, 71, 77)
"""Rules `BASE+(j-i)/SHARE; race either>=RACE`, the form of the published one."""
SLIPS = np.array([0.005, 0.02, 0.08])
CHANGE = 0.02
"""The chance that a player changes to another rule before a game, as the first opponent has it."""
FRESH = 1000
"""The first of the dice of these sittings, with which nothing was tried before."""
ELSEWHERE = "22+(j-i)/7; race 2*own+opponent>=178"
"""A rule that is not among those that it models."""


def rules() -> list[str]:
    """Those that it models, beside the optimum."""
    keep_pace = [f"{base}+(j-i)/{share}; race either>={race}" for base in BASES for share in SHARES for race in RACES]
    return [*map(str, HOLDS), *keep_pace]


@dataclass(frozen=True, eq=False)
class Models:
    """Players that are modelled, the best response to each, and what the responses win.

    Args:
        players: decisions of each, shape (n, T, T, T) in the layout (own, turn total, opponent).
        gains: of each response over the optimum, shape (responses, players, 2), by the opponent's seat.
        losses: the exploitability of each response by seat, shape (responses, 2).
        looking: whether each player looks at both scores, shape (n,).
    """

    players: Bytes
    gains: Floats
    losses: Floats
    looking: Floats


def of_both_scores(game: Game, names: Sequence[str], workers: int) -> Opponent:
    """The opponent that models rules, and the optimum.

    Args:
        game: what it plays.
        names: the rules.
        workers: threads.
    """
    best = pigevo.optimal(game)
    players = [*(parse_rule(name).strategy(game) for name in names), best.strategy]
    answers = [found.strategy for found in map_threads(pigevo.best_response, players, workers)]
    worst = map_threads(pigevo.best_response, answers, workers)
    losses = np.array([best.value, best.second]) - 1 + np.array([(found.second, found.value) for found in worst])
    mine = np.stack([best.strategy.table, *(answer.table for answer in answers)])
    wins = np.stack([against(mine, prepare(player)) for player in players], axis=1)
    looking = np.array([not name.isdecimal() for name in names] + [True], dtype=np.float64)
    models = Models(np.stack([player.table for player in players]), wins[1:] - wins[0], np.maximum(losses, 0), looking)
    return Opponent(game, answers, lambda: Rules(models))


class Rules:
    """A sitting: what the opponent believes of the player's rule and slips.

    Args:
        models: of players.
    """

    def __init__(self, models: Models) -> None:
        self.models = models
        self._prior = np.full((len(models.players), len(SLIPS)), 1 / (len(models.players) * len(SLIPS)))
        self._joint = self._prior

    @property
    def chances(self) -> Floats:
        """The probability of each player that is modelled."""
        return np.asarray(self._joint.sum(axis=1))

    @property
    def estimate(self) -> float:
        """The probability that the player looks at both scores."""
        return float(self.models.looking @ self.chances)

    def plan(self, seat: int, limit: float) -> GamePlan:
        """The response with the largest expected gain, as often as the limit allows, as the first opponent plans."""
        losses, gains = self.models.losses[:, seat], self.models.gains[:, :, seat]
        shares = np.minimum(1.0, limit / np.maximum(losses, 1e-12))
        worths = shares * (gains @ self.chances)
        best = int(worths.argmax())
        if worths[best] <= 0:
            return GamePlan(seat, None, None, 0.0, 0.0, np.zeros(len(gains)), 0.0)
        share = float(shares[best])
        return GamePlan(seat, best, None, share, share * float(losses[best]), share * gains[best], float(worths[best]))

    def learn(self, turns: Sequence[RecordedTurn]) -> None:
        """By Bayes' rule: each decision is another than the rule's with the chance of a slip."""
        states = [state for turn in turns for state in decisions(turn, self.models.players.shape[1])]
        own, total, opponent, rolled = np.array(states, np.int64).reshape(-1, 4).T
        slips = (self.models.players[:, own, total, opponent] != rolled).sum(axis=1, keepdims=True)
        logs = np.log((1 - CHANGE) * self._joint + CHANGE * self._prior)
        logs = logs + slips * np.log(SLIPS) + (len(states) - slips) * np.log1p(-SLIPS)
        self._joint = np.exp(logs - logsumexp(logs))


def decisions(turn: RecordedTurn, target: int) -> Iterator[tuple[int, int, int, int]]:
    """The decisions of a turn whose dice are known: own score, turn total, opponent's score, and 1 for a roll."""
    assert turn.dice is not None
    assert turn.opponent is not None
    totals = np.cumsum(turn.dice).tolist()
    for total in totals[:-1]:
        yield turn.own, total, turn.opponent, 1
    if not turn.is_bust and turn.score < target:
        yield turn.own, totals[-1], turn.opponent, 0


def both_scores_table(game: Game, workers: int) -> str:
    """Both opponents against the same players with the same dice, with intervals over the sittings."""
    opponents = {"a hold value": of_holds(game), "both scores": of_both_scores(game, rules(), workers)}
    rows = []
    for limit in LIMITS:
        for models, opponent in opponents.items():
            elsewhere = {"keeps another pace": always(parse_rule(ELSEWHERE).strategy(game))}
            for name, person in (persons(opponent) | elsewhere).items():
                found = sit(opponent, person, limit, range(FRESH, FRESH + SITTINGS), workers)
                believed = f"{np.median(found.estimates[:, -1]):.2f}"
                rows.append((f"{limit:g}", name, models, believed, mean(found.gains[:, :EARLY]),
                             mean(found.gains[:, EARLY:]), f"{found.beyond.min():+.4f}"))  # fmt: skip
    head = ["limit", "player", "models", f"believed before game {GAMES}", f"gain a game, games 1 to {EARLY}",
            f"gain a game, games {EARLY + 1} to {GAMES}", "least of any game"]  # fmt: skip
    return tables.table(head, rows)
