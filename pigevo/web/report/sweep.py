"""The report of a sweep: ranking, comparisons and curves of its settings, and the best champions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.colors import to_hex

from pigevo.core.text import (
    clipped,
    counted,
    ends_of,
    for_shell,
    multiplied,
    percent,
    percent_with_interval,
    ranges_in_short,
    simultaneous,
)
from pigevo.runs.pictures import Reel
from pigevo.sweeps import METRICS
from pigevo.sweeps.comparison import cautions
from pigevo.sweeps.curves import looks_of
from pigevo.sweeps.load import RANDOM_SEARCH, Member, Sweep, figures_of
from pigevo.sweeps.record import read_record
from pigevo.sweeps.report import (
    OPEN,
    Report,
    have_same_seeds,
    identical_settings,
    names_without_key,
    random_means,
    short_names,
    suffix_of,
    title_of,
    verdicts,
)
from pigevo.sweeps.statistics import Compared, RankedSetting
from pigevo.web.drawing import page_colour, svg
from pigevo.web.html import (
    Html,
    Part,
    command,
    details,
    minus,
    note,
    paragraph,
    section,
    setting_name,
    share,
    table,
    tag,
    tiles,
)
from pigevo.web.report import (
    ReportedSettings,
    changed_settings,
    meanings_part,
    path_of,
    reported_settings,
    settings_part,
    versions_table,
)
from pigevo.web.report.champion import champion_part, film_part
from pigevo.web.report.curves import MOST_DRAWN, best_part, sweep_curves

MOST_RUNS = 1000  # the largest number of runs in the table; `report/table.csv` has all
LONGEST_NOTE = 60  # the largest number of letters below a key figure
SHEET_ROWS = 8  # the number of settings in the table on the first printed page
MOST_ROWS = 500  # of comparisons on the page, which has a size limit
SHOWN_ROWS = 20  # the number of comparisons shown at once; the others are shown on request

HASHED = re.compile(".+-[0-9a-f]{10}")  # a folder's name made by `hashed_name`
MOST_EXPERIMENTS = 3  # the largest number of experiments in a title

COST = ("evaluations", "games", "seconds")


@dataclass(frozen=True, eq=False)
class ReportedRun:
    """A run whose champion a report shows, with a title that gives the reason, and a unique name."""

    member: Member
    title: str
    name: str


def reported_runs(report: Report) -> list[ReportedRun]:
    """The best and the median run of the setting with the largest mean, by the figure of the ranking."""
    best = report.settings[0].setting
    values = {member: figures_of(run)[report.metric] for member, run in report.sweep.runs.items()}
    runs = sorted((run for run in values if run.setting == best), key=lambda run: -values[run])
    middle = runs[len(runs) // 2]
    reported = [ReportedRun(runs[0], f"The best run: seed {runs[0].seed}, {percent(values[runs[0]])}", "best")]
    if middle != runs[0]:
        which = "median" if len(runs) > 2 else "other"
        reported.append(
            ReportedRun(middle, f"The {which} run: seed {middle.seed}, {percent(values[middle])}", "median")
        )
    return reported


def sweep_report(
    report: Report, axis: str, films: Mapping[str, Reel | str], meanings: Mapping[str, str], title: str = ""
) -> list[Html]:
    """The parts of the report of a sweep; `axis` is shown first, `films` are by the name of the run.

    By default the title has the experiment and what was varied.
    """
    sweep = report.sweep
    chosen = reported_settings(next(iter(sweep.runs.values())))
    return [
        tag("header", tag("h1", title or title_of_sweep(sweep)), tag("p", _about(sweep), class_="about")),
        _sheet(report, chosen),
        section("What was found", *map(paragraph, _findings(report)), tiles(_figures(report)), name="found"),
        section("Ranking", *_ranking(report), name="ranking"),
        section("How it went", *_curves(report, axis), name="curves"),
        section("Champions of the setting with the largest mean", *_champions(report, films), name="champions"),
        section("Settings", *settings_part(chosen, _varied(sweep)), name="settings"),
        tag("section", details(f"All {len(sweep.members):,} runs", *_runs(sweep)), id="runs"),
        meanings_part(meanings),
        section("Where this is from", *_origin(sweep), name="origin"),
    ]


def title_of_sweep(sweep: Sweep) -> str:
    """The experiment and what was varied, `cube_random: mutation and seed`; a folder named by the user, its name."""
    folder = sweep.folder.resolve().name
    if not HASHED.fullmatch(folder):
        return folder
    names = sorted({str(member.values.get("experiment") or "A sweep") for member in sweep.members})
    seeds = ["seed"] if len({member.seed for member in sweep.members}) > 1 else []
    keys = [key for key in sweep.swept if key != "experiment"] + seeds
    varied = " and ".join(filter(None, [", ".join(keys[:-1]), *keys[-1:]]))
    title = " and ".join(names) if len(names) <= MOST_EXPERIMENTS else f"{len(names)} experiments"
    return f"{title}: {varied}" if varied else title


def _named(setting: str) -> Html:
    """The name of a setting or of a random search in a table."""
    title = title_of(setting)
    return setting_name(title if title == setting else multiplied(title))


def _sheet(report: Report, chosen: ReportedSettings) -> Html:
    """The first printed page, to hand in: answer, picture, the numbers of each setting, and how to repeat it."""
    shown = report.ranking[:SHEET_ROWS]
    rows = [
        [
            _named(ranked.setting),
            share(ranked.mean),
            ends_of(ranked.low, ranked.high),
            str(ranked.runs),
        ]
        for ranked in shown
    ]
    left = len(report.ranking) - len(shown)
    seeds = sorted({member.seed for member in report.sweep.runs})
    over = f"{'seed' if len(seeds) == 1 else 'seeds'} {ranges_in_short(seeds)}"
    versions = {str(run.result["versions"]["pigevo"]) for run in report.sweep.runs.values() if run.result}
    made_by = f"Computed by pigevo {' and '.join(sorted(versions))}."
    at_once = f" Intervals are {together}." if (together := simultaneous(len(report.ranking))) else ""
    caption = f"By {METRICS[report.metric]}, the mean over {over}.{at_once} {made_by}"
    ranking = table(["setting", "mean", "95 % interval", "seeds"], rows, caption)
    more_settings = note(f"{counted(left, 'more row')} of the ranking: report/ranking.csv.") if left else ""
    said = (verdicts if report.settings[1:] else _findings)(report)
    parts = [
        paragraph(" ".join(dict.fromkeys([*said[:2], *cautions(report.sweep)]))),
        tag("figure", svg(report.figure, "hand-in", "The curves of the settings, and the result of each seed.")),
        tag("div", tag("div", ranking, more_settings), tag("div", changed_settings(chosen, _varied(report.sweep)))),
        *_again(report.sweep),
    ]
    return tag("section", *parts, id="hand-in", class_="sheet")


def _about(sweep: Sweep) -> list[Part]:
    count, seeds = len(sweep.members), len({member.seed for member in sweep.members})
    done, states = len(sweep.finished), [member.state for member in sweep.members]
    sentences: list[Part] = [
        f"A sweep of {counted(count, 'run')} of evolution: {counted(len(sweep.settings), 'setting')} "
        f"with {counted(seeds, 'seed')}. "
    ]
    if done == count:
        return [*sentences, "All runs have finished."]
    rest = ", ".join(f"{states.count(state):,} {state}" for state in dict.fromkeys(states) if state != "finished")
    return [*sentences, tag("strong", f"{done:,} of {count:,} runs have finished ({rest}); the others are left out.")]


def _findings(report: Report) -> list[str]:
    best = report.settings[0]
    mean = percent_with_interval(best.mean, best.low, best.high, "95 % interval ")
    if len(report.settings) == 1:
        return [f"On average over {counted(best.runs, 'seed')}, {METRICS[report.metric]} is {mean}.", *verdicts(report)]
    first, *further = verdicts(report)
    largest = f"the largest mean of a setting is {mean}, over {counted(best.runs, 'seed')}: {best.setting}."
    return [first, f"By {METRICS[report.metric]}, {largest}", *further]


def _figures(report: Report) -> Iterator[tuple[str, str, str]]:
    runs, first = report.sweep.runs, report.first
    if len(report.settings) > 1:
        most = "largest mean of a setting" if report.settings[0].setting == first[0] else "mean of the best setting"
        title = most if len(first) > 1 else "best setting"
        groups = [group for group in identical_settings(report) if have_same_seeds(report, group)]
        alike = any({*first} <= {*group} for group in groups)
        if alike:
            named, short = f"identical: {short_names(first)}", f"identical: {len(first)} settings"
        elif len(first) > 1:
            named = f"{first[0]}, not settled beside {names_without_key(report, first[1:])}"
            short = f"not settled beside {counted(len(first) - 1, 'other setting')}"
        else:
            named, short = first[0], clipped(first[0], LONGEST_NOTE)
        mean = next(ranked.mean for ranked in report.settings if ranked.setting == first[0])
        yield title, percent(mean), named if len(named) <= LONGEST_NOTE else short
        last = report.settings[-1]
        if last.setting not in first:
            yield "last setting", percent(last.mean), clipped(last.setting, LONGEST_NOTE)
    for ranked in report.ranking:
        if ranked not in report.settings:
            yield title_of(ranked.setting), percent(ranked.mean), "on average, with as many strategies"
    champions = {member: figures_of(run)["champion"] for member, run in runs.items()}
    top = max(champions, key=lambda member: champions[member])
    yield "best champion", percent(champions[top]), f"of all runs, exactly; seed {top.seed}"
    spent = {name: sum(run.result[name] for run in runs.values() if run.result) for name in COST}
    games = f" and {spent['games']:,} simulated games" if spent["games"] else ""
    yield "cost", f"{spent['evaluations']:,}", f"strategies{games}, in {spent['seconds']:,.0f} s of {len(runs):,} runs"


def _ranking(report: Report) -> list[Html]:
    ranking = report.ranking
    at_once = f", {together}" if (together := simultaneous(len(ranking))) else ""
    optima = {member.setting: run.optimum for member, run in report.sweep.runs.items()}
    best = max(optima.values())
    scale, looks = scale_of(ranking, best), looks_of(report.sweep)
    few = " Undetermined: too few seeds to tell anything." if any(ranked.low is None for ranked in ranking) else ""
    rows: list[Sequence[Part]] = [
        [_named(ranked.setting),
         dot_of(ranked, scale, optima.get(ranked.setting, best), to_hex(looks[ranked.setting]["color"])),
         share(ranked.mean), ends_of(ranked.low, ranked.high), str(ranked.runs),
         "undetermined" if ranked.sd is None else share(ranked.sd)]
        for ranked in ranking
    ]  # fmt: skip
    axis = tag("span", tag("span", f"{scale[0]:.2f}"), tag("span", f"{scale[1]:.2f}"), class_="axis")
    heads = ["setting", axis, "mean", "95 % interval", "seeds", "standard deviation"]
    parts = [
        table(heads, rows, f"Ranked by {METRICS[report.metric]}, the mean over seeds. {_line(optima)}", words=2),
        tag("p", f"The dots lie on an axis from {scale[0]:.2f} to {scale[1]:.2f}.", class_="narrow"),
        note(
            f"A diamond is a random search. The 95 % intervals are Student's, of the mean over seeds{at_once}. "
            f"With few seeds, of which one or two differ much from the others, they are too narrow.{few}"
        ),
    ]
    return [*parts, *(note(f"{sentence}.") for sentence in random_means(report)), *_differences(report)]


def _line(optima: Mapping[str, float]) -> str:
    """The explanation of the dotted line."""
    values = sorted({f"{value:.4g}" for value in optima.values()})
    alike = f", {values[0]}" if len(values) == 1 else ""
    return f"The dotted line is what the optimum wins against itself{alike}."


def scale_of(ranking: Sequence[RankedSetting], best: float) -> tuple[float, float]:
    """The ends of the axis on which all means and intervals are drawn, within 0 and 1."""
    ends = [end for ranked in ranking for end in (ranked.low, ranked.high, ranked.mean) if end is not None]
    low, high = max(0.0, min(*ends, best - 0.05)), min(1.0, max(*ends, best))
    return math.floor(low * 20) / 20, math.ceil(high * 20) / 20


def dot_of(ranked: RankedSetting, scale: tuple[float, float], best: float, curve: str) -> Html:
    """The mean as a dot, its interval as a line, and the optimum as another line; random search is a hollow diamond.

    The dot has the colour of the setting's curve.
    """
    (low, high), color = scale, page_colour(curve)

    def at(value: float) -> str:
        return f"{6 + 188 * (min(max(value, low), high) - low) / (high - low):.1f}"

    parts = [tag("line", x1=at(best), x2=at(best), y1="0", y2="16", class_="optimum")]
    if ranked.low is not None and ranked.high is not None:
        ends = {"x1": at(ranked.low), "x2": at(ranked.high), "y1": "8", "y2": "8"}
        parts.append(tag("line", **ends, class_="interval", stroke=color))
    if title_of(ranked.setting).startswith("random search"):
        parts.append(tag("path", d=f"M{at(ranked.mean)} 3l5 5l-5 5l-5 -5z", stroke=color))
    else:
        parts.append(tag("circle", cx=at(ranked.mean), cy="8", r="4", fill=color))
    return tag("svg", *parts, viewBox="0 0 200 16", class_="dot", aria_hidden="true")


def _differences(report: Report) -> list[Html]:
    comparisons = [comparison for comparison in (report.differences, report.against_random) if comparison]
    if not comparisons:
        none = note("No two settings have a seed in common, so that none can be compared.")
        return [none] if report.settings[1:] else []
    rows = [_difference(pair) for comparison in comparisons for pair in comparison.compared]
    heads = ["setting", "verdict", "against", "difference", "interval", "seeds", "p, corrected"]
    how: list[Part] = ["Compared seed by seed"]
    compare = f"pigevo compare {for_shell(path_of(report.sweep.folder))}"
    by_metric = f" --metric {report.metric}" if suffix_of(report.metric) else ""
    for comparison, others, word in (
        (report.differences, "another setting", by_metric),
        (report.against_random, "random search", f" {RANDOM_SEARCH}"),
    ):
        if comparison and comparison.correction:
            first = "; intervals and p-values are corrected" if len(how) == 1 else ""
            correction = f"{first}, against {others} for {comparison.correction}, as "
            how += [correction, tag("code", f"{compare}{word}"), " prints them"]
    title = "Which settings are better" + (f" ({len(rows)} comparisons)" if len(rows) > 1 else "")
    rest = rows[SHOWN_ROWS:MOST_ROWS]
    more = counted(len(rest), "more comparison")
    hidden = details(more, table(heads, rest, words=3)) if rest else ""
    if len(rows) > MOST_ROWS:
        how.append(f"; {len(rows) - MOST_ROWS:,} of them are left out here")
    return [tag("div", tag("h3", title), table(heads, rows[:SHOWN_ROWS], words=3), hidden, note(*how, "."))]


def _difference(pair: Compared) -> list[Part]:
    verdict = OPEN if pair.better is None else "is better than" if pair.better == pair.a else "is worse than"
    if pair.identical:
        verdict = "has the same runs as"
    if pair.budgets:
        verdict += f"; their budgets differ: {pair.budgets}"
    return [
        _named(pair.a),
        verdict,
        _named(pair.b),
        minus(f"{pair.difference:+.4f}"),
        minus(ends_of(pair.low, pair.high, form="+.4f")),
        str(pair.seeds),
        f"{pair.corrected:.2g}",
    ]


def _curves(report: Report, axis: str) -> list[Part]:
    ranked = [setting.setting for setting in report.settings]
    curves = sweep_curves(best_part(report.sweep, ranked), axis, "curve")
    if len(ranked) <= MOST_DRAWN:
        return [curves]
    return [note(f"The {MOST_DRAWN} best of {len(ranked):,} settings; report/figures has all curves."), curves]


def _champions(report: Report, films: Mapping[str, Reel | str]) -> list[Html]:
    from pigevo.exact import optimal

    parts: list[Html] = []
    for run in reported_runs(report):
        champion = report.sweep.runs[run.member].champion
        film = film_part(films[run.name], optimal(champion.game).strategy, run.name, "h4")
        parts += [tag("h3", run.title), *champion_part(champion), *film]
    return parts


def _varied(sweep: Sweep) -> dict[str, Sequence[str]]:
    values, seeds = sweep.words.values(), sorted({member.seed for member in sweep.members})
    varied: dict[str, Sequence[str]] = {
        key: list(dict.fromkeys(value[key] for value in values if key in value)) for key in sweep.swept
    }
    return varied | ({"seed": [ranges_in_short(seeds)]} if len(seeds) > 1 else {})


def _runs(sweep: Sweep) -> list[Html]:
    figures = {
        member: [*map(share, figures_of(run).values()), tag("code", run.result["digest"][:12])]
        for member, run in sweep.runs.items() if run.result
    }  # fmt: skip
    rows = [
        [
            setting_name(member.setting or "all runs"),
            str(member.seed),
            member.state,
            *figures.get(member, ["-"] * (len(METRICS) + 1)),
        ]
        for member in sweep.members[:MOST_RUNS]
    ]
    runs_table = table(["setting", "seed", "state", *METRICS, "digest"], rows, words=1)
    left = len(sweep.members) - len(rows)
    return [runs_table, *([note(f"{left:,} more runs are in report/table.csv.")] if left > 0 else [])]


def _again(sweep: Sweep) -> list[Html]:
    """The command that makes a sweep again, if it was typed."""
    typed = read_record(sweep.folder).get("overrides", [])
    again = " ".join(["python -m pigevo -m", *map(for_shell, map(str, typed if isinstance(typed, list) else []))])
    return [paragraph("This command repeats it:"), command(again)] if typed else []


def _origin(sweep: Sweep) -> list[Part]:
    path = path_of(sweep.folder)
    versions = [dict(run.result["versions"]) for run in sweep.runs.values() if run.result]
    kinds = list({str(version): version for version in versions}.values())
    titles = "versions of all runs" if len(kinds) == 1 else "versions of some of the runs"
    first = next(iter(sweep.finished)).folder
    return [
        paragraph("The sweep lies in ", tag("code", path), ", and each run in a folder of its own."),
        *_again(sweep),
        paragraph("This checks that the files of a run, here the first, are unchanged, and repeats it to the bit:"),
        command(f"pigevo verify {for_shell(path_of(first))}"),
        paragraph("These tables and curves as files, and which settings are better:"),
        command(f"pigevo report {for_shell(path)}\npigevo compare {for_shell(path)}"),
        *[details(titles, versions_table(kind)) for kind in kinds],
    ]
