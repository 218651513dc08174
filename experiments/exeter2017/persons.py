"""Figures 7 to 14, whose data are not printed: drawn from simulated players, and what so many people can tell.

Each player holds at a value that fits the stated preference, holds early and rolls late at times, and does not look
at the opponent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import pigevo
from pigevo.core.arrays import Floats
from pigevo.dice import Draw
from pigevo.figures.axes import figure_of
from pigevo.figures.people import games_data, plot_games, plot_mean_scores, plot_scores, scores_data
from pigevo.games import Game
from pigevo.people import Analysis, People, Person, analyse, recorded_game, turn_cost, write_people
from pigevo.people.pairings import pairings
from pigevo.simulation.stepwise import play_turns

from ..common import tables

HOLDS = {"averse": 14, "neutral": 20, "seeking": 27}
EARLY, LATE = 0.08, 0.2
GAMES, REPEATS = 15, 60
LATE_TURNS = (15, 16)
"""Where the report's means lie below the line, which it takes for panic."""

MOST_TURNS = 2_000


def simulated(game: Game, seed: int) -> People:
    """Fifteen games of thirty simulated players, ten of each preference, recorded as the form does: without dice."""
    players = {preference: _player(game, n) for preference, n in HOLDS.items()}
    persons, games = [], []
    for number in range(1, GAMES + 1):
        preferences = _pair(number)
        names = tuple(f"{number}{side}" for side in "ab")
        persons += [Person(name, preference) for name, preference in zip(names, preferences, strict=True)]
        first, second = (players[preference] for preference in preferences)
        turns = play_turns(first, second, Draw(seed, "validation").at(part=number), MOST_TURNS)
        games.append(recorded_game(str(number), names, turns, dice=False))
    return People(game, tuple(persons), tuple(games))


def _pair(number: int) -> tuple[str, str]:
    """Who meets in a game: each preference ten times, and in games 11 and 14 those who met there in the report."""
    if 7 <= number <= 11:
        return "seeking", "neutral"
    return ("averse", "seeking") if number <= 5 else ("averse", "neutral")


def _player(game: Game, n: int) -> pigevo.Strategy:
    return pigevo.Strategy.from_function(
        game, lambda i, j, k: 1 - EARLY if k < n else LATE, f"holds about {n}", mixed=True
    )


def slopes(game: Game, published: Mapping[str, float]) -> str:
    """The slope of the mean scores of each preference, of many such groups, beside the published ones."""
    found: dict[str, list[float]] = {preference: [] for preference in HOLDS}
    late: list[bool] = []
    for seed in range(REPEATS):
        people = simulated(game, seed)
        for preference, mean in scores_data(people).items():
            found[preference].append(mean.mean_slope or 0.0)
            late += _below(mean.means)
    rows: list[tuple[object, ...]] = []
    for preference, n in HOLDS.items():
        rows.append(
            (f"{preference}, holds about {n}", f"{published[preference]:.2f}", *_band(np.array(found[preference])))
        )
    apart = np.array(found["seeking"]) - np.array(found["averse"])
    rows.append(("seeking less averse", f"{published['seeking'] - published['averse']:.2f}", *_band(apart)))
    text = tables.table(["slope of the mean scores, points a turn", "published", "median", "90 % of the groups"], rows)
    order = np.array([found[p] for p in ("averse", "neutral", "seeking")])
    right = (order[0] < order[1]) & (order[1] < order[2])
    more = [
        ("groups", REPEATS),
        ("in which the slopes stand in the order of the risk taken", int(right.sum())),
        ("in which the risk seeking have the largest slope", int((order.argmax(axis=0) == 2).sum())),
        ("means of turns 15 and 16", len(late)),
        ("of them below the line through the turns before", sum(late)),
    ]
    return text + "\n" + tables.table(["fifteen games each", "found"], more)


def _below(means: Sequence[float]) -> list[bool]:
    """Whether the means of the late turns, if so many are played, lie below the line through the means before them."""
    before = min(LATE_TURNS) - 1
    line = np.polyfit(np.arange(1, before + 1), means[:before], 1) if len(means) > before else np.zeros(2)
    return [bool(means[turn - 1] < np.polyval(line, turn) - 1e-9) for turn in LATE_TURNS if turn <= len(means)]


