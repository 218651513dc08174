"""The map of elites in a report: a click on a cell shows its elite and how to look at it.

A cell is a link to its figures, which the page shows when they are the link's target: no script is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import to_hex

from pigevo.core.text import for_shell
from pigevo.figures.axes import ODDS
from pigevo.figures.elites import NEAR, ElitesData, elites_data
from pigevo.strategies import EliteMap
from pigevo.web.html import Html, command, minus, note, paragraph, section, share, table, tag
from pigevo.web.report import OUTCOME_PARTS

CELL, LEFT, BOTTOM = 26, 62, 46
"""The size of a cell, and the room for the axes' labels, in the picture's own units."""


@OUTCOME_PARTS.register(name="elites")
def elites_part(arrays: Mapping[str, np.ndarray], folder: str) -> Html:
    """The map of a run from its arrays; `folder` is the run's folder as typed."""
    elites = EliteMap.of(arrays)
    data = elites_data(elites)
    near = int(data.near.sum())
    summary = (
        f"The best strategy of each way of playing: {len(elites.wins):,} of {data.wins.size:,} cells have an elite "
        f"(coverage {elites.coverage:.3f}), and their win probabilities add up to {elites.qd_score:.2f} (QD score). In "
        f"{near:,} of them the elite wins within {NEAR:g} of the optimum."
    )
    return section(
        "The map of elites",
        paragraph(summary),
        tag("figure", _picture(data), tag("figcaption", "Click a cell. Brighter: it wins more; a ring: the optimum.")),
        tag("div", [_cell(elites, n, folder) for n in range(len(elites.wins))], class_="cells"),
        note("A cell is a strategy wherever one is named: `RUN@X,Y`."),
        name="elites",
    )


def _picture(data: ElitesData) -> Html:
    columns, rows = data.wins.shape
    width, height = LEFT + columns * CELL + 24, rows * CELL + BOTTOM + 8
    label = f"A map of how much the best strategy wins, over {data.axes[0]} and {data.axes[1]}"
    inside = [*_squares(data), *_ticks(data), *([_ring(data)] if np.isfinite(data.optimum).all() else [])]
    return tag("svg", inside, viewBox=f"0 0 {width} {height}", role="group", aria_label=label, class_="map")


def _squares(data: ElitesData) -> Iterator[Html]:
    colours = colormaps[ODDS]
    for x, y in np.argwhere(np.isfinite(data.wins)).tolist():
        wins = float(data.wins[x, y])
        square = tag(
            "rect",
            tag("title", f"cell {x},{y}: wins {wins:.4f}"),
            x=LEFT + x * CELL, y=(data.wins.shape[1] - 1 - y) * CELL + 4, width=CELL - 1, height=CELL - 1,
            fill=to_hex(colours(wins / data.ceiling)),
        )  # fmt: skip
        yield tag("a", square, href=f"#cell-{x}-{y}", aria_label=f"cell {x},{y}, wins {wins:.4f}")


def _ticks(data: ElitesData) -> Iterator[Html]:
    columns, rows = data.wins.shape
    bottom = rows * CELL + 4
    for axis, count in enumerate((columns, rows)):
        for n in range(0, count + 1, max(1, count // 5)):
            text = minus(f"{data.edges[axis][n]:.3g}")
            if axis:
                yield tag("text", text, x=LEFT - 5, y=bottom - n * CELL + 4, text_anchor="end", font_size=12)
            else:
                yield tag("text", text, x=LEFT + n * CELL, y=bottom + 15, text_anchor="middle", font_size=12)
    middle = LEFT + columns * CELL / 2, bottom - rows * CELL / 2
    yield tag("text", data.axes[0], x=f"{middle[0]:g}", y=bottom + 36, text_anchor="middle", font_size=13)
    turned = f"rotate(-90 14 {middle[1]:g})"
    yield tag("text", data.axes[1], x=14, y=f"{middle[1]:g}", text_anchor="middle", font_size=13, transform=turned)


def _ring(data: ElitesData) -> Html:
    x, y = (
        float(np.interp(value, edges, np.arange(len(edges))))
        for value, edges in zip(data.optimum, data.edges, strict=True)
    )
    return tag(
        "circle", cx=f"{LEFT + x * CELL:.1f}", cy=f"{(data.wins.shape[1] - y) * CELL + 4:.1f}", r=CELL // 2 - 3,
        fill="none", stroke="#d1495b", stroke_width=3, pointer_events="none",
    )  # fmt: skip


def _cell(elites: EliteMap, n: int, folder: str) -> Html:
    x, y = elites.places[n].tolist()
    word = for_shell(f"{folder}@{x},{y}")
    rows = [
        ["wins against the optimum", share(float(elites.wins[n]))],
        *(
            [name, minus(f"{value:.4g}")]
            for name, value in zip(elites.behaviours, elites.measures[n].tolist(), strict=True)
        ),
    ]
    return tag(
        "div", table(["", ""], rows, f"Cell {x},{y}"), command(f"pigevo show {word}"),
        command(f"pigevo duel {word} optimal"), class_="cell", id=f"cell-{x}-{y}",
    )  # fmt: skip
