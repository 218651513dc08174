"""Scores of people by turn, like figures 7 to 14 of Exeter 2017."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from matplotlib.ticker import MaxNLocator

from pigevo.core.arrays import Ints
from pigevo.core.text import counted
from pigevo.errors import InputError
from pigevo.figures.axes import (
    COLORS,
    WIDTH,
    Given,
    Panels,
    add_caption,
    figure_of,
    grid_of,
    line,
    panels_or_new,
    plain,
    refuse_empty,
    styled,
    write_title,
)
from pigevo.people.habits import ScoreGrowth, score_growth
from pigevo.people.recorded_games import PREFERENCES, People

EACH = "A dot is the score of a player after a turn. A record is one player's turns of one game."

MEAN = """\
The mean score, after each turn, of the players who were still playing, and the least-squares line through the means.
The last means are over few players. A record is one player's turns of one game.\
"""

BOTH = "The scores of both players after each of their turns; the player who moved first is named first."


def scores_data(people: People) -> dict[str, ScoreGrowth]:
    r"""The scores by turn of all players who stated the same preference (Exeter 2017, figures 7 to 12).

    Args:
        people: recorded games.

    Returns:
        The scores by preference, in the order averse, neutral, seeking, then the players who stated none. If no player
        stated a preference, all players are one group.

    Example:
        >>> import pigevo
        >>> from pigevo.people import parse_people
        >>> rows = "game,player,turn,rolls,banked\n1,ann,1,4,22\n1,bob,1,2,0\n1,ann,2,3,13\n"
        >>> scores_data(parse_people(rows, pigevo.Pig()))["all players"].means
        (11.0, 35.0)
    """
    names: dict[str, list[str]] = {}
    for preference in (*PREFERENCES, None):
        players = [person.name for person in people.persons if person.preference == preference]
        if players:
            names[preference or "none stated"] = players
    if list(names) == ["none stated"]:
        names = {"all players": names["none stated"]}
    return {
        group: score_growth((game, player) for player in players for game in people.games_of(player))
        for group, players in names.items()
    }


@styled
def plot_scores(groups: Mapping[str, ScoreGrowth], title: str = "", ax: Given = None) -> Panels:
    """Draw the score of each player after each turn, a panel for each group (Exeter 2017, figures 7 to 9).

    Args:
        groups: result of `scores_data`.
        title: title of a new figure.
        ax: panels, one for each group; by default in a new figure.
    """
    refuse_empty(groups, "group")
    panels = _panels(len(groups), ax, title, EACH)
    for axes, records in zip(panels, groups.values(), strict=True):
        turns = [turn for scores in records.scores for turn in range(1, len(scores) + 1)]
        face = COLORS[0], 0.3 if len(records.scores) < MANY else 0.1
        scores = [*chain.from_iterable(records.scores)]
        axes.plot(turns, scores, "o", mfc=face, mec=COLORS[0], mew=0.7, ms=5)
    return _same_frames(panels, groups)


@styled
def plot_mean_scores(groups: Mapping[str, ScoreGrowth], title: str = "", ax: Given = None) -> Panels:
    """Draw the mean score after each turn with its trend, a panel for each group (Exeter 2017, figures 10 to 12).

    Args:
        groups: result of `scores_data`.
        title: title of a new figure.
        ax: panels, one for each group; by default in a new figure.
    """
    refuse_empty(groups, "group")
    panels = _panels(len(groups), ax, title, MEAN)
    for axes, records in zip(panels, groups.values(), strict=True):
        turns = np.arange(1, len(records.means) + 1)
        axes.plot(turns, records.means, "o", color=COLORS[0], ms=6, label="mean score")
        if records.mean_slope is not None:
            trend = np.mean(records.means) + records.mean_slope * (turns - turns.mean())
            axes.plot(turns, trend, **line(1), label=f"{records.mean_slope:.2f} points a turn")
        axes.legend(frameon=False, loc="lower right")
    return _same_frames(panels, groups)