def mirroring(game: Game) -> str:
    """What is said of mirrored play (section 4.2) in many such groups, in which nobody looks at the opponent."""
    groups = (simulated(game, seed) for seed in range(REPEATS))
    found = [pairings(people, _given_away(people)).mirrored_play for people in groups]
    rows: list[tuple[object, ...]] = [
        ("groups", REPEATS),
        ("mean share of games whose rolls go with the turn before",
         f"{np.mean([one.games / (one.games + one.others) for one in found]):.2f}"),
        ("mean difference of what both gave away",
         f"{np.mean([one.difference for one in found if one.difference is not None]):+.4f}"),
        ("called fairer", sum(one.verdict == "less" for one in found)),
        ("called less fair", sum(one.verdict == "more" for one in found)),
        ("undecided", sum(one.verdict == "undecided" for one in found)),
        ("difference in the group that is drawn",
         f"{found[0].difference:+.4f} ({found[0].low:+.4f} to {found[0].high:+.4f})"),
    ]  # fmt: skip
    return tables.table(["mirrored play, fifteen games each", "found"], rows)


def _given_away(people: People) -> dict[tuple[str, str], float]:
    """What each player gave away in each game."""
    return {
        (game.name, player): sum(turn_cost(people.game, turn).mean for turn in game.turns_of(player))
        for game in people.games for player in game.players
    }  # fmt: skip


def _band(values: Floats) -> tuple[str, str]:
    low, middle, high = np.quantile(values, (0.05, 0.5, 0.95)).tolist()
    return f"{middle:.2f}", f"{low:.2f} to {high:.2f}"


def write(folder: Path, people: People, found: Analysis) -> str:
    """Write the record of the group that is drawn, and say what `pigevo people` finds in it."""
    write_people(folder / "people.csv", people)
    rows: list[tuple[object, ...]] = []
    for preference, n in HOLDS.items():
        players = [one for one in found.players if one.person.preference == preference]
        holds = [one.hold for one in players if one.hold is not None]
        inside = sum(hold.low <= n <= hold.high for hold in holds)
        suggested = [sum(one.suggested == other for one in players) for other in (*HOLDS, "open")]
        cost = np.mean([one.cost.mean for one in players if one.cost is not None])
        rows.append((f"{preference}, holds about {n}", len(players), f"{np.median([h.value for h in holds]):g}",
                     f"{inside} of {len(holds)}", f"{np.mean([h.high - h.low for h in holds]):.1f}", *suggested,
                     f"{cost:.4f}"))  # fmt: skip
    verdicts = [("more risk when behind", sum(_is(one.behind, "more") for one in found.players)),
                ("less risk when behind", sum(_is(one.behind, "less") for one in found.players)),
                ("follow the other one", sum(_is(one.following, "follows") for one in found.players)),
                ("go against the other one", sum(_is(one.following, "goes against") for one in found.players)),
                ("players", len(found.players))]  # fmt: skip
    head = ["one game each", "players", "median hold value found", "intervals with the true one", "mean width",
            "suggested averse", "neutral", "seeking", "open", "mean cost of a game"]  # fmt: skip
    return tables.table(head, rows) + "\n" + tables.table(["none of them does, and called so are", "number"], verdicts)


def _is(found: Any, verdict: str) -> bool:
    return found is not None and found.verdict == verdict


SIMULATED = "Simulated players (the report's data are not printed)"


def pictures(people: People) -> dict[str, Figure]:
    """Figures 7 to 14 of a record, by their names."""
    groups, two = scores_data(people), games_data(people, ("14", "11"))
    return {
        "figure_07_09": figure_of(plot_scores(groups, SIMULATED)),
        "figure_10_12": figure_of(plot_mean_scores(groups, SIMULATED)),
        "figure_13_14": figure_of(plot_games(two, SIMULATED)),
    }


def drawn(game: Game) -> tuple[People, Analysis]:
    """The group whose pictures are drawn, and what the record tells of it."""
    people = simulated(game, 0)
    return people, analyse(people)
