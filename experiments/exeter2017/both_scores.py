"""A second opponent that adapts: it models how a player looks at both scores.

The opponent of `adapting.py` believes in a hold value alone. This one has a list of rules that a player may follow, of
which most look at both scores, and the optimum. It compares what they would do with each of the player's decisions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

import pigevo
from pigevo.core.arrays import Bytes, Floats
from pigevo.core.machine import map_threads
from pigevo.exact import against, prepare
from pigevo.games import Game
from pigevo.people import GamePlan, RecordedTurn
from pigevo.strategies.rules import parse_rule

from ..common import tables
from .adapting import EARLY, GAMES, LIMITS, SITTINGS, Opponent, always, mean, of_holds, persons, sit

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


def table(game: Game, workers: int, sittings: int = SITTINGS) -> str:
    """Both opponents against the same players with the same dice, with intervals over the sittings."""
    opponents = {"a hold value": of_holds(game), "both scores": of_both_scores(game, rules(), workers)}
    rows = []
    for limit in LIMITS:
        for models, opponent in opponents.items():
            elsewhere = {"keeps another pace": always(parse_rule(ELSEWHERE).strategy(game))}
            for name, person in (persons(opponent) | elsewhere).items():
                found = sit(opponent, person, limit, range(FRESH, FRESH + sittings), workers)
                believed = f"{np.median(found.estimates[:, -1]):.2f}"
                rows.append((f"{limit:g}", name, models, believed, mean(found.gains[:, :EARLY]),
                             mean(found.gains[:, EARLY:]), f"{found.beyond.min():+.4f}"))  # fmt: skip
    head = ["limit", "player", "models", f"believed before game {GAMES}", f"gain a game, games 1 to {EARLY}",
            f"gain a game, games {EARLY + 1} to {GAMES}", "least of any game"]  # fmt: skip
    return tables.table(head, rows)
