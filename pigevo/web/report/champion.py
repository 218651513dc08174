"""A champion in a report: what it does, in figures and pictures, beside the optimum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pigevo.core.text import percent
from pigevo.errors import InputError
from pigevo.figures.axes import figure_of
from pigevo.figures.character import Beside, Character, Hold, beside_data, character_data
from pigevo.figures.portrait import Portrait, plot_portrait, portrait_data
from pigevo.web.drawing import drawn, picture
from pigevo.web.html import Html, Part, table, tag
from pigevo.web.report.parts import note, share, words

if TYPE_CHECKING:
    from pigevo.strategies import Strategy

BYTES_A_CELL = 48
"""Memory for each cell of a strategy, with how often play comes there."""

RESOLUTION = {"map": 90, "surface": 85, "difference": 100}
"""Dots per inch of each picture: all three together are about half a megabyte."""


def champion_part(champion: Strategy) -> list[Html]:
    """What a champion does, how good it is, and its pictures beside the optimum's."""
    from pigevo.core.memory import refuse_more
    from pigevo.exact import optimal

    game = champion.game
    refuse_more(BYTES_A_CELL * game.cells, f"a look at a strategy for {game}", "choose a smaller target or cap")
    best = optimal(game).strategy
    ours, theirs = character_data(champion), character_data(best)
    beside = beside_data(champion, best) if champion != best else None
    return [_figures(ours, beside), _holds(ours, theirs), *pictures(champion, best, _holds_sentence(ours, theirs))]


def pictures(champion: Strategy, best: Strategy, said: str) -> list[Html]:
    """The boundary map, the surface and the map of differences; or why there is none.

    Args:
        champion: the strategy.
        best: the optimum.
        said: what the pictures show, in figures.
    """
    try:
        portrait = portrait_data([champion, best])
    except InputError as error:
        return [note(f"There is no picture: {error}")]
    x, y = portrait.shown[0].axes
    told = {
        "map": (
            f"Two maps over {x} and {y}: the turn total at which {champion.name} first holds, and beside it the "
            f"same of the optimum. {said}",
            "Where each first holds. Yellow: it rolls on to a high turn total; blue: it holds early.",
        ),
        "surface": (
            f"The same two strategies as landscapes over {x} and {y}; the height is the turn total at which each "
            f"first holds. {said}",
            "The surface: below it the strategy rolls, above it the strategy holds.",
        ),
        "difference": (
            f"A map over {x} and {y} of how many decisions a game {champion.name} makes otherwise than the optimum.",
            "Where they differ, the darker the more often play comes there.",
        ),
    }
    return [_picture(portrait, view, label, caption) for view, (label, caption) in told.items()]


def _picture(portrait: Portrait, view: str, label: str, caption: str) -> Html:
    with drawn():
        shown = picture(figure_of(plot_portrait(portrait, view)), label, RESOLUTION[view])  # type: ignore[arg-type]
    return tag("figure", shown, tag("figcaption", caption), class_=view)


def _figures(one: Character, beside: Beside | None) -> Html:
    said: list[Part] = [
        f"It wins {share(one.overall)} against the optimum, exactly: {share(one.first)} moving first, "
        f"{share(one.second)} second."
    ]
    if one.exploitability is not None and one.best_response is not None:
        said.append(
            f" Its best response wins {share(one.best_response)} against it, so that its exploitability is "
            f"{max(one.exploitability, 0.0):.4f}."
        )
    if beside is not None:
        said.append(
            f" It decides otherwise than the optimum in {percent(beside.decisions)} of its decisions in play, and in "
            f"{percent(beside.cells)} of all cells."
        )
    return words(*said)


def _holds(ours: Character, theirs: Character) -> Html:
    rows = [
        [hold.place, _place(hold), _total(hold), _total(other)]
        for hold, other in zip(ours.holds, theirs.holds, strict=True)
    ]
    caption = "The turn total at which each first holds"
    shown = table(["where", "scores", "the champion", "the optimum"], rows, caption, words=2)
    if not ours.gap_places:
        return shown
    gaps = note(
        f"At {percent(ours.gap_places)} of the scores the champion rolls again above a turn total at which it holds; "
        f"{percent(ours.gap_decisions)} of its decisions in play are such."
    )
    return tag("div", shown, gaps)


def _place(hold: Hold) -> str:
    """`50 to 50`, or in a game of turns `5 left, lead 20`."""
    at = hold.at
    scores = f"{at['own']} to {at['opponent']}" if "own" in at else f"lead {at.get('difference', 0)}"
    return f"{at['left']} left, {scores}" if "left" in at else scores


def _total(hold: Hold) -> str:
    return "rolls on" if hold.first is None else "passes" if hold.first == 0 else str(hold.first)


def _holds_sentence(ours: Character, theirs: Character) -> str:
    def listed(holds: Sequence[Hold]) -> str:
        return ", ".join(f"{hold.place} {_total(hold)}" for hold in holds)

    return f"The champion: {listed(ours.holds)}. The optimum: {listed(theirs.holds)}."
