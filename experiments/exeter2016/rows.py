"""Every published figure beside ours: the rows of the table, and what they can be expected to agree in.

The report may have been run otherwise than its text says, so figures that our runs give are told by several readings.
With the rows are how many of them should agree by chance, how rare the published peaks are among random populations,
and how fast the published curves fall beside ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy import stats
from scipy.special import ndtr, ndtri

import pigevo
from pigevo.core.arrays import Floats
from pigevo.core.machine import available_cores
from pigevo.dice import Draw
from pigevo.figures.bands import boxes_data
from pigevo.simulation import play_pairs
from pigevo.strategies import Strategy

from ..common.group import Group
from ..common.tables import BAND_SHARE, Row, exact, sampled, table

TEXT = "the text's rules"
"""The reading by the rules of the report's text; the two others were found after the comparison with these, in the
figures that they explain, and their names say so: that these figures agree is no test of them."""
BEFORE = "(a) generation 0 before the cubes are laid, found after the comparison"
FROZEN = "(b) a round robin that never changes, found after the comparison"
ROUND_ROBINS = ("figure_7", "figure_12", "figure_15")
MEASURED = 20 * 100
"""Games from which a population mean is estimated: 20 strategies, 100 games each against the optimum."""


def courses(group: Group) -> dict[str, Floats]:
    """Population means of each run by the readings that bear on its course, shape (seeds, points) each."""
    found = {TEXT: group.mean}
    if group.name in ROUND_ROBINS:
        found[FROZEN] = np.repeat(group.mean[:, :1], group.mean.shape[1], axis=1)
    return found


def first_populations(group: Group, before: Group | None) -> dict[str, Floats]:
    """Means of the first populations, shape (seeds, 1) each.

    Args:
        group: runs that begin with cubes or without.
        before: runs that begin with the same strategies before the cubes are laid, where there are cubes.
    """
    found: Mapping[str, Group] = {TEXT: group} | ({BEFORE: before} if before else {})
    return {name: runs.mean[:, :1] for name, runs in found.items()}


def measured(means: Floats, place: int, part: int = 0) -> Floats:
    """Population means as the report would have estimated them from games.

    Args:
        means: exact ones, any shape.
        place: which luck; every row of a table has its own.
        part: which of several lucks of one row.
    """
    luck = Draw(0, "validation", 1, place, part).uniforms(means.size).reshape(means.shape)
    return np.asarray(stats.binom.ppf(luck, MEASURED, means) / MEASURED)


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


RUNS, BOXES, PRECISION, FINE = 30, REPLICATIONS, 0.005, 0.0005
"""Runs of a band, and of one of figure 17; how exactly a picture is read, and how exactly figure 10's centre."""

BANDS = 4000
"""Simulated ones."""

LINE = re.compile(r"^\| ([^|]+) \| ([^|]+) \| [\d.]+ \| [\d.]+(?: \(([\d.]+) to ([\d.]+)\)|, exact) \| (yes|no)")


class Judged(NamedTuple):
    """A row of the table: its figure, the chance that it agrees, and whether it does."""

    figure: str
    chance: float
    agrees: bool


@cache
def bands(runs: int) -> Floats:
    """The ends of bands of so many standard normal runs, shape (2, BANDS)."""
    drawn = ndtri(Draw(0, "validation", 2).uniforms(BANDS * runs)).reshape(BANDS, runs)
    found: Floats = np.quantile(drawn, ((1 - BAND_SHARE) / 2, (1 + BAND_SHARE) / 2), axis=1)
    return found


def chance(width: float, runs: int, precision: float) -> float:
    """The chance that a further run of the same law, read to within `precision`, lies in a band of that width."""
    low, high = bands(runs)
    spread = width / float((high - low).mean())
    if not spread:
        return 1.0
    given = precision / spread
    errors = np.linspace(-given, given, 41)[:, None]
    return float((ndtr(high + given - errors) - ndtr(low - given - errors)).mean())


