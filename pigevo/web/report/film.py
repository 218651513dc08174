"""The film of a run in a report: a dot for each pair of scores in every frame, moved by a slider, or six of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pigevo.arrays import Floats
from pigevo.errors import InputError
from pigevo.figures.decisions import faded, highest, refuse_other_axes
from pigevo.figures.evolving import LEAST, Frame, frame_data, frames_of
from pigevo.runs.film import Reel, champions, reel_of
from pigevo.web.drawing import pixels
from pigevo.web.html import Html, tag
from pigevo.web.report.parts import note

SECONDS = 60.0
"""A run that took longer has a film only if it is asked for, since its generations must be made again."""

KEYS = 6
"""Frames that are seen without a script, and printed."""

DOTS = 100
"""Along each edge of a frame, at most."""


def reel_for(folder: Path, asked: bool | None, workers: int) -> tuple[Reel | None, str]:
    """The film that a report shall have; None where it has none, and why.

    Args:
        folder: the run's.
        asked: whether the user wants one; None where it is left to how long it takes.
        workers: threads.

    Raises:
        InputError: what a film would be made from is damaged.
    """
    if asked is False:
        return None, "The film was left out, as asked for."
    reel = reel_of(folder, workers=workers)
    try:
        refuse_other_axes(reel.settings.plan.game)
    except InputError as error:
        return None, f"There is no film: {error}"
    if asked is None and reel.seconds > SECONDS:
        return None, (
            f"The film was left out: its generations must be made again, which took the run {reel.seconds:,.0f} s; "
            "`pigevo report --film` puts it in."
        )
    return reel, ""


def film_part(reel: Reel, name: str) -> list[Html]:
    """The champions of a run as frames beside the optimum.

    Args:
        reel: of `reel_for`.
        name: which no other film of the page has.

    Raises:
        InputError: a generation made again is not the one that the run has recorded.
    """
    from pigevo.exact import optimal

    best = optimal(reel.settings.plan.game).strategy
    try:
        shots = [_shot(frame) for frame in frames_of(champions(reel), best)]
    except InputError as error:
        raise InputError(f"{str(error).rstrip('.')}; --no-film makes the report without its film.") from error
    keys = {round(n * (len(shots) - 1) / (KEYS - 1)) for n in range(KEYS)}
    frames = [_frame(address, title, number in keys) for number, (address, title) in enumerate(shots)]
    goal, _ = _shot(frame_data("the optimum", best, best))
    target = reel.settings.plan.game.target
    ends = ("first holds at 0", f"{highest(target)} and more")
    bar = tag("div", tag("span", ends[0]), tag("i"), tag("span", ends[1]), class_="bar", aria_hidden="true")
    return [
        tag(
            "div",
            tag("div", frames, class_="frames"),
            tag("div", _frame(goal, "the optimum", False), class_="goal"),
            _slider(name, [title for _, title in shots]),
            class_="film",
        ),
        bar,
        note(
            f"The champion of {len(shots)} generations beside the optimum: the turn total at which it first holds, own "
            f"score to the right and the opponent's upwards, 0 to {target - 1} both, paler where play seldom comes. "
            "For it the generations were made again, and all recorded ones had the digests of the record."
        ),
    ]


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


def _shot(frame: Frame) -> tuple[str, str]:
    """The frame as an image, and its title."""
    return pixels(coloured(frame)), frame.title


def coloured(frame: Frame) -> Floats:
    """A frame as colours on white, the opponent's score upwards: shape (height, width, 3)."""
    from matplotlib import colormaps

    target = len(frame.turns)
    step = math.ceil(target / DOTS)
    colours = np.asarray(colormaps["viridis"](frame.first_hold / highest(target)), dtype=float)[..., :3]
    opaque = faded(frame.turns, LEAST)[..., None]
    shown: Floats = (opaque * colours + 1 - opaque).transpose(1, 0, 2)[::-1]
    return shown[::-step][::-1, ::step]
