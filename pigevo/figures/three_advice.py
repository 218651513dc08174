"""Advice for three players: where to hold at typical scores, and the cost of playing the two-player optimum instead."""

from __future__ import annotations

from dataclasses import dataclass

from pigevo.core.checked_values import JsonObject
from pigevo.figures.character import Hold, does_in_words, hold_of_turn, holds_table, place_in_words
from pigevo.three_player.lifted_optimum import lifted, lifted_loss
from pigevo.three_player.solver import ThreeSolution
from pigevo.three_player.strategy import Strategy

PLACES = {
    "at the start": (0.0, 0.0, 0.0),
    "all level, early": (0.25, 0.25, 0.25), "all level, halfway": (0.5, 0.5, 0.5),
    "all level, near the end": (0.85, 0.85, 0.85),
    "leads": (0.6, 0.3, 0.3), "follows, the leader moves next": (0.3, 0.6, 0.3),
    "follows, the leader moves last": (0.3, 0.3, 0.6),
    "leads late": (0.75, 0.5, 0.5), "follows late, the leader moves next": (0.5, 0.75, 0.5),
    "follows late, the leader moves last": (0.5, 0.5, 0.75),
    "level with the leader, who moves next": (0.7, 0.7, 0.4), "behind two": (0.4, 0.7, 0.7),
}  # fmt: skip
"""Typical scores of the player to move, the next and the third player, as shares of the target."""

LEADER = "leader"


@dataclass(frozen=True)
class TypicalHolds:
    """The decisions of a strategy for three players at typical scores.

    Args:
        name: the name of the strategy.
        holds: where it holds; `at` contains the scores of the player to move (`own`), the next and the third player.
        level: the lowest score from which on it rolls until it has won whenever all three have the same score.
    """

    name: str
    holds: tuple[Hold, ...]
    level: int


@dataclass(frozen=True)
class Advice:
    """Where to hold in a game of three players.

    Args:
        game: the game, as text.
        strategies: the equilibrium, and the two-player optimum played against the leader alone.
        loses: the exact loss of the two-player optimum compared with the equilibrium in the first, second and third
            seat, against two players of the equilibrium, in win probability.
    """

    game: str
    strategies: tuple[TypicalHolds, TypicalHolds]
    loses: tuple[float, float, float]


def advice_data(solution: ThreeSolution) -> Advice:
    """Where to hold in an equilibrium of three players, and the cost of the two-player optimum against the leader."""
    two_player = lifted(solution.game, LEADER)
    first, second, third = lifted_loss(solution, LEADER)[-1].tolist()
    plays = plays_data(solution.strategy), plays_data(two_player)
    return Advice(str(solution.game), plays, (first, second, third))


def plays_data(strategy: Strategy) -> TypicalHolds:
    """The decisions of a strategy for three players at typical scores; a random decision counts as a roll."""
    target = strategy.game.target
    places = {
        place: {
            axis: min(round(share * target), target - 1)
            for axis, share in zip(("own", "next", "third"), shares, strict=True)
        }
        for place, shares in PLACES.items()
    }
    start = _hold(strategy, "at the start", places["at the start"])
    holds = tuple(_hold(strategy, place, at, start.first) for place, at in places.items())
    level = target
    while level > 0 and strategy.decisions[(target - level + 1,) * 3][: target - level + 1].all():
        level -= 1
    return TypicalHolds(strategy.name, holds, level)


def _hold(strategy: Strategy, place: str, at: dict[str, int], start: int | None = None) -> Hold:
    target = strategy.game.target
    needs = target - at["own"], target - at["next"], target - at["third"]
    least = min(points for points, _ in strategy.game.die)  # no turn total lies between 0 and this
    return hold_of_turn(place, at, strategy.decisions[needs][: needs[0]] > 0, least, start)


def describe_advice(record: JsonObject, width: int | None = None) -> list[str]:
    """An `Advice`, given as plain values, as lines of text; its table in the width of a terminal, if there is one."""
    best, two_player = record["strategies"]
    lost = [100 * loss for loss in record["loses"]]
    return [
        *holds_table([best, two_player | {"name": "two-player"}], width),
        "",
        "scores: own score against the scores of the next and the third player; `rolls on`: until it has won",
        *_tendencies(best),
        f"All level, it rolls until it has won {_from(best)}, the two-player optimum {_from(two_player)}.",
        "",
        "two-player: the optimum for two, played against the leader alone. Instead of the equilibrium it costs "
        f"{sum(lost) / 3:z.2f} percentage points of win probability, by seat "
        f"{', '.join(f'{p:z.2f}' for p in lost)}, exactly, while the two others play the equilibrium.",
    ]


def _from(strategy: JsonObject) -> str:
    return f"from {strategy['level']} points each on" if strategy["level"] else "from the start"


def _tendencies(strategy: JsonObject) -> list[str]:
    """One sentence about the effect of leading and following, if there is any."""
    of = {hold["place"]: hold for hold in strategy["holds"]}
    places = [of[p] for p in ("leads", "follows, the leader moves next", "follows, the leader moves last")]
    leads, soon, late = (does_in_words(hold["first"]) for hold in places)
    if leads == soon == late == does_in_words(of["all level, halfway"]["first"]):
        return []
    ahead, follows, _ = (place_in_words(hold["at"]) for hold in places)
    behind = soon if soon == late else f"{soon} if the leader moves next and {late} if last"
    return [f"Ahead ({ahead}) it {leads}; behind the leader ({follows}) it {behind}."]
