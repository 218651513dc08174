"""Every published figure beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import pigevo
from pigevo.core.arrays import Floats
from pigevo.core.machine import available_cores
from pigevo.dice import Draw
from pigevo.figures.bands import boxes_data
from pigevo.simulation import play_pairs
from pigevo.strategies import Strategy

from ..common.group import Group
from ..common.randomness import drawn_again
from ..common.tables import Row, exact, sampled
from .readings import TEXT, courses, first_populations, measured

REPEATS = 500
"""Matches of each length in figure 17."""

REPLICATIONS = 300
"""Repetitions of figure 17: of 20, the 90 % band of a whisker, which is an extreme of 500 matches, is too narrow."""


@dataclass(frozen=True, eq=False)
class Sampled:
    """A published figure that our runs give too.

    Args:
        figure, what, published, remark: as in `Row`.
        means: population means of our runs by the reading, shape (seeds, points) each.
        take: the figure of each run from its means with luck, shape (seeds,).
        precision: how exactly the published number can be read.
    """

    figure: str
    what: str
    published: float
    means: Mapping[str, Floats]
    take: Callable[[Floats], Floats]
    remark: str = ""
    precision: float = 0.005

    def row(self, place: int) -> Row:
        """The row of the table; the luck of its figures is that of no other."""
        found = {
            name: sampled(self.published, self.take(measured(means, place, part)), self.precision)
            for part, (name, means) in enumerate(self.means.items())
        }
        ours = found.pop(TEXT)
        return Row(self.figure, self.what, self.published, ours, self.remark, found)


def rows(groups: Mapping[str, Group], published: Mapping[str, Any], cells: Floats) -> list[Row]:
    """The table.

    Args:
        groups: the runs of each setting.
        published: the content of `published.yaml`.
        cells: win probabilities of random populations of single cells, shape (populations, size).
    """
    found = _sampled(groups, published, cells)
    return [
        *(one.row(place) for place, one in enumerate(found)),
        *_variation(published["figure_17"]), *table_1(published["table_1"]),
    ]  # fmt: skip


PEAK = "peak of the population mean"


def median_peaks(groups: Mapping[str, Group], published: Mapping[str, Any], cells: Floats) -> dict[str, float]:
    """The median peaks of our runs by figure, with the luck that they have in the table."""
    found = enumerate(_sampled(groups, published, cells))
    return {one.figure: one.row(place).ours.value for place, one in found if one.what == PEAK}


def _sampled(groups: Mapping[str, Group], published: Mapping[str, Any], cells: Floats) -> list[Sampled]:
    return [*_first(groups, published["first_populations"]), *_evolved(groups, published), *_random(cells)]


def short(name: str) -> str:
    """A setting's name in words."""
    return name.replace("_0", ", mutation 0").replace("_", " ")


def cubes(size: str) -> str:
    """The size of cubes in words."""
    return "single cells" if size == "1" else f"cubes of {size}"


def at(group: Group, generation: float) -> Callable[[Floats], Floats]:
    """The mean of a generation; between two records, on the line between them."""
    return lambda means: np.array([np.interp(generation, group.generation, row) for row in means])


def average(group: Group, start: float) -> Callable[[Floats], Floats]:
    """The average of all recorded generations from `start` on: what a flat curve is read as."""
    inside = group.generation >= min(start, group.generation[-1])
    return lambda means: np.asarray(means[:, inside].mean(axis=1))


def peak(means: Floats) -> Floats:
    """The largest recorded mean."""
    return np.asarray(means.max(axis=1))


def _first(groups: Mapping[str, Group], said: list[Any]) -> Iterator[Sampled]:
    """First populations, each once: several figures begin with the same strategies."""
    for one in said:
        means = first_populations(groups[one["setting"]], groups[one["before"]] if "before" in one else None)
        yield Sampled(one["figures"], "generation 0", one["published"], means, peak, one.get("remark", ""))


