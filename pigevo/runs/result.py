"""The files of a finished run: champion, `population.npz` (one bit a gene), figures, and last of all `result.json`.

The result, which `sentences` sums up, contains the commit of pigevo, if it ran from a checkout of its repository.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np

import pigevo
from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import JsonObject
from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.evolution.logbook import Champion, Logbook, measured, outcome_of
from pigevo.evolution.loop import final_order_of_state
from pigevo.evolution.operators import Outcome
from pigevo.evolution.plan import Plan
from pigevo.games import GameRecord, game_from_record, game_to_record
from pigevo.runs.baseline import AmongRandom, BaselineRecord, SearchRecord, compare
from pigevo.runs.checkpoint import Checkpoint, Count, versions
from pigevo.runs.metrics import CHAMPIONS, CHAMPIONS_FILE, LINEAGE, LINEAGE_FILE, digestible
from pigevo.runs.progress import bar_of_champion
from pigevo.settings.settings import Settings
from pigevo.storage.files import write_bytes
from pigevo.storage.records import Missing, archive, difference, hashes_of, read_record, with_checksum, write_arrays
from pigevo.strategies import CubeGrid, Strategy
from pigevo.strategies.parse import ARCHIVE, CHAMPION, RESULT

SMALLEST_LOSS = 0.0005  # the smallest loss that is visible in percentage points with one decimal

ROUNDING = 1e-9


def searches_of(record: JsonObject) -> Sequence[SearchRecord]:
    """The random searches that a finished run was compared with, from its result."""
    return record["baseline"]["random_search"] if record["baseline"] else ()


def sentences(record: JsonObject) -> tuple[str, str]:
    """The champion's win probability compared with random search, and the population's course, as two sentences."""
    return _champion(record), _population(record)


def with_cubes(size: str) -> str:
    """The end of a sentence about cubes of one size."""
    return " with single cells" if size == "1" else f" with cubes of {size}"


def _champion(record: JsonObject) -> str:
    won = f"The champion wins {_percent(record['champion']['overall'])} against the optimal strategy{_ceiling(record)}."
    searches = searches_of(record)
    if not searches:
        return won
    first, *later = searches
    results = f"one that wins {_percent(first['by_matches'])}"
    for search in later:
        own = f"{_percent(search['by_matches'])}{with_cubes(search['cubes'])}, the champion's own"
        results += f"{with_cubes(first['cubes'])}, and {own}"
    return f"{won} Random search, {_drawn(first, record)} and the same matches, finds {results}."


def _ceiling(record: JsonObject) -> str:
    """The optimum's win probability against itself, the largest possible; missing in older records."""
    best = record.get("optimum_overall")
    if best is None:
        return ""
    clause = f"; {100 * best:.3g} % is the best there is"
    return clause if abs(best - 0.5) < ROUNDING else f"{clause}, as this game counts draws"


def _drawn(search: SearchRecord, record: JsonObject) -> str:
    whole = search["strategies"] >= record["evaluations"]
    return "with as many strategies" if whole else f"with {search['strategies']:,} strategies"


def _population(record: JsonObject) -> str:
    lost = record["peak_mean"] - record["last_mean"]
    when = f"in generation {record['peak_generation']:,} of {record['generations']:,}"
    if lost < SMALLEST_LOSS:
        return f"The population was best {when}, and has kept what it found."
    won, points = _percent(record["peak_mean"]), f"{100 * lost:.1f} percentage points"
    return f"The population was best {when}, when it won {won} on average; it has lost {points} since."


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def search_names(searches: Sequence[SearchRecord]) -> dict[str, float]:
    """The label beside a curve of each random search in a record."""
    return {
        f"random search{',' + with_cubes(search['cubes']).removeprefix(' with')}, best of {search['strategies']:,}":
        search["by_matches"] for search in searches
    }  # fmt: skip


if TYPE_CHECKING:
    from pigevo.figures.curve import Curve

RESULT_FILE = RESULT
POPULATION_FILE = "population.npz"
FORMAT = 1  # the format number of the population's file


