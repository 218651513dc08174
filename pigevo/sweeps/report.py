"""The report of a sweep: one table, the curves, and the ranking of the settings."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from pigevo.core.arrays import own_errors
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import counted, level, percent, percent_with_interval, sentence, without_folders
from pigevo.errors import InputError, unknown
from pigevo.figures import FORMATS
from pigevo.figures.axes import Look, Panels, figure_of, save_figure
from pigevo.figures.bands import SettingOutcome, plot_outcomes, plot_panels
from pigevo.figures.ranks import MeanRanks, mean_ranks, plot_ranks
from pigevo.storage.files import csv_bytes, path_in, write_bytes
from pigevo.sweeps import AXES, CURVES, METRICS
from pigevo.sweeps.comparison import Comparison, cautions, compare_settings, identical
from pigevo.sweeps.curves import BAND_SHARE, band_of, is_ordered, looks_of, notes_on_ends, panels_of, waves_of
from pigevo.sweeps.load import RANDOM_SEARCH, Sweep
from pigevo.sweeps.record import WHOLE
from pigevo.sweeps.statistics import POWER, Compared, RankedSetting, rank_settings

DEFAULTS = ("champion", "generation")  # the metric and the axis

MOST_OUTCOMES, MOST_CURVES = 20, 8
"""The largest number of settings whose outcomes the figure shows, and the number whose curves it draws."""

MOST_NAMED = 6  # the largest number of settings named in one sentence
MOST_PARTS = 2  # the largest number of groups of comparisons that one sentence names


@dataclass(frozen=True)
class RandomMean:
    """The mean of the means of random populations, and its 95 % interval; None if the run did not record it."""

    mean: float
    low: float | None
    high: float | None
    populations: int


@dataclass(frozen=True, eq=False)
class Report:
    """The content of a report and its files.

    `ranking` has the settings, and the random searches with which they were compared, the best first by `metric`;
    `random` has the mean win probability of random populations for each setting with a baseline; `differences` are the
    comparisons between settings, None if no two have a seed in common; `against_random` those of the random searches
    with all settings, corrected together; `figure` is the one to hand in.
    """

    sweep: Sweep
    metric: str
    ranking: list[RankedSetting]
    files: list[Path]
    random: Mapping[str, RandomMean]
    differences: Comparison | None
    against_random: Comparison | None
    figure: Figure

    @property
    def searches(self) -> dict[str, list[Compared]]:
        """The comparisons of each random search with every setting."""
        by_search: dict[str, list[Compared]] = {}
        for pair in self.against_random.compared if self.against_random else ():
            by_search.setdefault(pair.a, []).append(pair)
        return by_search

    @property
    def settings(self) -> list[RankedSetting]:
        """The ranking without random search."""
        searches = {search.setting for search in self.sweep.searches}
        return [ranked for ranked in self.ranking if ranked.setting not in searches]

    @property
    def first(self) -> list[str]:
        """The best setting, and all that these seeds do not separate from it.

        It has the largest mean of those than which no other is shown to be better: means may be over different seeds.
        """
        settings = [ranked.setting for ranked in self.settings]
        compared = self.differences.compared if self.differences else ()
        worse = [(pair.better, pair.b if pair.better == pair.a else pair.a) for pair in compared if pair.better]
        beaten = {loser for _, loser in worse}
        best = next((setting for setting in settings if setting not in beaten), settings[0])
        rest = [setting for setting in settings if setting != best and (best, setting) not in worse]
        return [best, *rest]


@own_errors
def report(sweep: Sweep, metric: str = "champion", axis: str = "generation", figures: str | None = None) -> Report:
    """Collect a sweep's finished runs in a table, draw their curves along `axis` and rank the settings by `metric`.

    `figures` is the format of all pictures; None is PNG, and for the main figure also PDF.

    The files are written to `report/` in the sweep's folder; whether they can be written is checked first. Those that
    depend on another metric or axis than the default have its name, so that they replace no others.
    """
    ranking = ranking_of(sweep, metric)
    if axis not in AXES:
        raise unknown("axis", axis, AXES)
    drawn = {curve: _figure(sweep, curve, axis) for curve in CURVES}
    of_metric, of_axis = suffix_of(metric), suffix_of(axis)
    names = ["table.csv", "table.parquet", f"ranking{of_metric}.csv"]
    names += [f"figures/{curve}{of_axis}.{figures or FORMATS[0]}" for curve in CURVES]
    csv_table, parquet_table, csv_ranking, *pictures = (path_in(sweep.folder, f"report/{name}") for name in names)
    table = sweep.table()
    files = [write_csv(csv_table, table), *write_parquet(parquet_table, table)]
    files += [write_csv(csv_ranking, columns_of(ranking)), *pictures]
    for file, figure in zip(pictures, drawn.values(), strict=True):
        save_figure(file, figure)
    hand_in = _outcomes(sweep, ranking, metric, axis)
    for kind in (figures,) if figures else ("png", "pdf"):
        files.append(path_in(sweep.folder, f"report/hand_in{of_metric}{of_axis}.{kind}"))
        save_figure(files[-1], hand_in)
    searched = sweep.searches and metric == "champion"
    against_random = _compared(sweep, [RANDOM_SEARCH], metric) if searched else None
    differences = _compared(sweep, [], metric) if len(sweep.settings) > 1 else None
    made = Report(sweep, metric, ranking, files, _random_of(sweep), differences, against_random, hand_in)
    if ranks := _mean_ranks(sweep, metric):
        files.append(path_in(sweep.folder, f"report/ranks{of_metric}.{figures or FORMATS[0]}"))
        first = [title_of(setting) for setting in made.first]
        save_figure(files[-1], _published(plot_ranks(ranks, looks=_looks_by_title(sweep), first=first)))
    return made


def suffix_of(metric_or_axis: str) -> str:
    """The end of a file's name for another metric or axis than the default."""
    return "" if metric_or_axis in DEFAULTS else f"_{metric_or_axis}"