def _evolved(groups: Mapping[str, Group], published: Mapping[str, Any]) -> Iterator[Sampled]:
    """What becomes of them: points of the curves, the averages of their flat ends, and peaks."""
    for name in groups:
        if name not in published:
            continue
        group, said = groups[name], published[name]
        figure, means, remark = short(name), courses(group), said["remark"]
        flat = said.get("flat_from", np.inf)
        for generation, value in said["points"]:
            if 0 < generation < flat:
                what = f"mean of the population, generation {generation}"
                yield Sampled(figure, what, value, means, at(group, generation), remark)
        if "flat_from" in said:
            what = f"average of the generations from {flat} on"
            yield Sampled(figure, what, dict(said["points"])[flat], means, average(group, flat), remark)
        if "peak" in said:
            yield Sampled(figure, PEAK, said["peak"], means, peak, remark)


def _random(cells: Floats) -> Iterator[Sampled]:
    """Figure 10: random populations, drawn from ours again and again."""
    means = {TEXT: drawn_again(cells.mean(axis=1), 999, len(cells))}
    centre = f"centre of {len(cells)} random populations"
    yield Sampled("figure 10", centre, 0.1165, means, lambda found: found.mean(axis=1), precision=0.0005)
    yield Sampled("figure 10", "the worst of them", 0.09, means, lambda found: found.min(axis=1))
    yield Sampled("figure 10", "the best of them", 0.142, means, peak)


def match_variation(
    strategy: Strategy, games: Sequence[int], repeats: int, seed: int = 0, workers: int | None = None
) -> Floats:
    """Win rates of a strategy against itself in repeated matches of each length in `games`, shape (lengths, repeats).

    The experiment of figure 17; its dice come from the validation stream.
    """
    tables = np.stack([strategy.table] * 2)
    rates = np.empty((len(games), repeats))
    for number, length in enumerate(games):
        draw = Draw(seed, "validation", number)
        counts = play_pairs(strategy.game, tables, [(0, 1)] * repeats, length, draw, workers or available_cores())
        rates[number] = counts[:, 0] / length
    return rates


def _variation(said: Mapping[str, Any]) -> list[Row]:
    """Figure 17 again and again: the band of each quartile and whisker."""
    hold, found = pigevo.hold_at(pigevo.Pig(), 20), []
    boxes = [
        boxes_data([games], match_variation(hold, [games], REPEATS, n))
        for n in range(REPLICATIONS) for games in said["games"]
    ]  # fmt: skip
    for place, games in enumerate(said["games"]):
        own = boxes[place :: len(said["games"])]
        ours = {"lower quartile": [b.quartiles[0, 0] for b in own], "upper quartile": [b.quartiles[0, 2] for b in own]}
        ours |= {"lower whisker": [b.whiskers[0, 0] for b in own], "upper whisker": [b.whiskers[0, 1] for b in own]}
        for what, value in said["games"][games].items():
            band = sampled(value, np.array(ours[what]))
            found.append(Row("figure 17", f"{what}, {games} games", value, band, said["remark"]))
    return found


def table_1(said: Mapping[str, Any]) -> list[Row]:
    """Table 1, and the number of section 5.2, all exact."""
    game = pigevo.Pig()
    players = [pigevo.parse_strategy(name, game) for name in said["strategies"]]
    found = []
    for other, line in zip(players, said["rows"], strict=True):
        for first, value in zip(players, line, strict=True):
            what = f"{first.name} first against {other.name}"
            remark = said["misprints"].get(what, said["remarks"]["optimal"])
            ours = exact(value, pigevo.win_probability(first, other).first, 4)
            found.append(Row("table 1", what, value, ours, remark))
    ours = exact(0.5874, pigevo.win_probability(players[0], players[1]).first, 4)
    best = exact(0.5874, pigevo.best_response(players[1]).value, 4)
    return [
        *found,
        Row("section 5.2", "Neller: optimal first against hold_at:20", 0.5874, ours, said["neller"]),
        Row("section 5.2", "the same number: best response to hold_at:20, first", 0.5874, best),
    ]
