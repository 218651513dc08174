"""A champion in a report: its play in figures and pictures, beside the optimum, and the film of its run."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from pigevo.core.arrays import Floats
from pigevo.core.text import percent, percent_below, sentence
from pigevo.errors import InputError
from pigevo.figures import FIRST_IN_ROUND
from pigevo.figures.axes import figure_of, new_figure, shown, styled, ticks
from pigevo.figures.character import Beside, Character, beside_data, character_data, hold_in_words, place_in_words
from pigevo.figures.decisions import (
    VIEWS,
    DrawnDecisions,
    highest,
    landscape,
    last_color,
    maps_caption,
    show_first_hold,
)
from pigevo.figures.evolving import Frame, film_caption, frame_data, frames_of
from pigevo.figures.portrait import caption_of, highest_hold, plot_difference, portrait_data, refuse_undrawable
from pigevo.games.game import SECOND
from pigevo.runs.pictures import Reel, champions, reel_of
from pigevo.user_code.loading import CodeNotRun
from pigevo.web.drawing import drawn, picture, pixels
from pigevo.web.html import Html, Part, minus, note, paragraph, table, tag

if TYPE_CHECKING:
    from pigevo.strategies import Strategy

BYTES_A_CELL = 56  # bytes for each cell of a strategy, with expected visits
RESOLUTION = 130  # dots per inch of pictures: those of a champion are about a third of a megabyte together
SECONDS = 60.0  # if generations must be recomputed and took the run longer than this, there is a film only on request
LAST_BUT_ONE = 0.85  # the place on a scale of colours beyond which a number would touch the last one
DIGIT = 0.6  # the width of a digit below a scale of colours, as a share of its size
KEYS = 6  # the number of frames of a film that are shown without a script, and printed
DOTS = 100  # the largest number of pixels along each edge of a frame


def champion_part(champion: Strategy) -> list[Html]:
    """A champion's play and quality, and its pictures beside the optimum's."""
    from pigevo.core.machine import require_memory
    from pigevo.exact import optimal

    game = champion.game
    require_memory(BYTES_A_CELL * game.cells, f"a look at a strategy for {game}", "choose a smaller target or cap")
    best = optimal(game).strategy
    ours, theirs = character_data(champion), character_data(best)
    beside = beside_data(champion, best) if champion != best else None
    return [
        _figures(ours, beside, theirs.overall),
        _holds(ours, theirs),
        *_pictures(champion, best, _holds_sentence(ours, theirs)),
    ]


def _pictures(champion: Strategy, best: Strategy, text: str) -> list[Html]:
    """Maps, landscapes and the map of differences, with an explanation; or the reason why there are none."""
    try:
        portrait = portrait_data([champion, best])
    except InputError as error:
        return [note(f"There is no picture: {error}")]
    x, y = portrait.decisions[0].axes
    top = last_color(portrait.decisions)
    maps, solids = [], []
    seat = [FIRST_IN_ROUND] if portrait.decisions[0].first_in_round else []
    text = " ".join([*seat, text])
    for decision in portrait.decisions:
        name = sentence(shown(decision.name))
        label = f"A map over {x} and {y}: the turn total at which {shown(decision.name)} first holds. {text}"
        maps.append(_picture(partial(show_first_hold, data=decision, top=top, rare=portrait.rare), label, name))
        label = f"{name} as a landscape over {x} and {y}; the height is where it first holds. {text}"
        surface = partial(landscape, data=decision, top=highest_hold(portrait), view=VIEWS[0], most=DOTS)
        solids.append(_picture(surface, label, name, solid=True))
    label = f"A map over {x} and {y} of the decisions a game in which {shown(champion.name)} and the optimum differ."
    caption = maps_caption(portrait.decisions, pale=True)
    return [
        tag("div", maps, class_="pair"),
        _scale(top),
        note(f"Above each pair of scores, the turn total at which it first holds, or wins. {caption}"),
        tag("div", solids, class_="pair"),
        note(
            " ".join([*seat, "Below its surface a strategy rolls, and on it, it holds. Above it, it may roll again."])
        ),
        _picture(lambda ax: plot_difference(portrait, ax), label, caption_of(portrait, "difference"), 5.4),
    ]


def _picture(draw: Callable[[Axes], object], label: str, caption: str, width: float = 4.4, solid: bool = False) -> Html:
    with drawn():
        ax = new_figure((width, min(0.5 + 0.8 * width, 4.4))).add_subplot(projection="3d" if solid else None)
        styled(draw)(ticks(ax))
        return tag("figure", picture(figure_of(ax), label, RESOLUTION), tag("figcaption", caption))


def _scale(top: int) -> Html:
    """The colours of maps with their turn totals, each at its place."""
    totals = [total for total in range(0, top, -(-top // 5)) if total <= LAST_BUT_ONE * top]
    labels = [
        tag("text", total, x=f"{100 * int(total) / top:.6g}%", y="1.1em", text_anchor="middle")
        for total in map(str, [*totals, top])
    ]
    more = tag("text", "and more", x="100%", dx=f"{0.3 + DIGIT * len(str(top)) / 2:.2f}em", y="1.1em")
    return tag("div", tag("i"), tag("svg", labels, more, aria_hidden="true"), class_="scale", aria_hidden="true")


def _figures(character: Character, beside: Beside | None, optimum: float) -> Html:
    sentences: list[Part] = [
        f"It wins {percent_below(character.overall, optimum)} against the optimum, exactly: {percent(character.first)} "
        f"moving first, {percent(character.second)} second."
    ]
    if character.exploitability is not None:
        points = 100 * max(character.exploitability, 0.0)
        sentences.append(
            f" Its best response wins {percent(character.best_response)} against it, so that its exploitability is "
            f"{'less than 0.1' if 0 < points < 0.05 else f'{points:.1f}'} percentage points."
        )
    if beside is not None:
        sentences.append(
            f" It decides differently from the optimum in {percent(beside.decisions)} of its decisions in play, and in "
            f"{percent(beside.cells)} of all cells."
        )
    return paragraph(*sentences)


def _holds(ours: Character, theirs: Character) -> Html:
    rows: list[list[Part]] = [
        [
            hold.place,
            tag("span", place_in_words(hold.at), class_="whole"),
            hold_in_words(vars(hold)),
            hold_in_words(vars(optimal_hold)),
        ]
        for hold, optimal_hold in zip(ours.holds, theirs.holds, strict=True)
    ]
    caption = "The turn total at which each first holds"
    if SECOND in ours.holds[0].at:
        caption += f". {FIRST_IN_ROUND}"
    holds = table(["where", "scores", "the champion", "the optimum"], rows, caption, words=2)
    if not ours.gap_places:
        return holds
    gaps = note(
        f"At {percent(ours.gap_places)} of the scores the champion rolls again above a turn total at which it holds; "
        f"this concerns {percent(ours.gap_decisions)} of its decisions in play."
    )
    return tag("div", holds, gaps)


def _holds_sentence(ours: Character, theirs: Character) -> str:
    own, optimal = (
        ", ".join(f"{hold.place} {hold_in_words(vars(hold))}" for hold in holds) for holds in (ours.holds, theirs.holds)
    )
    return f"The champion: {own}. The optimum: {optimal}."


def reel_for(folder: Path, champion: Strategy, wanted: bool | None, workers: int) -> Reel | str:
    """The film for the report of a run, or the reason why it has none.

    `wanted` is the user's choice; None means that it depends on the time that the film takes.
    """
    if wanted is False:
        return "The film was left out, as requested."
    try:
        refuse_undrawable(champion)
    except InputError as error:
        return f"There is no film: {error}"
    try:
        reel = reel_of(folder, workers=workers)
    except CodeNotRun as error:
        return f"There is no film: {error}"
    if wanted is None and reel.seconds > SECONDS:
        return (
            f"The film was left out: its generations must be made again, which took the run {reel.seconds:,.0f} s; "
            "`pigevo report --film` adds it."
        )
    return reel


def film_part(film: Reel | str, best: Strategy, name: str, head: str) -> list[Html]:
    """The champions of a run as frames with a slider, beside the optimum; or the reason why there is no film."""
    if isinstance(film, str):
        return [paragraph(film)]
    try:
        shots = [(_image(frame), frame.title) for frame in frames_of(champions(film), best, film.curve.waves)]
    except InputError as error:
        raise InputError(f"{str(error).rstrip('.')}; --no-film makes the report without its film.") from error
    keys = {round(n * (len(shots) - 1) / (KEYS - 1)) for n in range(KEYS)}
    frames = [_frame(address, title, number in keys) for number, (address, title) in enumerate(shots)]
    goal = frame_data("", best, best)
    (x, y), (left, right, low, high) = goal.decisions.axes, goal.decisions.extent
    return [
        tag(head, "Its film"),
        tag(
            "div",
            tag("div", frames, class_="frames"),
            tag("div", _frame(_image(goal), "the optimum", False), class_="goal"),
            _slider(name, [title for _, title in shots]),
            class_="film",
        ),
        _scale(_highest(goal.decisions)),
        note(
            f"The champions of {len(shots)} generations beside the optimum: the turn total at which each first holds, "
            f"with the {x} to the right ({left} to {right - 1}) and the {y} upwards ({minus(str(low))} to {high - 1}). "
            f"{film_caption(goal)} {_origin(film)}"
        ),
    ]


def _origin(reel: Reel) -> str:
    if not reel.missing:
        return "The run has recorded all of them."
    return f"Those of {len(reel.missing)} were made again, and checked against the recorded digests."


def _frame(address: str, title: str, key: bool) -> Html:
    label = f"{title}: a map of the turn totals at which it first holds"
    return tag(
        "figure", tag("img", src=address, alt=label), tag("figcaption", title), class_="frame key" if key else "frame"
    )


def _slider(name: str, titles: Sequence[str]) -> Html:
    """The slider of the film, shown only if scripts are allowed."""
    last = str(len(titles) - 1)
    key = f"{name}-slider"
    return tag(
        "div", tag("button", "play", type="button"), tag("label", "generation", for_=key),
        tag("input", type="range", id=key, min="0", max=last, value=last, step="1"), class_="slider", hidden=True,
    )  # fmt: skip


def _image(frame: Frame) -> str:
    return pixels(coloured(frame.decisions))


def coloured(decisions: DrawnDecisions) -> Floats:
    """A strategy's first holds as colours, shape (height, width, 3)."""
    from matplotlib import colormaps

    step = math.ceil(max(decisions.first_hold.shape) / DOTS)
    colours = np.asarray(colormaps["viridis"](decisions.first_hold / _highest(decisions)), dtype=float)[..., :3]
    upwards: Floats = colours.transpose(1, 0, 2)[::-1]
    return upwards[::-step][::-1, ::step]


def _highest(decisions: DrawnDecisions) -> int:
    """The turn total with the last colour."""
    return min(highest(decisions.target), decisions.target)