def _outcomes(sweep: Sweep, ranking: Sequence[RankedSetting], metric: str, axis: str) -> Figure:
    """The main figure: curves and outcomes of the settings; of many, those that are first in the ranking."""
    runs, figures, values = sweep.by_setting, sweep.by_seed(metric), sweep.words
    first, searches = list(ranking[:MOST_OUTCOMES]), {search.setting for search in sweep.searches}
    drawn = [ranked.setting for ranked in first if ranked.setting in runs][:MOST_CURVES]
    if ordered := is_ordered(sweep):
        (key,) = sweep.swept
        first.sort(key=lambda ranked: (ranked.setting not in runs, float(values.get(ranked.setting, {}).get(key, 0))))
    outcomes = {
        title_of(ranked.setting): SettingOutcome(
            np.array([*figures[ranked.setting].values()]), ranked.mean, ranked.low, ranked.high,
            band_of(runs[ranked.setting], "mean", axis, BAND_SHARE) if ranked.setting in drawn else None,
            ranked.setting in searches,
        )
        for ranked in first
    }  # fmt: skip
    across = f"{AXES[axis]} (line: median of the population means; tint: central {level(BAND_SHARE)} of the seeds"
    of_searches = any(outcome.search for outcome in outcomes.values())
    of_search = ["random search: mean of its champions"] if of_searches else []
    ends = notes_on_ends([runs[setting] for setting in drawn], axis)
    across = ";\n".join([across, *of_search, *ends]) + ")"
    if len(drawn) < len(runs):
        across += f"\nOnly the first {len(drawn)} of {len(runs):,} settings in the ranking have curves."
    along = METRICS[metric]
    if len(first) < len(ranking):
        along = f"{along}: the first {len(first)} of {len(ranking):,} rows of the ranking"
    waves = waves_of([*sweep.runs.values()], axis)
    optima = {run.optimum for run in sweep.runs.values()}
    optimum = optima.pop() if len(optima) == 1 else None
    drawn_outcomes = plot_outcomes(
        outcomes, across, "win probability against the optimum", along, waves, ordered, optimum=optimum,
        looks=_looks_by_title(sweep), at_once=len(ranking),
    )  # fmt: skip
    return _published(drawn_outcomes)