def judged(text: str, read: bool = True) -> list[Judged]:
    """The rows of the table, read from it; without `read` as if no band were widened."""
    found = []
    for line in text.splitlines():
        if one := LINE.match(line):
            figure, what, low, high, said = one.groups()
            runs = BOXES if figure == "figure 17" else RUNS
            precision = FINE if what.startswith("centre of") else PRECISION
            p = chance(float(high) - float(low), runs, precision * read) if low else 1.0
            found.append(Judged(figure, p, said == "yes"))
    return found


def number_law(groups: Sequence[Floats], together: bool) -> Floats:
    """The chances of 0, 1, 2, ... rows that agree, of independent groups of rows."""
    law = np.ones(1)
    for own in groups:
        steps = [np.array([1 - p, p]) for p in own] if not together else [_comonotone(own)]
        for step in steps:
            law = np.convolve(law, step)
    return law


def _comonotone(chances: Floats) -> Floats:
    """Rows that are decided by one draw: those with the largest chances agree first."""
    ordered = np.sort(chances)[::-1]
    return -np.diff(np.concatenate([[1.0], ordered, [0.0]]))


def chance_table(text: str) -> str:
    """How many rows should agree if the report had run what its text says, and how many do, by kinds of rows.

    A band of 90 % of few runs holds a further run of the same law in fewer than 90 % of cases, since its ends are drawn
    too; that a picture is read to within .005 widens it.  The chance of a row follows from its band alone, by a normal
    law whose spread gives such a band on average.  An exact row agrees with certainty.  Rows of one figure come from
    one published run: how they hang together is not known, so that both ends of what can be are given, rows that have
    nothing to do with each other, and rows of a figure that agree all together or not at all where their chances are
    equal.
    """
    rows = judged(text)
    kinds = {
        "all": rows,
        "judged by a band": [one for one in rows if one.chance < 1],
        "exact": [one for one in rows if one.chance == 1],
        "all, were bands not widened for the reading": judged(text, read=False),
    }
    lines = []
    for name, own in kinds.items():
        figures = list(dict.fromkeys(one.figure for one in own))
        groups = [np.array([one.chance for one in own if one.figure == figure]) for figure in figures]
        ends = (_middle_95(number_law(groups, together)) for together in (False, True))
        agree = "" if name.startswith("all,") else sum(one.agrees for one in own)
        lines.append((name, len(own), f"{sum(one.chance for one in own):.1f}", *ends, agree))
    head = ["rows", "number", "should agree", "95 % if independent", "95 % if a figure's rows hang together", "agree"]
    return table(head, lines)


def _middle_95(law: Floats) -> str:
    below = np.cumsum(law)
    low, high = (int(np.searchsorted(below, level - 1e-9)) for level in (0.025, 0.975))
    return f"{low} to {high}"


RECORDS = 101
"""Generations from 0 to 1,000, recorded every ten."""

TOPS = (0.05, 0.01, 0.001)
"""The report calculated the quantiles above which these shares of random populations lie, and prints none."""

LUCK_OF_PICTURE = 1000
"""The number of the luck of the picture, which no row of the table has."""


def reaching(means: Floats, peak: float) -> float:
    """The chance that one random population, measured in games, reaches a peak."""
    return float(stats.binom.sf(round(peak * MEASURED) - 1, MEASURED, means).mean())


def top(means: Floats, share: float) -> float:
    """The quantile of the normal law of measured means above which a share of random populations lies."""
    spread = np.sqrt(means.var(ddof=1) + (means * (1 - means)).mean() / MEASURED)
    return float(stats.norm.isf(share, means.mean(), spread))


