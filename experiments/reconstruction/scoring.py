"""A reading beside all that is published of a group of curves: figures of its runs, sentences, and their likelihood.

A figure of runs has a predictive law, and a sentence of section 4 of Exeter 2016 is a question about runs, by curves or
by their figures.  The picture has the published figures of the cubes beside those of the readings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from scipy import stats

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.dice import Draw
from pigevo.figures.axes import COLORS, LEAST, WIDTH, Given, Panels, add_legend, grid_of, panels_or_new, styled

from .program import SIZE, Course, course_of, read

READING_ERROR = 0.005 / 3**0.5
"""Standard deviation of a figure that is read off a picture to .005."""

GAMES = 100
"""Games of a member against the optimum, from which the report estimated its win rate."""


@dataclass(frozen=True)
class Recorded:
    """What was recorded of a population.

    Args:
        take: the win probability from the seats, shape (points, n, 2), and who survives, shape (points, n).
        games: the games from which it was estimated.
        scale: the share of it that was written down.
        average: whether the average of all records until then was written down.
    """

    take: Callable[[Floats, Bools], Floats]
    games: int = SIZE * GAMES
    scale: float = 1.0
    average: bool = False


def _population(seats: Floats, _: Bools) -> Floats:
    return np.asarray(seats.mean(axis=(1, 2)))


def _survivors(seats: Floats, survive: Bools) -> Floats:
    return np.asarray((seats.mean(axis=2) * survive).sum(axis=1) / survive.sum(axis=1))


RECORDED = {
    "mean": Recorded(_population),
    "half": Recorded(_population, scale=0.5),
    "moving first": Recorded(lambda seats, _: seats[:, :, 0].mean(axis=1)),
    "moving second": Recorded(lambda seats, _: seats[:, :, 1].mean(axis=1)),
    "first of both": Recorded(lambda seats, _: seats[:, :, 0].mean(axis=1), SIZE * GAMES // 2, 0.5),
    "survivors": Recorded(_survivors, SIZE * GAMES // 2),
    "survivors of all": Recorded(_survivors, SIZE * GAMES // 2, 0.5),
    "best": Recorded(lambda seats, _: seats.mean(axis=2).max(axis=1), GAMES),
    "worst": Recorded(lambda seats, _: seats.mean(axis=2).min(axis=1), GAMES),
    "one member": Recorded(lambda seats, _: seats[:, 0].mean(axis=1), GAMES),
    "average so far": Recorded(_population, average=True),
}
"""What may have been recorded after the first population: the mean over members; half of it; wins moving first or
second alone; wins moving first among all games; the survivors, or their sum among all members; one member; the average
so far."""


def curve(course: Course, recorded: Recorded, place: int, seed: int) -> Floats:
    """A recorded curve with the luck of its games; the first population is recorded as it is, shape (points,)."""
    chances = recorded.take(course.seats, course.survive)
    luck = Draw(seed, "validation", 2, place).uniforms(len(chances))
    found = stats.binom.ppf(luck, recorded.games, chances) / recorded.games * recorded.scale
    found[0] = stats.binom.ppf(luck[0], SIZE * GAMES, course.seats[0].mean()) / (SIZE * GAMES)
    if recorded.average:
        found[1:] = np.cumsum(found[1:]) / np.arange(1, len(found))
    return np.asarray(found)


def figure(name: str, values: Floats) -> float:
    """The figure of a curve by its name in `published.yaml`."""
    word, _, place = name.partition(" ")
    if word == "at":
        return float(values[int(place)])
    rest = values[int(place) :]
    return float({"level": rest.mean(), "highest": rest.max(), "lowest": rest.min()}[word])


PRIOR_SPREAD, PRIOR_RUNS = 0.02, 4
"""The spread of a figure over seeds that is assumed beside few runs, and the number of runs that it counts for."""


def density(ours: Floats, published: float, prior_runs: int = 0) -> Floats:
    """The logarithm of the predictive density of a published figure, from that of some runs, shape (..., runs)."""
    away, scale, freedom = _standardised(ours, published, prior_runs)
    return np.asarray(stats.t.logpdf(away, freedom) - np.log(scale))


def two_sided(ours: Floats, published: float) -> float:
    """The probability that a figure of another run is as far from the mean of these as the published one."""
    away, _, freedom = _standardised(ours, published)
    return float(2 * stats.t.sf(abs(away), freedom))


def _standardised(ours: Floats, published: float, prior_runs: int = 0) -> tuple[Floats, Floats, int]:
    """The published figure in units of its predictive law, their size, and the degrees of freedom of Student's law.

    Figures of runs are taken as normal; the picture of the published one is read with an error.
    """
    n, mean = ours.shape[-1], ours.mean(axis=-1)
    freedom = n - 1 + prior_runs
    spread = (((ours - mean[..., None]) ** 2).sum(axis=-1) + prior_runs * PRIOR_SPREAD**2) / freedom
    scale = np.sqrt(spread * (1 + 1 / n) + READING_ERROR**2)
    return (published - mean) / scale, scale, freedom


def log_share(true: Bools) -> Floats:
    """The logarithm of the estimated probability that a sentence is true of a run (Jeffreys' prior)."""
    return np.asarray(np.log((true.sum(axis=-1) + 0.5) / (true.shape[-1] + 1)))


GIVEN = {"hold_at": 0.4153, "score": 0.4303}
"""The mean win probability of the given strategies against the optimum."""

TOURNAMENTS, RANDOM = 0.139, 0.1391
"""The highest point of figures 7 and 8, and what 99.9 % of random populations do not exceed (Exeter 2016)."""

POINTS, LEVEL = 101, 0.05
"""The records of figures 7, 8, 12 and 15, of which luck moves one out of its bounds in so many runs at most."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of the report.

    Args:
        words: its section and what it says.
        needs: the figures on which it depends, as curve and name in `published.yaml`.
        true: of which runs it is true, from their figures.
    """

    words: str
    needs: tuple[tuple[str, str], ...]
    true: Callable[..., Bools]


def luck(mean: Floats | float, sides: int) -> Floats:
    """How far the luck of 2,000 games carries the farthest of all records from a mean, to one side or to both."""
    away = stats.norm.isf(LEVEL / POINTS / sides)
    return np.asarray(away * np.sqrt(np.asarray(mean) * (1 - np.asarray(mean)) / (SIZE * GAMES)))


def falls(*values: Floats | float) -> Bools:
    """Whether each value is below the one before it."""
    return np.asarray(np.all([np.less(after, before) for before, after in pairwise(values)], axis=0))


def calm(level: Floats, highest: Floats) -> Bools:
    """Whether a curve rises no farther from its level than by luck."""
    return highest <= level + luck(level, 1)


def stays(start: str) -> Callable[[Floats, Floats], Bools]:
    """Whether a curve stays at the win probability of the given strategies, but for luck."""
    mean = GIVEN[start]
    return lambda lowest, highest: (lowest >= mean - luck(mean, 2)) & (highest <= mean + luck(mean, 2))


def _rows(curve: str, *names: str) -> tuple[tuple[str, str], ...]:
    return tuple((curve, name) for name in names)


FIVE = _rows("figure 5", "at 1", "at 10", "level 20")
SIX = _rows("figure 6", "at 1", "at 10", "at 20", "at 45", "level 80")
ENDS = tuple((f"figure 9, {rate} %", "at 60") for rate in ("0.5", "1", "5"))

SENTENCES = (
    Sentence("4.3: at all rates cubes end above the tournaments", ENDS,
             lambda *ends: np.min(ends, axis=0) > TOURNAMENTS),
    Sentence("4.3.1: 0.5 % exceeds what random search can be expected to find", (("figure 9, 0.5 %", "highest 1"),),
             lambda highest: highest > RANDOM),
    Sentence("4.4: cubes fall at once from hold-at strategies", (("figure 14", "at 1"),),
             lambda first: first < GIVEN["hold_at"]),
    Sentence("4.2: mutation makes the optimum worse and worse", FIVE + SIX,
             lambda *values: falls(*values[: len(FIVE)]) & falls(*values[len(FIVE) :])),
    Sentence("4.2: it falls more gradually at 1 % than at 5 %", (SIX[0], FIVE[0], SIX[1], FIVE[1]),
             lambda first, of_5, later, later_of_5: (first > of_5) & (later > later_of_5)),
    Sentence("4.2: it ends higher at 1 % than at 5 %", (SIX[-1], FIVE[-1]), np.greater),
    Sentence("4.3: knockout from random strategies fluctuates little",
             _rows("figure 8", "level 50", "highest 1"), calm),
    Sentence("4.4: knockout from hold-at strategies falls and never rises again",
             _rows("figure 13", "at 15", "level 25"),
             lambda *values: falls(GIVEN["hold_at"], *values)),
    Sentence("4.4: it becomes similar to random strategies", (("figure 8", "highest 1"), ("figure 13", "level 25")),
             np.greater_equal),
    Sentence("4.5: knockout from score strategies falls, too", _rows("figure 16", "at 15", "level 25"),
             lambda *values: falls(GIVEN["score"], *values)),
    Sentence("4.5: score strategies are higher than hold-at ones with knockout",
             (("figure 16", "level 25"), ("figure 13", "level 25")), np.greater),
    Sentence("4.3: round robin from random strategies fluctuates little",
             _rows("figure 7", "level 0", "highest 0"), calm),
    Sentence("4.4: round robin from hold-at strategies stays where it is", _rows("figure 12", "lowest 0", "highest 0"),
             stays("hold_at")),
    Sentence("4.5: round robin from score strategies stays where it is", _rows("figure 15", "lowest 0", "highest 0"),
             stays("score")),
    Sentence("4.5: score strategies are higher than hold-at ones in the round robin",
             (("figure 15", "level 0"), ("figure 12", "level 0")), np.greater),
)  # fmt: skip


UNSCORED = {
    "4.2: win rates after 2, 20, 40 and 160 generations, and where curves end": "figures, and scored as such",
    "4.2: how soon curves end falling": "figures, which have few places",
    "4.3: figures 7 and 8 are alike": "two groups of curves, which may come from two programs",
    "4.3: a moving average does not change in 1,000 generations": "ours are fewer",
    "4.3: other rates make no difference without cubes": "no runs at other rates",
    "4.3: all rates peak in the first 10 records, 50 generations": "the reading that is scored is 10 generations; "
    "Exeter 2016 has both, this one since its verdicts",
    "4.3.1: peaks of .139 and .133, and cubes above .24": "figures, and scored as such",
    "4.3.1: quantiles of random search, states that are reached, a resemblance to the optimum": "not of a curve",
    "4.4: figures 12 and 13 are not alike": "two groups of curves",
    "4.4: round robin does not lower the win rate": "is in what figure 12 stays at",
    "4.3 to 4.5: why": "a cause, not a curve",
}
"""Sentences of section 4 that are not scored, and why; Exeter 2016 judges some by the rules of the text."""


def true_of(figures: Mapping[tuple[str, str], Floats]) -> dict[str, Bools]:
    """Of which runs each sentence is true; of those whose figures are there, shape (seeds,) each."""
    return {
        sentence.words: np.asarray(sentence.true(*(figures[key] for key in sentence.needs)))
        for sentence in SENTENCES
        if all(key in figures for key in sentence.needs)
    }


NINE = ("figure 9, 0.5 %", "figure 9, 1 %", "figure 9, 5 %")
FLUCTUATES = slice(5, 61)


def of_figure_9(curves: Mapping[str, Floats]) -> dict[str, bool]:
    """Which sentences of section 4.3 are true of the curves of figure 9.

    A curve peaks early if it has made half of its way to the highest point of the first wave by generation 10.  The
    other reading of this sentence, ten records, is among `UNSCORED`.
    """
    nine = [curves[name] for name in NINE]
    gains = [(one[1:3].max() - one[0]) / max(one[1:21].max() - one[0], 1e-9) for one in nine]
    means = [float(one[FLUCTUATES].mean()) for one in nine]
    low, high = (float(np.std(np.diff(one[FLUCTUATES]))) for one in (nine[0], nine[2]))
    return {
        "all three rates peak in the first 10 generations": min(gains) >= 0.5,
        "all three rates are worse after cubes of 20 than before": all(map(_worse_on_cubes_of_10, nine)),
        "most rates improve in the wave of cubes of 5": sum(one[56:61].mean() > one[41:46].mean() for one in nine) >= 2,
        "0.5 % fluctuates less than 5 %": low < high,
        "0.5 % and 1 % are better than 5 %": min(means[:2]) > means[2],
    }  # fmt: skip


def _worse_on_cubes_of_10(values: Floats) -> bool:
    return bool(values[21:26].mean() < values[16:21].mean())


SIGNIFICANCE = 0.05
"""The level of all verdicts, for all readings of a group at once."""

RESAMPLED = 1000
"""Samples of the seeds, from which the interval of a difference is taken."""


@dataclass(frozen=True)
class Reading:
    """A program in words, and what it recorded, a key of `RECORDED`."""

    name: str
    program: str
    recorded: str = "mean"


@dataclass(frozen=True, eq=False)
class Scored:
    """A reading and a group of curves.

    Args:
        reading: the reading.
        seeds: of its runs.
        figures: figures of the runs by curve and name, shape (seeds,).
        published: the published ones.
        sentences: of which seeds the sentences on figure 9 are true, shape (seeds,).
    """

    reading: Reading
    seeds: Sequence[int]
    figures: Mapping[tuple[str, str], Floats]
    published: Mapping[tuple[str, str], float]
    sentences: Mapping[str, Bools]

    def every_sentence(self) -> dict[str, Bools]:
        """Of which seeds each sentence of section 4 is true."""
        return {**self.sentences, **true_of(self.figures)}

    def likelihood(self, prior_runs: int = 0, every_sentence: bool = False) -> float:
        """The sum of the logarithms of the predictive densities and of the probabilities of the sentences."""
        said = self.every_sentence() if every_sentence else self.sentences
        rows = (float(density(ours, self.published[key], prior_runs)) for key, ours in self.figures.items())
        return sum(rows) + sum(float(log_share(true)) for true in said.values())

    def cautious(self, without: tuple[str, str] | None = None, every_sentence: bool = False) -> float:
        """The same if the figures of a curve say no more than one of them, and all sentences no more than one."""
        return float(self.cautious_of(np.arange(len(self.seeds)), without, every_sentence))

    def cautious_of(self, seeds: Ints, without: tuple[str, str] | None = None, every_sentence: bool = False) -> Floats:
        """The cautious likelihood by samples of the seeds, of shape (..., seeds)."""
        curves: dict[str, list[Floats]] = {}
        for key, ours in self.figures.items():
            if key != without:
                curves.setdefault(key[0], []).append(density(ours[seeds], self.published[key]))
        sentences = self.every_sentence() if every_sentence else self.sentences
        said = [log_share(true[seeds]) for true in sentences.values()]
        means = [np.mean(own, axis=0) for own in [*curves.values(), *([said] if said else [])]]
        return np.asarray(np.sum(means, axis=0))

    def farthest(self) -> tuple[tuple[str, str], float]:
        """The figure that is least probable, and its probability for all figures of the group at once."""
        found = {key: two_sided(ours, self.published[key]) for key, ours in self.figures.items()}
        key = min(found, key=lambda one: found[one])
        return key, min(1.0, found[key] * len(found))


def scored(reading: Reading, group: str, folder: Path, seeds: Sequence[int]) -> Scored:
    """Score a reading by its runs, which are made where they are missing."""
    curves: dict[str, list[Floats]] = {}
    figures: dict[tuple[str, str], Floats] = {}
    published: dict[tuple[str, str], float] = {}
    for place, (name, said) in enumerate(read("published.yaml")[group].items()):
        courses = (course_of(folder, reading.program, said["setting"], seed) for seed in seeds)
        recorded = RECORDED[reading.recorded]
        curves[name] = [curve(course, recorded, place, seed) for course, seed in zip(courses, seeds, strict=True)]
        for row, value in said["rows"].items():
            figures[name, row] = np.array([figure(row, one) for one in curves[name]])
            published[name, row] = float(value)
    true: dict[str, Bools] = {}
    if set(NINE) <= set(curves):
        said_true = [of_figure_9({name: curves[name][n] for name in NINE}) for n in range(len(seeds))]
        true = {sentence: np.array([one[sentence] for one in said_true]) for sentence in said_true[0]}
    return Scored(reading, seeds, figures, published, true)


def behind(best: Scored, other: Scored) -> tuple[float, float, float]:
    """How far a reading's cautious likelihood is behind that of the best, with a 95 % interval over resampled seeds."""
    low, high = np.quantile(resampled(best) - resampled(other), (0.025, 0.975)).tolist()
    return best.cautious() - other.cautious(), low, high


def resampled(judgement: Scored, part: int = 0) -> Floats:
    """The cautious likelihood in samples of the seeds, the same for all readings; those of one seed alone are left out.

    Args:
        judgement: a reading and its runs.
        part: of the dice, by which samples are independent of others.
    """
    count = len(judgement.seeds)
    draws = Draw(0, "validation", 3).at(part=part).uniforms(RESAMPLED * count).reshape(RESAMPLED, count)
    rows = np.sort((draws * count).astype(np.int64), axis=1)
    return judgement.cautious_of(rows[rows[:, 0] < rows[:, -1]])


def beside(low: float, luck: float) -> str:
    """How a reading stands beside the best one, by the lower end of how far it is behind, and what may be luck."""
    return "not told apart" if low <= 0 else "far behind" if low > luck else "behind"


def luck_of(readings: int) -> float:
    """The log likelihood ratio that the best of all wrong readings exceeds with a chance of `SIGNIFICANCE` at most.

    The ratio of a wrong reading to the true one is at most 1 on average (then Markov's inequality).  This also holds
    for a geometric mean of ratios, whatever their dependence (Hölder's inequality), and for products over independent
    curves; but laws are estimated here, and sentences depend on curves.
    """
    return float(np.log(readings / SIGNIFICANCE))


def hardest(own: Sequence[Scored]) -> tuple[str, str]:
    """The published figure that all readings together give worst."""
    first = own[0]
    return min(first.figures, key=lambda key: sum(density(one.figures[key], one.published[key]) for one in own))


MARKERS = "osD^vPX*"
HUES = (*COLORS, "dimgray")
HIGH = 3.4
APART = 0.11
"""The distance of two readings in the row of a figure, whose height is 1."""

RECORDED_EVERY = 5
"""Generations from one record of the cubes to the next."""


@styled
def plot_readings(readings: Sequence[Scored], ax: Given = None) -> Panels:
    """Draw the figures of readings of the cubes beside the published ones, a panel for each curve.

    Args:
        readings: those that are drawn.
        ax: a panel for each curve; by default in a new figure.
    """
    published: dict[str, dict[str, float]] = {}
    for (curve, figure), value in readings[0].published.items():
        published.setdefault(curve, {})[figure] = value
    drawn = panels_or_new(ax, len(published), grid_of(len(published), 2, (WIDTH / 2, HIGH), sharex=True))
    for axes, (curve, figures) in zip(drawn, published.items(), strict=True):
        rows = np.arange(len(figures), dtype=np.float64)
        for number, scored in enumerate(readings):
            own = {figure: scored.figures[curve, figure] for figure in figures}
            aside = np.float64(APART * (number - (len(readings) - 1) / 2))
            _points(axes, own, rows + aside, number, scored.reading.name)
        axes.vlines([*figures.values()], rows - 0.5, rows + 0.5, color="black", lw=2.5, label="published")
        axes.set_yticks(rows, [in_words(figure) for figure in figures])
        axes.set_ylim(len(figures) - 0.4, -0.6)
        axes.set_title(curve, fontsize=LEAST, loc="left")
        axes.grid(alpha=0.3, lw=0.5, axis="x")
    for axes in drawn[-2:]:
        axes.set_xlabel("win probability against the optimum")
    add_legend(drawn[0], ax is None, handles=drawn[0].get_legend_handles_labels()[0],
               loc="outside lower center", ncols=2, frameon=False)  # fmt: skip
    return drawn


def _points(axes: Axes, own: Mapping[str, Floats], rows: Floats, number: int, name: str) -> None:
    """The mean of each figure of a reading, and the range of its runs: a published figure is that of one run."""
    color = HUES[number % len(HUES)]
    axes.hlines(
        rows, [values.min() for values in own.values()], [values.max() for values in own.values()], color=color, lw=1.5
    )
    axes.plot(
        [values.mean() for values in own.values()], rows, MARKERS[number % len(MARKERS)], ms=6, color=color, label=name
    )


def in_words(figure: str) -> str:
    """What a figure of the cubes is, from its name in `published.yaml`, which counts records."""
    word, _, record = figure.partition(" ")
    generation = RECORDED_EVERY * int(record)
    if word == "at":
        return f"in generation {generation}"
    return word if record == "1" else f"{word} from\ngeneration {generation} on"