def _looks_by_title(sweep: Sweep) -> dict[str, Look]:
    return {title_of(name): look for name, look in looks_of(sweep).items()}


def _mean_ranks(sweep: Sweep, metric: str) -> MeanRanks | None:
    """The mean ranks of three or more settings over the seeds that all have; None if these are fewer than two."""
    figures = {title_of(name): by_seed for name, by_seed in sweep.by_seed(metric).items() if name in sweep.by_setting}
    seeds = sorted(set.intersection(*map(set, figures.values())))
    if len(figures) < 3 or len(seeds) < 2:
        return None
    return mean_ranks({name: [by_seed[seed] for seed in seeds] for name, by_seed in figures.items()})


def title_of(setting: str) -> str:
    """A setting's title in figures and tables: `random search, cubes of 20`."""
    match = re.fullmatch(rf"{RANDOM_SEARCH}(?:,cubes=([^,]+))?(?:,(.+))?", setting)
    if not match:
        return setting or WHOLE
    cubes = "single cells" if match[1] == "1" else match[1] and f"cubes of {match[1]}"
    return ", ".join(filter(None, ("random search", cubes, match[2])))


def _compared(sweep: Sweep, words: Sequence[str], metric: str) -> Comparison | None:
    try:
        return compare_settings(sweep, words, metric)
    except InputError:  # no two have a seed in common
        return None


def _figure(sweep: Sweep, curve: str, axis: str) -> Figure:
    panels = panels_of(sweep, curve, axis)
    bands = [band for panel in panels for band in panel.bands.values()]
    if not any(np.ptp(band.x) > 0 for band in bands if len(band.x)):
        why = f"no run has spent any {axis}"
        if not all(len(band.x) for band in bands):
            why = f"in every setting one run was over before another had begun, in {axis}"
        raise InputError(
            f"{why}, so there are no curves to draw along it: choose another --axis "
            f"({', '.join(AXES)}), or `pigevo report SWEEP --table markdown`, which draws none."
        )
    across = f"{AXES[axis]} (line: median; tint: central {level(BAND_SHARE)} of the seeds"
    across = ";\n".join([across, *notes_on_ends([*sweep.by_setting.values()], axis)]) + ")"
    drawn = plot_panels(panels, across, CURVES[curve], optimum=curve != "diversity", ordered=is_ordered(sweep))
    return _published(drawn)


def _published(axes: Axes | Panels) -> Figure:
    """The figure of a `plot_*` function, which names files without their folders."""
    figure = figure_of(axes)
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        text.set_text(without_folders(text.get_text()))
    return figure


def ranking_of(sweep: Sweep, metric: str) -> list[RankedSetting]:
    """The settings by the mean of a figure, the best first, including random search."""
    figures = {name: [*by_seed.values()] for name, by_seed in sweep.by_seed(metric).items()}
    return rank_settings(figures, sweep.attainable)


def columns_of(ranking: list[RankedSetting]) -> dict[str, list[object]]:
    """The ranking as columns."""
    return {name: [asdict(ranked)[name] for ranked in ranking] for name in asdict(ranking[0])}


def verdicts(report: Report) -> list[str]:
    """The verdicts as sentences: which settings beat random search, which are best, and all comparisons with it."""
    settings, first = report.settings, report.first
    seeds = _listed([f"{ranked.runs:,}" for ranked in settings]) + (
        " seed" if all(ranked.runs == 1 for ranked in settings) else " seeds"
    )
    sentences, alike = _answer(report), identical_settings(report)
    every = len(settings) > 1 and [len(group) for group in alike] == [len(settings)]
    if every:
        sentences.append(_identical(report, alike[0], f"these {len(settings)} settings"))
    elif len(settings) > 1 and len(first) == 1:
        sentences.append(f"Of the settings, {first[0]} is best: better than every other, with {seeds}.")
    elif len(settings) > 1 and not _shown(report):
        sentences.append(f"With {seeds}, no difference between these {len(settings)} settings is shown.")
    elif len(settings) > 1:
        sentences += [_shown(report), *_open(report, seeds)]
    if not every:
        sentences += [_identical(report, group, short_names(group)) for group in alike]
    sentences += _further_seeds(report)
    for name, compared in report.searches.items():
        tried = {search.strategies for search in report.sweep.searches if search.setting == name}
        count = f"{min(tried):,} to {max(tried):,}" if len(tried) > 1 else f"{max(tried):,}"
        mean = next(ranked.mean for ranked in report.ranking if ranked.setting == name)
        title = title_of(name)
        sentences.append(
            f"{sentence(title)} (chosen by the same matches out of {count} strategies) wins "
            f"{percent(mean)} on average: {_against(compared)}."
        )
    if report.differences and report.differences.unpaired:
        sentences.append(f"{sentence(report.differences.unpaired)}.")
    return [*sentences, *cautions(report.sweep)]


