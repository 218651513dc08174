"""The report of one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pigevo.core.checked_values import JsonObject
from pigevo.core.intervals import Placement
from pigevo.core.text import clipped, counted, ends_of, for_shell, multiplied, percent, percent_below
from pigevo.errors import InputError
from pigevo.runs.baseline import BaselineRecord
from pigevo.runs.checkpoint import changed_versions
from pigevo.runs.load import Run
from pigevo.runs.pictures import Reel
from pigevo.runs.result import sentences, with_cubes
from pigevo.settings.schema import spelled
from pigevo.web.html import Html, Part, command, details, note, paragraph, section, share, table, tag, tiles
from pigevo.web.report import OUTCOME_PARTS, ReportedSettings, meanings_part, path_of, settings_part, versions_table
from pigevo.web.report.champion import champion_part, film_part
from pigevo.web.report.curves import run_curves

MOST_IN_TITLE, LONGEST_IN_TITLE = 3, 40
"""The largest number of settings in the title of a run, and the largest number of letters of each."""


def finished_result(run: Run) -> JsonObject:
    """The result of a run; an unfinished run is refused."""
    if run.result is None:
        raise InputError(f"{run.folder} has not finished: `pigevo resume {for_shell(str(run.folder))}` first.")
    return run.result


def run_report(
    run: Run, chosen: ReportedSettings, film: Reel | str, again: str, meanings: Mapping[str, str], title: str = ""
) -> list[Html]:
    """The parts of the report of a finished run; `again` is the command that repeats it, or empty.

    By default the title has the experiment and what differs from it.
    """
    from pigevo.exact import optimal

    result, champion = finished_result(run), run.champion
    assert run.folder is not None
    outcome = OUTCOME_PARTS.find(run.outcome_name)
    about = f"One run of evolution in {champion.game}, with the seed {chosen.values['seed']}"
    champion_parts = [*champion_part(champion), *film_part(film, optimal(champion.game).strategy, "film", "h3")]
    return [
        tag(
            "header",
            tag("h1", title or title_of_run(chosen)),
            tag("p", f"{about}.", class_="about"),
        ),
        section("What was found", paragraph(" ".join(sentences(result))), tiles(_figures(result)), name="found"),
        section("How it went", run_curves(run, chosen.settings, "curve"), name="curves"),
        section("The champion", *champion_parts, name="champion"),
        *([outcome.function(run.archive, path_of(run.folder))] if outcome else []),
        *_random(result),
        section("Settings", *settings_part(chosen), name="settings"),
        meanings_part(meanings),
        section("Where this is from", *_origin(run, result, path_of(run.folder), again, chosen.why), name="origin"),
    ]


def title_of_run(chosen: ReportedSettings) -> str:
    """The experiment and the settings that differ from it, all but the seed: `cube_random, mutation = 0.005`."""
    changed = [f"{key} = {spelled(value)}" for key, value in chosen.differences.items() if key != "seed"]
    more = [f"and {counted(len(changed) - MOST_IN_TITLE, 'more setting')}"] if len(changed) > MOST_IN_TITLE else []
    name = chosen.values.get("experiment") or "A run"
    return ", ".join([name, *(clipped(part, LONGEST_IN_TITLE) for part in changed[:MOST_IN_TITLE]), *more])


def _figures(result: JsonObject) -> Iterator[tuple[str, str, str]]:
    champion = result["champion"]
    games = f" and {result['games']:,} simulated games" if result["games"] else ""
    best = result.get("optimum_overall", 0.5)
    yield "champion", percent_below(champion["overall"], best), f"wins against the optimum, exactly{_ceiling(result)}"
    yield "moving first", percent(champion["first"]), f"second {percent(champion['second'])}"
    yield "best mean", percent(result["peak_mean"]), f"of the population, in generation {result['peak_generation']:,}"
    yield "last mean", percent(result["last_mean"]), f"in generation {result['generations']:,}"
    yield "best seen", percent(result["best_seen"]), "of all members recorded; the run could not know"
    yield "cost", f"{result['evaluations']:,}", f"strategies{games}, in {result['seconds']:,.1f} s"


def _ceiling(result: JsonObject) -> str:
    """The largest possible win probability; missing in older records."""
    best = result.get("optimum_overall")
    return "" if best is None else f"; {100 * best:.4g} % is the best there is"


def _random(result: JsonObject) -> list[Html]:
    """The run beside random strategies, random populations and random search, if it was compared with them."""
    base: BaselineRecord | None = result["baseline"]
    if not base:
        return []
    means = [
        ["random populations of the run's first genome", share(base["own_mean"]), ends_of(*base["own_interval"])],
        ["random populations with single cells", share(base["cells_mean"]), ends_of(*base["cells_interval"])],
    ]
    searches = [
        [multiplied(search["cubes"]) if search["cubes"] != "1" else "single cells", f"{search['strategies']:,}",
         share(search["by_matches"])]
        for search in base["random_search"]
    ]  # fmt: skip
    members = base["champion_among_members"]
    rows = [
        [multiplied(f"strategies{with_cubes(cubes)}"), *_cells_of(placement)] for cubes, placement in members.items()
    ]
    rows.append(["populations, by their mean", *_cells_of(base["peak_among_means"])])
    parts: list[Part] = [
        table(["of", "mean", "95 % interval"], means, f"What {base['populations']:,} random populations win on average")
    ]
    if searches:
        heads = ["cubes", "strategies", "chosen by the same matches"]
        parts.append(table(heads, searches, "What random search finds with the run's budget"))
    heads = ["among random", "the run's", "as good", "the best of them"]
    parts.append(table(heads, rows, "Random strategies and populations that are as good as the run's"))
    return [section("Beside random strategies", *parts, name="random")]


def _cells_of(record: JsonObject) -> list[str]:
    placement = Placement.read(record)
    return [share(placement.value), f"{placement.reached:,} of {placement.sample:,}", share(placement.largest)]


def _origin(run: Run, result: JsonObject, folder: str, again: str, why: str) -> list[Part]:
    rows = [("digest of the whole run", result["digest"]), ("hash of the settings", result["config_hash"]),
            ("digest of the champion", run.champion.digest)]  # fmt: skip
    begun = changed_versions(result["begun_with"], result["versions"])
    parts: list[Part] = [
        paragraph("The run lies in ", tag("code", folder), "."),
        *([paragraph("This command repeats it, to the bit:"), command(again)] if again else []),
        *([note(f"This report leaves out what needs the run's code: {why}")] if why else []),
        paragraph("This checks that its files are unchanged, and repeats it:"),
        command(f"pigevo verify {for_shell(folder)}"),
        table(["what", "SHA-256"], [[name, tag("code", value)] for name, value in rows], words=2),
        details("versions at its end", versions_table(result["versions"])),
    ]
    if begun:
        parts.append(paragraph(f"Changed since the run began: {'; '.join(begun)}."))
    if files := result.get("files"):
        rows = [(name, tag("code", str(value))) for name, value in files.items()]
        parts.append(details("its files", table(["file", "SHA-256"], rows, words=2)))
    return parts