def peaks_table(published: Mapping[str, Any], cells: Floats) -> str:
    """Are the published peaks among the best 1 % and .1 % of random populations?  Both, and the quantiles.

    Section 4.3.1 of the report compares the peak of a run with the law of one random population.  Here both contain the
    luck of the same number of games, and the peak is compared with that of as many random populations, too: a run shows
    the best of its records.

    Args:
        published: the content of `published.yaml`.
        cells: win probabilities of random populations of single cells, shape (populations, size).
    """
    means, lines = cells.mean(axis=1), []
    for name, said in (("figure_7", 0.001), ("figure_8", 0.01)):
        peak = published[name]["peak"]
        one = reaching(means, peak)
        best = 1 - (1 - one) ** RECORDS
        lines.append((name.replace("_", " "), f"{peak}", f"{100 * said:g} %", f"{top(means, said):.4f}",
                      f"{100 * one:.2f} %", f"{100 * best:.0f} %"))  # fmt: skip
    head = ["peak of", "published", "said to be in the top", "which begins at", "random populations that reach it",
            f"best of {RECORDS} random populations that reach it"]  # fmt: skip
    quantiles = [
        (
            f"{100 * (1 - share):g} %",
            f"{stats.norm.isf(share, means.mean(), means.std(ddof=1)):.4f}",
            f"{top(means, share):.4f}",
        )
        for share in TOPS
    ]
    heads = ["quantile of the normal law", "of exact means", f"of means measured in {MEASURED:,} games"]
    return "\n".join([table(head, lines), table(heads, quantiles)])


def with_luck(means: Floats) -> Floats:
    """Means as measured in games, with the luck of the picture."""
    return measured(means, LUCK_OF_PICTURE)


DECAYS = ("figure_5", "figure_6", "figure_13", "figure_16")
"""Good strategies that mutation spoils: their curves only fall until they are flat."""
BESIDE = {"figure_13": "figure_6", "figure_16": "figure_6"}
"""Figures of one algorithm and one mutation rate that differ in the strategies that they begin with."""
PASSED_LEVEL = 0.2


def generation_of(group: Group, level: float) -> Floats:
    """When each run's mean is first down at a level, on the line between two records; infinite if never.

    Args:
        group: the runs.
        level: a win probability below those that they begin with.

    Returns:
        Generations, shape (seeds,).
    """
    found = np.full(len(group.mean), np.inf)
    for number, course in enumerate(group.mean):
        below = np.flatnonzero(course <= level)
        if len(below):
            last = max(int(below[0]), 1)
            places = slice(last - 1, last + 1)
            found[number] = np.interp(-level, -course[places], group.generation[places])
    return found


def pace_table(groups: Mapping[str, Group], published: Mapping[str, Any]) -> str:
    """The share of the published generations of decays that ours take, and how two decays compare: two tables."""
    shares, ratios = [], []
    for name in DECAYS:
        for generation, level in published[name]["points"]:
            if 0 < generation < published[name]["flat_from"]:
                ours = generation_of(groups[name], level)
                bands = _band(ours, ".1f"), _band(ours / generation, ".2f")
                shares.append((short(name), f"{level:g}", generation, *bands))
    for name, other in BESIDE.items():
        said = _published(published[name]) / _published(published[other])
        a, b = (group.by_seed(generation_of(group, PASSED_LEVEL)) for group in (groups[name], groups[other]))
        ratio = np.array([a[seed] / b[seed] for seed in sorted(a.keys() & b.keys())])
        ratios.append((f"{short(name)} / {short(other)}", f"{said:.2f}", _band(ratio, ".2f")))
    return "\n".join([
        "Generations until the mean of the population is down at a level: the median and the 90 % band of our runs.\n",
        table(["figure", "level", "published", "ours", "share of the published"], shares),
        f"The generations until {PASSED_LEVEL:g} of two figures, divided seed by seed. However a generation is "
        "counted, this ratio stays the same.\n", table(["figures", "published", "ours"], ratios),
    ])  # fmt: skip


def _published(said: Mapping[str, Any]) -> float:
    """The generation at which a published curve is at the level that all these curves pass."""
    return float(next(generation for generation, value in said["points"] if value == PASSED_LEVEL))


def _band(values: Floats, form: str) -> str:
    levels = ((1 - BAND_SHARE) / 2, 0.5, (1 + BAND_SHARE) / 2)
    low, middle, high = np.quantile(values, levels, method="nearest")  # between infinite ones there is no line
    said = [f"{value:{form}}" if np.isfinite(value) else "never" for value in (middle, low, high)]
    return f"{said[0]} ({said[1]} to {said[2]})"


def drawn_again(sample: Floats, *shape: int) -> Floats:
    """Figures drawn from a sample of shape (n,), with replacement."""
    places = Draw(0, "validation").uniforms(int(np.prod(shape))) * len(sample)
    return np.asarray(sample[places.astype(int).reshape(shape)])