def random_means(report: Report) -> list[str]:
    """What random populations win, a sentence for each mean; of several means with the settings that have it."""
    settings: dict[RandomMean, list[str]] = {}
    for setting, mean in report.random.items():
        settings.setdefault(mean, []).append(setting)
    sentences = []
    for mean, named in sorted(settings.items(), key=lambda entry: entry[0].mean):
        which = f"With {short_names(named)}, " if len(settings) > 1 else ""
        won = percent_with_interval(mean.mean, mean.low, mean.high)
        sentences.append(f"{which}{mean.populations:,} random populations win {won} on average")
    return sentences


def _shown(report: Report) -> str:
    """Which settings are shown to be better than which; empty if no difference is shown."""
    losers: dict[str, list[str]] = {}
    for pair in report.differences.compared if report.differences else ():
        if pair.better:
            losers.setdefault(pair.better, []).append(pair.b if pair.a == pair.better else pair.a)
    alike: dict[tuple[str, ...], list[str]] = {}  # those that are better than the same settings
    for setting, worse in losers.items():
        alike.setdefault(tuple(worse), []).append(setting)
    parts = [
        f"{short_names(better)} {'are' if better[1:] else 'is'} better than {names_without_key(report, worse)}"
        for worse, better in alike.items()
    ]
    further = sum(len(worse) * len(better) for worse, better in [*alike.items()][MOST_PARTS:])
    more = f"; so are {counted(further, 'other pair')} settled" if further else ""
    return f"{'; '.join(parts[:MOST_PARTS])}{more}." if parts else ""


def _open(report: Report, seeds: str) -> list[str]:
    """A sentence about the comparisons that are open, first those with the best setting; none if there are none."""
    best, compared = report.first[0], report.differences.compared if report.differences else ()
    open_pairs = [pair for pair in compared if not pair.better and not pair.identical]
    of_best = [pair for pair in open_pairs if best in (pair.a, pair.b)]
    others = [pair for pair in open_pairs if pair not in of_best]
    parts = []
    if of_best:
        names = names_without_key(report, [pair.b if pair.a == best else pair.a for pair in of_best])
        difference = of_best[0].difference * (1 if of_best[0].a == best else -1)
        each = "each of " if of_best[1:] else ""
        size = f" ({100 * difference:+.1f} percentage points)" if not of_best[1:] else ""
        parts = [f"between {names_without_key(report, [best])} and {each}{names}{size}"]
    if len(others) > MOST_PARTS:
        parts.append(f"between {len(others):,} other pairs")
    else:
        parts += [f"between {names_without_key(report, [pair.a, pair.b])}" for pair in others]
    if not parts:
        return []
    text = ", and ".join(parts) + ("," if parts[1:] else "")
    return [sentence(f"{text} nothing is settled with {seeds}.")]


def names_without_key(report: Report, settings: Sequence[str]) -> str:
    """Some settings after the first mention of one: without their key if all settings have the same one alone."""
    key = report.settings[0].setting.partition("=")[0] + "="
    same = all(ranked.setting.startswith(key) and ranked.setting.count("=") == 1 for ranked in report.settings)
    return _few([setting.removeprefix(key) if same else setting for setting in settings])


NO_CHANGE = "what differs between them changed nothing"


