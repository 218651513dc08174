"""The report's wish of section 1.5.3, a computer that adapts to its player: what that is worth, and what it costs.

Sittings are simulated, for what the opponent comes to believe depends on the dice. Given what it believes before a
game, what it wins in that game is exact: the mean over its own choice and all dice. So luck is only in the beliefs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import pigevo
from pigevo.core.arrays import Floats
from pigevo.core.intervals import mean_interval
from pigevo.core.machine import map_threads
from pigevo.dice import Draw
from pigevo.games import Game
from pigevo.people import (
    MOST_TURNS,
    Answers,
    Plan,
    answers_to_holds,
    first_belief,
    learned,
    plan,
    played_strategy,
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

Person = Callable[[int, Plan], pigevo.Strategy]
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


def persons(game: Game, answers: Answers) -> dict[str, Person]:
    """The players who are met."""
    fixed = {
        **{f"holds at {n}": pigevo.hold_at(game, n) for n in (15, 20, 25)},
        f"holds at {SLIPPING_HOLD}, slips in 5 % of its decisions": slipping(game),
        "keeps pace, ends the race": parse_rule(RULE).strategy(game),
        "optimal": pigevo.optimal(game).strategy,
    }
    drifting = [pigevo.hold_at(game, min(15 + n, game.target)) for n in range(GAMES)]
    decoy, responses = pigevo.hold_at(game, DECOY), dict[int | None, pigevo.Strategy]()

    def knows(_: int, chosen: Plan) -> pigevo.Strategy:
        if chosen.answer not in responses:
            responses[chosen.answer] = pigevo.best_response(played_strategy(chosen.answer, answers)).strategy
        return responses[chosen.answer]

    def drifts(n: int, _: Plan) -> pigevo.Strategy:
        return drifting[n]

    def deceives(n: int, chosen: Plan) -> pigevo.Strategy:
        return decoy if n < EARLY else knows(n, chosen)

    return {
        **{name: _always(one) for name, one in fixed.items()},
        f"drifts: holds at 15, 16, ..., {14 + GAMES}": drifts,
        f"deceives: {EARLY} games as hold at {DECOY}, then knows the plan": deceives,
        "knows the plan from the first game on": knows,
    }


def _always(strategy: pigevo.Strategy) -> Person:
    return lambda _, __: strategy


def slipping(game: Game) -> pigevo.Strategy:
    """One who holds at 20, and decides otherwise by mistake now and then."""
    roll = np.where(pigevo.hold_at(game, SLIPPING_HOLD).roll, 1 - SLIP, SLIP)
    roll[game.beginning] = 1.0
    return pigevo.Strategy(game, roll, "slipping")


class Referee:
    """Exact win probabilities of the answers and the optimum against a player, shape (answers + 1, 2) by seat."""

    def __init__(self, answers: Answers) -> None:
        self._answers, self._found = answers, dict[int, tuple[pigevo.Strategy, Floats]]()

    def wins(self, person: pigevo.Strategy) -> Floats:
        """Those against one player; the optimum is the last row."""
        if id(person) not in self._found:
            mine = [*self._answers.strategies, pigevo.optimal(self._answers.game).strategy]
            found = [pigevo.win_probability(one, person) for one in mine]
            self._found[id(person)] = person, np.array([(one.first, one.second) for one in found])
        return self._found[id(person)][1]


def sit(answers: Answers, person: Person, limit: float, sittings: int, workers: int) -> Sittings:
    """Sittings of one player; the seats alternate."""
    game, referee = answers.game, Referee(answers)
    best = pigevo.optimal(game)
    sure = best.value, best.second

    def one(number: int) -> list[tuple[float, float, float]]:
        belief = first_belief(game)
        rows: list[tuple[float, float, float]] = []
        for n in range(GAMES):
            chosen = plan(belief, answers, 1 - n % 2, limit)
            strategy = person(n, chosen)
            wins = referee.wins(strategy)[:, chosen.seat]
            own = wins[-1] if chosen.answer is None else wins[chosen.answer]
            expected = chosen.share * own + (1 - chosen.share) * wins[-1]
            rows.append((expected - wins[-1], expected - sure[chosen.seat], belief.value))
            responds = Draw(number, "selection", part=n).uniforms(1)[0] < chosen.share
            mine = played_strategy(chosen.answer if responds else None, answers)
            players = (strategy, mine) if chosen.seat else (mine, strategy)
            names = ("person", "other") if chosen.seat else ("other", "person")
            turns = play_turns(*players, Draw(number, "dice", part=n), MOST_TURNS)
            belief = learned(belief, recorded_game("", names, turns).turns_of("person"))
        return rows

    found = np.array(map_threads(one, range(sittings), workers))
    return Sittings(*np.moveaxis(found, 2, 0))


def table(game: Game, workers: int, sittings: int = SITTINGS) -> str:
    """What adapting is worth against each player, with intervals over the sittings."""
    answers, rows = answers_to_holds(game), []
    for limit in LIMITS:
        for name, person in persons(game, answers).items():
            found = sit(answers, person, limit, sittings, workers)
            parts = found.gains[:, :EARLY], found.gains[:, EARLY:], found.beyond
            last = np.percentile(found.estimates[:, -1], (0, 50, 100))
            rows.append((f"{limit:g}", name, "{1:g} ({0:g} to {2:g})".format(*last), *(_mean(one) for one in parts),
                         f"{found.beyond.min():+.4f}"))  # fmt: skip
    head = [
        "limit", "player", f"believed before game {GAMES}", f"gain a game, games 1 to {EARLY}",
        f"gain a game, games {EARLY + 1} to {GAMES}", "a game beyond what the optimum is sure of", "least of any game",
    ]  # fmt: skip
    return tables.table(head, rows)


def _mean(values: Floats) -> str:
    means = values.mean(axis=1)
    low, high = mean_interval(means)
    return f"{means.mean():+.4f}" + (f" ({low:+.4f} to {high:+.4f})" if low is not None and high is not None else "")