class Result(TypedDict):
    """The entries of `result.json` that are needed to repeat a run, and those that results before 0.2.0 lack.

    The checksum protects the others.
    """

    generations: Count
    digest: str
    versions: JsonObject
    begun_with: JsonObject
    config_hash: str
    files: dict[str, str]
    baseline: BaselineRecord | None


class PopulationRecord(TypedDict):
    """The record in the file, beside the bits."""

    game: GameRecord
    cube_size: list[int]


def save_population(path: Path, grid: CubeGrid, genomes: Bytes, generation: int) -> None:
    """Write a population of zeros and ones, shape (n, genes), atomically."""
    record = {"format": FORMAT, "game": game_to_record(grid.game), "cube_size": grid.edges, "generation": generation}
    write_arrays(path, {"pigevo_population": np.array(json.dumps(record)), "bits": np.packbits(genomes, axis=1)})


def load_population(path: str | os.PathLike[str]) -> tuple[CubeGrid, Bytes]:
    """Read a run's last population.

    Returns:
        The grid of its genomes, and the genomes, shape (n, genes); `grid.strategy(genomes[0])` is the first member.

    Raises:
        InputError: the file does not exist, is not a population, or is damaged.
    """
    with archive(path, "population") as file:
        record: PopulationRecord = file.record("pigevo_population", PopulationRecord, FORMAT)
        grid = CubeGrid(game_from_record(record["game"]), record["cube_size"])
        return grid, file.bits("bits", grid.genes, rows=-1)


@dataclass(frozen=True, eq=False)
class Finish:
    """The end of a run: its champion by its own fitness, last population, `result.json`, and its records."""

    champion: Strategy
    grid: CubeGrid
    genomes: Bytes
    record: JsonObject
    comparison: AmongRandom | None
    champions: tuple[Champion, ...]
    logbook: Logbook
    outcome: Outcome | None = None

    def curve(self, rows: Sequence[JsonObject]) -> Curve:
        """The numbers of the run's curve, given the rows of its metrics."""
        from pigevo.figures.curve import curve_data

        own, cells = (self.comparison.own, self.comparison.cells) if self.comparison else (None, None)
        searches = search_names(searches_of(self.record))
        champion, optimum = self.record["champion"]["overall"], self.record["optimum_overall"]
        return curve_data(rows, champion, own, cells, optimum, searches)


def conclude(settings: Settings, point: Checkpoint) -> Finish:
    """Find the champion, evaluate it exactly, and compare the run with its baseline."""
    from pigevo.exact import optimal, win_probability

    plan, state = settings.plan, point.state
    grid = plan.waves[state.wave].grid
    # a checkpoint from a file has no final order: the run was killed before its result
    order, evaluation = point.final_order or final_order_of_state(plan, state, bar_of_champion)
    champion = grid.strategy(state.genomes[order[0]], f"champion of generation {state.generation}")
    with plan.clock("referee"):
        best = optimal(plan.game)
        figures = win_probability(champion, best.strategy)
    rows = list(point.logbook.rows)
    peak = max(rows, key=lambda row: row["mean"])
    evaluations = state.evaluations + state.fresh
    outcome = outcome_of(plan, state, evaluation.scores)
    with plan.clock("random_search"):
        comparison = compare(
            settings, peak["mean"], len(rows), champion=figures.overall, evaluations=evaluations, top=best.overall
        )
    record = {
        "champion": {"first": figures.first, "second": figures.second, "overall": figures.overall},
        "champion_member": int(order[0]),
        "optimum": best.value,
        "optimum_overall": best.overall,
        "peak_mean": peak["mean"],
        "peak_generation": peak["generation"],
        "last_mean": rows[-1]["mean"],
        "best_seen": max(row["best"] for row in rows),
        "generations": state.generation,
        "planned": plan.generations,
        "evaluations": evaluations,
        "games": state.games + evaluation.games,
        "champion_games": evaluation.games,
        "measured": measured(plan, state, order, evaluation) or None,
        **time_spent(plan),
        "baseline": comparison.record if comparison else None,
        "digest": digest(settings.seed, point, champion),
        "versions": versions(),
        "begun_with": dict(point.versions),
        "checkout": checkout(),
        "config_hash": settings.hash,
        "config": settings.values,
    }
    if outcome is not None:
        record[plan.selection.outcome_name] = dict(outcome.record)
    champions = (*point.logbook.champions, Champion.of(plan, state, order[0]))
    return Finish(champion, grid, state.genomes, record, comparison, champions, point.logbook, outcome)