def _identical(report: Report, group: Sequence[str], named: str) -> str:
    """What is said of identical runs. Where seeds differ, the settings may decide which runs failed."""
    if have_same_seeds(report, group):
        return f"The runs of {named} are identical, seed by seed: {NO_CHANGE}."
    return f"With the seeds that they have in common, the runs of {named} are identical."


def have_same_seeds(report: Report, settings: Sequence[str]) -> bool:
    """Whether the finished runs of some settings have the same seeds."""
    return len({frozenset(report.sweep.digests[setting]) for setting in settings}) == 1


def identical_settings(report: Report) -> list[list[str]]:
    """The groups of two or more settings whose runs are identical."""
    groups: list[list[str]] = []
    for setting in (ranked.setting for ranked in report.settings):
        alike = [group for group in groups if all(identical(report.sweep.digests, other, setting) for other in group)]
        if alike:
            alike[0].append(setting)
        else:
            groups.append([setting])
    return [group for group in groups if len(group) > 1]


def _answer(report: Report) -> list[str]:
    """Which settings beat the random search with the largest mean, if there is one."""
    ranked = next((ranked for ranked in report.ranking if ranked.setting in report.searches), None)
    if ranked is None:
        return []
    search, compared = title_of(ranked.setting), report.searches[ranked.setting]
    settings = [pair.b for pair in compared]
    beating = [setting for setting, pair in zip(settings, compared, strict=True) if pair.better == setting]
    only = settings[0] or WHOLE.capitalize()
    if not beating:
        none = f"None of the {len(settings)} settings" if settings[1:] else only
        return [f"{none} is {'' if settings[1:] else 'not '}shown to beat {search}."]
    if len(beating) == len(settings):
        return [f"All {len(settings)} settings beat {search}." if settings[1:] else f"{only} beats {search}."]
    verb = "beat" if len(beating) > 1 else "beats"
    return [f"{short_names(beating)} {verb} {search}; no other setting is shown to."]


def _further_seeds(report: Report) -> list[str]:
    """Of the open comparisons with the best setting the one that needs fewest seeds, and how many more these are."""
    best, *rest = report.first
    compared = report.differences.compared if report.differences else ()
    pairs = [{best, setting} for setting in rest]
    wanted = [(pair.wanted_seeds, pair) for pair in compared if {pair.a, pair.b} in pairs and pair.wanted_seeds]
    if not wanted:
        return []
    seeds, pair = min(wanted, key=itemgetter(0))
    # where the seeds were enough for such an effect and yet did not show it, take as many again
    more = seeds - pair.seeds if seeds > pair.seeds else pair.seeds
    names = short_names([best, pair.b if pair.a == best else pair.a])
    points = 100 * abs(pair.difference)
    ahead = pair.a if pair.difference > 0 else pair.b
    shared = f" in the {counted(pair.seeds, 'seed')} that both have, where {ahead or WHOLE} is ahead"
    if all(ranked.runs == pair.seeds for ranked in report.ranking if ranked.setting in (pair.a, pair.b)):
        shared = ""
    return [
        f"About {more:,} more seeds would show a difference of {points:.1f} percentage points, as seen between {names}"
        f"{shared} (an estimate, for a power of {level(POWER)}; the true difference may be smaller)."
    ]


OPEN = "not shown to differ from"


def _against(compared: Sequence[Compared]) -> str:
    """The comparisons of a random search with the settings, in words."""
    groups: dict[str, list[str]] = {}
    for pair in compared:
        verdict = OPEN if pair.better is None else "better than" if pair.better == pair.a else "worse than"
        groups.setdefault(verdict, []).append(pair.b)
    if len(groups) == 1:
        ((verdict, settings),) = groups.items()
        if len(settings) == 1:
            return f"{verdict} {short_names(settings)}"
        every = ("either setting", "any of the") if verdict == OPEN else ("both settings", "all")
        return f"{verdict} {every[0] if len(settings) == 2 else f'{every[1]} {len(settings)} settings'}"
    return "; ".join(f"{verdict} {short_names(settings)}" for verdict, settings in groups.items())


