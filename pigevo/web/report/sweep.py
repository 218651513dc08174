"""The report of a sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pigevo.core.text import clipped
from pigevo.runs.film import Reel
from pigevo.sweeps.labels import flat
from pigevo.sweeps.load import RESULTS, Member, Sweep
from pigevo.sweeps.record import read_record
from pigevo.sweeps.report import Report
from pigevo.web.html import Html, Part, table, tag
from pigevo.web.report.champion import champion_part
from pigevo.web.report.chosen import chosen_of, settings_part
from pigevo.web.report.curves import DRAWN, drawn_part, sweep_curves
from pigevo.web.report.film import film_part
from pigevo.web.report.parts import (
    command,
    interval,
    meanings_list,
    more,
    note,
    path_of,
    section,
    share,
    tiles,
    versions_table,
    words,
)
from pigevo.web.report.ranking import METRICS, ranking_part
from pigevo.web.report.run import quoted

MOST_RUNS = 1000
"""Runs in the table of all; `report/table.csv` has every one."""


@dataclass(frozen=True, eq=False)
class ReportedRun:
    """A run whose champion a report shows.

    Args:
        member: the run.
        why: it is shown, as a title.
        name: which no other has.
    """

    member: Member
    why: str
    name: str


def shown_runs(made: Report) -> list[ReportedRun]:
    """The best run of the best setting, and its median run, by the figure that settings are ranked by."""
    results, best = made.sweep.results(), made.ranking[0].setting
    values = dict(zip(made.sweep.runs, results[made.metric].tolist(), strict=True))
    runs = sorted((one for one in values if one.setting == best), key=lambda one: -values[one])
    middle = runs[len(runs) // 2]
    found = [ReportedRun(runs[0], f"The best run: seed {runs[0].seed}, {share(values[runs[0]])}", "best")]
    if middle != runs[0]:
        found.append(ReportedRun(middle, f"The median run: seed {middle.seed}, {share(values[middle])}", "median"))
    return found


def sweep_report(
    made: Report, axis: str, meanings: Mapping[str, str], reels: Callable[[ReportedRun], tuple[Reel | None, str]]
) -> list[Html]:
    """The parts of the report.

    Args:
        made: the ranking and what it is from.
        axis: the axis of the curves that is seen first.
        meanings: what words mean, by word.
        reels: the film of a run's champion, or why it has none.
    """
    sweep = made.sweep
    chosen = chosen_of(next(iter(sweep.runs.values())))
    return [
        tag("header", tag("h1", sweep.folder.resolve().name), tag("p", _about(sweep), class_="about")),
        section("What was found", words(_found(made)), tiles(_figures(made)), name="found"),
        section("Ranking", *ranking_part(made), name="ranking"),
        section("How it went", *_curves(made, axis), name="curves"),
        section("Champions of the best setting", *_champions(made, reels), name="champions"),
        section("Settings", *settings_part(chosen, _varied(sweep)), name="settings"),
        tag("section", more(f"All {len(sweep.members):,} runs", *_runs(sweep)), id="runs"),
        tag("section", more("What the words mean", meanings_list(meanings)), id="words"),
        section("Where this is from", *_origin(sweep), name="origin"),
    ]


def _about(sweep: Sweep) -> list[Part]:
    count, seeds = len(sweep.members), len({member.seed for member in sweep.members})
    done, states = len(sweep.finished), [member.state for member in sweep.members]
    said: list[Part] = [
        f"A sweep of {count:,} runs of evolution: {len(sweep.settings):,} settings with {seeds:,} seeds. "
    ]
    if done == count:
        return [*said, "All runs have finished."]
    others = ", ".join(f"{states.count(state):,} {state}" for state in dict.fromkeys(states) if state != "finished")
    return [*said, tag("strong", f"{done:,} of {count:,} runs have finished ({others}); the others are left out.")]


def _found(made: Report) -> str:
    best = made.ranking[0]
    ends = f", 95 % interval {interval(best.low, best.high)}" if best.low is not None else ""
    said = f"By {METRICS[made.metric]}, "
    if len(made.ranking) == 1:
        return f"{said}its runs have {share(best.mean)} on average over {best.runs} seeds{ends}."
    place = f"the setting {best.setting} is first of {len(made.ranking)}"
    return f"{said}{place}: {share(best.mean)} on average over {best.runs} seeds{ends}."


def _figures(made: Report) -> Iterator[tuple[str, str, str]]:
    results, best, last = made.sweep.results(), made.ranking[0], made.ranking[-1]
    yield "best setting", share(best.mean), clipped(best.setting or "all runs", 60)
    if len(made.ranking) > 1:
        yield "last setting", share(last.mean), clipped(last.setting, 60)
    top = int(results["champion"].argmax())
    yield (
        "best champion",
        share(float(results["champion"][top])),
        f"of all runs, exactly; seed {int(results['seed'][top])}",
    )
    seconds = sum(run.result["seconds"] for run in made.sweep.runs.values() if run.result)
    yield "cost", f"{seconds:,.0f} s", f"of {len(made.sweep.finished):,} finished runs"


def _curves(made: Report, axis: str) -> list[Part]:
    ranked = [one.setting for one in made.ranking]
    curves = sweep_curves(drawn_part(made.sweep, ranked), axis, "curve")
    if len(ranked) <= DRAWN:
        return [curves]
    return [note(f"The {DRAWN} best of {len(ranked):,} settings; report/figures has all curves."), curves]


def _champions(made: Report, reels: Callable[[ReportedRun], tuple[Reel | None, str]]) -> list[Html]:
    from pigevo.exact import optimal

    parts: list[Html] = []
    for one in shown_runs(made):
        champion, (reel, why) = made.sweep.runs[one.member].champion, reels(one)
        best = optimal(champion.game).strategy
        film = [tag("h4", "Its film"), *film_part(reel, best, one.name)] if reel else [words(why)]
        parts += [tag("h3", one.why), *champion_part(champion), *film]
    return parts


def _varied(sweep: Sweep) -> dict[str, Sequence[str]]:
    """The values of what was varied, the seed last."""
    values = [flat(member.values) for member in sweep.members]
    keys = [*sweep.swept, *(["seed"] if len({one["seed"] for one in values}) > 1 else [])]
    return {key: list(dict.fromkeys(one[key] for one in values if key in one)) for key in keys}


def _runs(sweep: Sweep) -> list[Html]:
    results, figures = sweep.results(), {}
    for number, (member, run) in enumerate(sweep.runs.items()):
        assert run.result is not None
        figures[member] = [
            *(share(float(results[name][number])) for name in RESULTS),
            tag("code", run.result["digest"][:12]),
        ]
    rows = [
        [
            tag("code", one.setting or "all runs"),
            str(one.seed),
            one.state,
            *figures.get(one, ["-"] * (len(RESULTS) + 1)),
        ]
        for one in sweep.members[:MOST_RUNS]
    ]
    shown = table(["setting", "seed", "state", *RESULTS, "digest"], rows, words=1)
    left = len(sweep.members) - len(rows)
    return [shown, *([note(f"{left:,} more runs are in report/table.csv.")] if left > 0 else [])]


def _origin(sweep: Sweep) -> list[Part]:
    place = path_of(sweep.folder)
    typed = read_record(sweep.folder).get("overrides", [])
    again = " ".join(["python -m pigevo -m", *map(quoted, map(str, typed if isinstance(typed, list) else []))])
    found = [dict(run.result["versions"]) for run in sweep.runs.values() if run.result]
    kinds = list({str(one): one for one in found}.values())
    titles = "versions of all runs" if len(kinds) == 1 else "versions of some of the runs"
    first = next(iter(sweep.finished)).folder
    return [
        words("The sweep lies in ", tag("code", place), ", and each run in a folder of its own."),
        *([words("This makes it again:"), command(again)] if typed else []),
        words(
            "This says whether a run is what was written, and whether it can be made again to the bit; the first one:"
        ),
        command(f"pigevo verify {quoted(path_of(first))}"),
        words("These tables and curves as files, and which settings are better:"),
        command(f"pigevo report {quoted(place)}\npigevo compare {quoted(place)}"),
        *[more(titles, versions_table(one)) for one in kinds],
    ]
