"""The film of a run in a report: a dot for each place in every frame, moved by a slider, or six of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.errors import InputError
from pigevo.figures.decisions import Decisions, decisions_data, drawn_axes
from pigevo.figures.evolving import LEAST
from pigevo.figures.portrait import refuse_undrawable
from pigevo.runs.film import Reel, champions, reel_of
from pigevo.web.drawing import pixels
from pigevo.web.html import Html, tag
from pigevo.web.report.parts import note

if TYPE_CHECKING:
    from pigevo.strategies import Strategy

SECONDS = 60.0
"""Where generations must be made again, and took the run longer, there is a film only if it is asked for."""

KEYS = 6
"""Frames that are seen without a script, and printed."""

DOTS = 100
"""Along each edge of a frame, at most."""


def reel_for(folder: Path, champion: Strategy, asked: bool | None, workers: int) -> tuple[Reel | None, str]:
    """The film that a report shall have; None where it has none, and why.

    Args:
        folder: the run's.
        champion: what it handed over.
        asked: whether the user wants one; None where it is left to how long it takes.
        workers: threads.

    Raises:
        InputError: what a film would be made from is damaged.
    """
    if asked is False:
        return None, "The film was left out, as asked for."
    try:
        refuse_undrawable(champion)
    except InputError as error:
        return None, f"There is no film: {error}"
    reel = reel_of(folder, workers=workers)
    if asked is None and reel.seconds > SECONDS:
        return None, (
            f"The film was left out: its generations must be made again, which took the run {reel.seconds:,.0f} s; "
            "`pigevo report --film` puts it in."
        )
    return reel, ""


def film_part(reel: Reel, best: Strategy, name: str) -> list[Html]:
    """The champions of a run as frames beside the optimum.

    Args:
        reel: of `reel_for`.
        best: the optimum.
        name: which no other film of the page has.

    Raises:
        InputError: a generation made again is not the one that the run has recorded.
    """
    try:
        shots = [_shot(f"generation {number}", champion, best) for number, champion in champions(reel)]
    except InputError as error:
        raise InputError(f"{str(error).rstrip('.')}; --no-film makes the report without its film.") from error
    keys = {round(n * (len(shots) - 1) / (KEYS - 1)) for n in range(KEYS)}
    frames = [_frame(address, title, number in keys) for number, (address, title) in enumerate(shots)]
    goal, shown = _shot("", best, best)[0], decisions_data(best)
    ends = ("first holds at 0", f"{_highest(shown)} and more")
    (x, y), (left, right, low, high) = shown.axes, shown.extent
    return [
        tag(
            "div",
            tag("div", frames, class_="frames"),
            tag("div", _frame(goal, "the optimum", False), class_="goal"),
            _slider(name, [title for _, title in shots]),
            class_="film",
        ),
        tag("div", tag("span", ends[0]), tag("i"), tag("span", ends[1]), class_="bar", aria_hidden="true"),
        note(
            f"The champion of {len(shots)} generations beside the optimum: the turn total at which it first holds, "
            f"with the {x} to the right ({left} to {right - 1}) and the {y} upwards ({low} to {high - 1}), paler where "
            f"play seldom comes. {_from_where(reel)}"
        ),
    ]


def _from_where(reel: Reel) -> str:
    if not reel.missing:
        return "The run has recorded all of them."
    return f"Those of {len(reel.missing)} were made again, and held to the recorded digests."


def _frame(address: str, title: str, key: bool) -> Html:
    label = f"{title}: a map of the turn totals at which it first holds"
    return tag(
        "figure", tag("img", src=address, alt=label), tag("figcaption", title), class_="frame key" if key else "frame"
    )


def _slider(name: str, titles: Sequence[str]) -> Html:
    """What moves the film; it is seen only where scripts are allowed."""
    last = str(len(titles) - 1)
    key = f"{name}-slider"
    return tag(
        "div",
        tag("button", "play", type="button"),
        tag("label", "generation", for_=key),
        tag("input", type="range", id=key, min="0", max=last, value=last, step="1"),
        class_="slider",
        hidden=True,
    )


def _shot(title: str, strategy: Strategy, best: Strategy) -> tuple[str, str]:
    """A strategy in play against the optimum as an image, and what it wins."""
    from pigevo.exact import reach, win_probability

    game, drawn = strategy.game, drawn_axes(strategy.game)
    place = tuple(slice(None) if axis in drawn else 0 for axis in range(len(game.between)))
    turns: Floats = np.asarray(reach(strategy, best).overall)[game.beginning][place]
    won = win_probability(strategy, best).overall
    return pixels(coloured(decisions_data(strategy), turns)), f"{title}: {100 * won:.2f} %"


def coloured(shown: Decisions, turns: Floats) -> Floats:
    """Where a strategy first holds as colours, on white: the second axis upwards, shape (height, width, 3).

    Args:
        shown: of `decisions_data`.
        turns: the expected turns of a game that begin at each place; paler where they are few.
    """
    from matplotlib import colormaps

    step = math.ceil(max(turns.shape) / DOTS)
    colours = np.asarray(colormaps["viridis"](shown.first_hold / _highest(shown)), dtype=float)[..., :3]
    opaque = np.clip(1 + np.log10(np.maximum(turns, 1e-12) / 1e-2) / 3, LEAST, 1)[..., None]  # as `pigevo film`
    upwards: Floats = (opaque * colours + 1 - opaque).transpose(1, 0, 2)[::-1]
    return upwards[::-step][::-1, ::step]


def _highest(shown: Decisions) -> int:
    """The turn total with the last colour."""
    return min(max(40, shown.target // 2), shown.target)