@dataclass(frozen=True, eq=False)
class GameScores:
    """The scores of a game.

    Args:
        name: the name of the game.
        players: the names of the players with their stated preferences; the player who moved first comes first.
        scores: the scores of each player at the start and after each turn, shape (turns + 1,).
    """

    name: str
    players: tuple[str, ...]
    scores: tuple[Ints, ...]


def games_data(people: People, names: Sequence[str] | None = None) -> list[GameScores]:
    r"""The scores of games by turn (Exeter 2017, figures 13 and 14).

    Args:
        people: recorded games.
        names: the names of the games, in order; by default all games.

    Raises:
        InputError: A game with one of the names does not exist.

    Example:
        >>> import pigevo
        >>> from pigevo.people import parse_people
        >>> rows = "game,player,turn,rolls,banked\n1,ann,1,4,22\n1,bob,1,2,0\n1,ann,2,3,13\n"
        >>> games_data(parse_people(rows, pigevo.Pig()))[0].scores[0].tolist()
        [0, 22, 35]
    """
    stated = {person.name: person.preference for person in people.persons}
    games = {game.name: game for game in people.games}
    if missing := [name for name in names or () if name not in games]:
        raise InputError(f"there is no game {plain(missing[0])} in {people.source}.")
    return [
        GameScores(
            game.name,
            tuple(", ".join(filter(None, [plain(player, LONGEST), stated[player]])) for player in game.players),
            tuple(np.array([0, *(turn.score for turn in game.turns_of(player))]) for player in game.players),
        )
        for game in (people.games if names is None else map(games.__getitem__, names))
    ]


@styled
def plot_games(games: Sequence[GameScores], title: str = "", ax: Given = None) -> Panels:
    """Draw both scores of games after each turn, a panel for each game (Exeter 2017, figures 13 and 14).

    Args:
        games: result of `games_data`, at most as many games as a figure has room for, such as `ON_A_PAGE`.
        title: title of a new figure.
        ax: panels, one for each game; by default in a new figure.
    """
    refuse_empty(games, "game")
    panels = _panels(len(games), ax, title, BOTH, 3.6)
    for axes, game in zip(panels, games, strict=True):
        lines = [
            axes.plot(scores, **line(number), marker="os"[number], ms=4.5)[0]
            for number, scores in enumerate(game.scores)
        ]
        most = max(int(scores.max()) for scores in game.scores)
        write_title(axes, f"game {plain(game.name, LONGEST)}")
        axes.set(ylim=(BELOW * max(most, 1), ROOM * max(most, 1)))
        axes.set_xlim(0, max(len(scores) for scores in game.scores) - 0.5)
        axes.legend(lines, game.players, frameon=False, loc="upper left")
    return panels


ON_A_PAGE = 6  # the number of games that a figure has room for
MANY = 15  # with this number of records or more, dots are paler, because many of them overlap
LONGEST = 28  # characters of a name in a panel
ROOM = 1.45  # the top of a panel divided by its highest score; this leaves room for two names


BELOW = -0.04  # the bottom of a panel divided by its highest score, so that dots at a score of 0 are not cut


def _panels(count: int, ax: Given, title: str, caption: str, height: float = 4.0) -> Panels:
    columns = count if count <= 3 else 2  # three panels of different widths cannot be compared
    wide = (7.0 if count == 1 else WIDTH / columns, height)
    panels = panels_or_new(ax, count, grid_of(count, columns, wide, fill=True))
    if ax is None:
        add_caption(panels[0], caption)
        if title:
            figure_of(panels).suptitle(plain(title))
    for axes in panels:
        axes.set(xlabel="turn", ylabel="score")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return panels


def _same_frames(panels: Panels, groups: Mapping[str, ScoreGrowth]) -> Panels:
    """Set the titles of panels, and the same limits for all of them."""
    longest = max(len(records.means) for records in groups.values())
    most = max(max(map(max, records.scores)) for records in groups.values())
    for axes, (name, records) in zip(panels, groups.items(), strict=True):
        axes.set(title=f"{name}, {counted(len(records.scores), 'record')}")
        axes.set(xlim=(0, longest + 1), ylim=(BELOW * max(most, 1), 1.06 * max(most, 1)))
    return panels