def time_spent(plan: Plan) -> JsonObject:
    """The seconds that the user has waited for a run so far, and their parts, which add up to them."""
    phases = {phase: round(seconds, 3) for phase, seconds in plan.clock.parts().items()}
    return {"seconds": round(sum(phases.values()), 3), "phases": phases}


def digest(seed: int, point: Checkpoint, champion: Strategy) -> str:
    """The SHA-256 of the last population, the champion, the hall of fame, the metrics and the counters."""
    state, logbook = point.state, point.logbook
    parts = [
        repr((STREAM_VERSION, seed, state.generation, state.wave, state.evaluations, state.games)).encode(),
        np.packbits(state.genomes).tobytes(),
        champion.digest.encode(),
        b"".join(np.asarray(member).tobytes() for member in logbook.hall),
        digestible(logbook.rows),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def write_finish(folder: Path, finish: Finish) -> list[str]:
    """Write all files of a finished run except `result.json`, which is written last; returns their names."""
    names, lineage = [CHAMPION, CHAMPIONS_FILE, POPULATION_FILE], finish.logbook.lineage.recorded
    finish.champion.save(folder / CHAMPION)
    CHAMPIONS.write(folder, finish.champions)
    save_population(folder / POPULATION_FILE, finish.grid, finish.genomes, finish.record["generations"])
    if finish.outcome is not None:
        write_arrays(folder / ARCHIVE, finish.outcome.arrays)
        names.append(ARCHIVE)
    if lineage:
        LINEAGE.write(folder, lineage)
        names.append(LINEAGE_FILE)
    return names


def write_result(folder: Path, record: Mapping[str, object], names: Iterable[str]) -> JsonObject:
    """Write `result.json`, which marks the run as finished, with checksums of its files; returns its content."""
    content = with_checksum({**record, "files": hashes_of(folder, names)})
    write_bytes(folder / RESULT_FILE, content)
    written: JsonObject = json.loads(content)
    return written


def read_result(folder: Path, checksum: bool = True) -> JsonObject | None:
    """The result of a run, None if it has not finished; with `checksum`, a changed one is refused."""
    remedy = "remove it, or run again with force=true, also if it is from a pigevo before 0.2.0"
    try:
        record: JsonObject = read_record(folder / RESULT_FILE, Result, remedy, checksum)
    except Missing:
        return None
    return record


def refuse_altered(folder: Path, result: JsonObject | None, name: str) -> None:
    """Refuse a file of a finished run that differs from the file that the run wrote."""
    if result is not None and (change := difference(folder, name, result["files"])):
        raise InputError(f"{folder}: {change}; `pigevo verify` tells more, and force=true runs it again.")


GIT_SECONDS = 10  # the seconds after which git is stopped


class Checkout(TypedDict):
    """A commit, and whether the package or its configs differ from it."""

    commit: str
    changed: bool


@cache
def checkout() -> Checkout | None:
    """The checkout from which pigevo runs; None if it is installed, or git fails."""
    return checkout_of(Path(pigevo.__file__).resolve().parents[1])


def checkout_of(root: Path) -> Checkout | None:
    """The commit of a repository's folder, and whether its `pigevo/` or `conf/` differ from it."""
    if not (root / ".git").exists():
        return None
    commit = _git(root, "rev-parse", "HEAD")
    changed = _git(root, "--no-optional-locks", "status", "--porcelain", "--", "pigevo", "conf")
    return None if not commit or changed is None else {"commit": commit, "changed": bool(changed)}


def _git(root: Path, *words: str) -> str | None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-C", str(root), *words]
    try:
        completed = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=GIT_SECONDS
        )
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return None
    return completed.stdout.strip()