def short_names(settings: Sequence[str]) -> str:
    """Settings in a sentence: `mutation=0.001, 0.002 and 0`, with a common key only once."""
    key = settings[0].partition("=")[0] + "="
    same = all(setting.startswith(key) and setting.count("=") == 1 for setting in settings)
    return _few([settings[0] or WHOLE, *(setting.removeprefix(key) if same else setting for setting in settings[1:])])


def _few(names: Sequence[str]) -> str:
    """The names in a sentence, of many only the first."""
    return _listed(
        names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} others"]
    )


def _listed(words: Sequence[str]) -> str:
    """The words in a sentence, each once: `a, b and c`."""
    *first, last = dict.fromkeys(words)
    return f"{', '.join(first)} and {last}" if first else last


def ranking_table(sweep: Sweep, ranking: Sequence[RankedSetting], form: str) -> str:
    """The ranking as a table in one of `FORMS`: a column for each swept key, then seeds, mean, interval, deviation."""
    values = sweep.words
    keys = list(sweep.swept) or ["setting"]
    head = [*keys, "seeds", "mean", "low", "high", "standard deviation"]
    rows = []
    for ranked in ranking:
        typed = values.get(ranked.setting)
        names = [typed.get(key, "") for key in sweep.swept] if typed and sweep.swept else [title_of(ranked.setting)]
        cells = [*names, *[""] * (len(keys) - len(names)), f"{ranked.runs}"]
        rows.append(
            cells
            + ["" if value is None else f"{value:.4f}" for value in (ranked.mean, ranked.low, ranked.high, ranked.sd)]
        )
    return FORMS[form](head, rows)


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |" for cells in lines)


LATEX_NAMES = {"\\": "backslash", "^": "asciicircum", "~": "asciitilde", "|": "bar", "<": "less", ">": "greater"}
IN_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"} | {sign: rf"\text{name}{{}}" for sign, name in LATEX_NAMES.items()}
)
"""What stands in LaTeX for the signs that have a meaning there, or are other letters in its usual fonts."""


def _latex(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """For the package booktabs."""
    words = len(head) - 5

    def line(cells: Sequence[str]) -> str:
        return " & ".join(cell.translate(IN_LATEX) for cell in cells) + r" \\"

    body = [r"\toprule", line(head), r"\midrule", *map(line, rows), r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{'l' * words}{'r' * 5}}}", *body, r"\end{tabular}"])


FORMS: Mapping[str, Callable[[Sequence[str], Sequence[Sequence[str]]], str]] = {
    "markdown": _markdown, "latex": _latex, "csv": lambda head, rows: csv_bytes([head, *rows]).decode().rstrip(),
}  # fmt: skip
"""The formats of `ranking_table`."""


def write_csv(path: Path, columns: Mapping[str, Sequence[object] | np.ndarray]) -> Path:
    """Write columns as CSV, atomically and with numbers in full precision."""
    lists = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()]
    return write_bytes(path, csv_bytes([columns, *zip(*lists, strict=True)]))


def write_parquet(path: Path, columns: Mapping[str, object]) -> list[Path]:
    """Write columns as Parquet, atomically; nothing if pyarrow is not installed."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return []
    content = io.BytesIO()
    parquet.write_table(pyarrow.table(dict(columns)), content)
    return [write_bytes(path, content.getvalue())]


def report_record(report: Report) -> JsonObject:
    """The report as plain values, for JSON."""
    states = [member.state for member in report.sweep.members]
    return {
        "sweep": str(report.sweep.folder),
        "runs": {state: states.count(state) for state in dict.fromkeys(states)},
        "metric": report.metric,
        "ranking": [asdict(ranked) for ranked in report.ranking],
        "first": report.first,
        "random_search": {
            name: [{**asdict(pair), "better": pair.better} for pair in compared]
            for name, compared in report.searches.items()
        },
        "random_populations": {setting: asdict(mean) for setting, mean in report.random.items()},
        "files": [str(path) for path in report.files],
    }


def _random_of(sweep: Sweep) -> dict[str, RandomMean]:
    means = {}
    for member, run in sweep.runs.items():
        if run.result is not None and run.result["baseline"]:
            base = run.result["baseline"]
            low, high = base["own_interval"]
            means[member.setting] = RandomMean(base["own_mean"], low, high, base["populations"])
    return means
