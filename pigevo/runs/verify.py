"""A run repeated from its record: checks that its files are those that it wrote, and replays single games.

Checksums detect files that were changed or damaged.  The proof of a result is to compute it again: repeated generations
are compared with the recorded ones, and at the end with the result itself.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from pigevo.core.checked_values import JsonObject
from pigevo.errors import InputError
from pigevo.evolution.logbook import DIGEST_COLUMN, Logbook, columns_of_plan
from pigevo.evolution.loop import Generation
from pigevo.runs.checkpoint import Checkpoint, changed_versions, checkpoint_records, refused_checkpoints, versions
from pigevo.runs.folder import CONFIG, no_run, settings_of
from pigevo.runs.metrics import (
    CHAMPIONS,
    CHAMPIONS_FILE,
    LINEAGE,
    LINEAGE_FILE,
    METRICS_FILE,
    Champions,
    GrowingFile,
    read_champions,
    read_rows,
    recorded_digests,
    refuse_another,
)
from pigevo.runs.result import (
    POPULATION_FILE,
    RESULT_FILE,
    Finish,
    conclude,
    load_population,
    read_result,
    refuse_altered,
)
from pigevo.runs.stepper import from_start, generation_of, record, refuse_too_large, schedule_of
from pigevo.settings.settings import Settings
from pigevo.simulation import MOST_TURNS
from pigevo.simulation.stepwise import Turn, outcome, play_turns
from pigevo.storage.cache_dirs import display_path
from pigevo.storage.records import Unreadable, difference, is_whole, read_arrays, read_bytes, to_json
from pigevo.strategies import load_strategy
from pigevo.strategies.parse import ARCHIVE, CHAMPION
from pigevo.user_code.loading import CodeNotRun, Consent, consenting

Item = TypeVar("Item")

EXEMPT = ("seconds", "phases", "checkout", "versions", "begun_with", "config", "config_hash", "digest")
"""Entries of a result that are not compared, or are compared in another way."""

LONGEST = 120  # the largest number of characters of a value in a sentence


ROUNDED = 1e-6  # the largest relative difference of figures that depend on the version of scipy
ENDS = ("measured_low", "measured_high")  # columns with such figures


@dataclass(frozen=True)
class Verified:
    """The result of a comparison: a sentence for each difference, and how far the comparison went.

    `changed` are versions that have changed since the run began; `whole` is whether the run's end and digest were
    compared; `next_recorded` the next recorded generation that was not compared; `hashes` whether files were compared
    with their checksums, None for an unfinished run; `operators` are the references of the user's own operators, which
    may draw from elsewhere than pigevo's dice; `not_compared` are columns of `metrics.csv` that a function of
    generations gave, which is not called again.
    """

    folder: str
    compared: tuple[int, ...]
    differences: tuple[str, ...]
    changed: tuple[str, ...]
    whole: bool
    next_recorded: int | None
    hashes: bool | None
    operators: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether everything compared is identical to the bit."""
        return not self.differences


def verify(folder: Path, generations: int, workers: int) -> Verified:
    """Compare a run's files with their checksums, and its first `generations` generations with their repetition."""
    if not os.path.isfile(folder / CONFIG):
        raise no_run(folder)
    result = read_result(folder, checksum=False)
    then = _origin(folder, result)
    differences = refused_checkpoints(folder, then["config_hash"]) if result is None else _altered_files(folder, result)
    try:
        # No code is run that an altered record names.
        with consenting(Consent(code=False)) if differences else nullcontext():
            settings = settings_of(folder, checked=False).with_(workers=workers)
    except CodeNotRun as error:
        if not differences:
            raise CodeNotRun(f"the files of {folder} are whole, but no generation was repeated: {error}") from error
        changed, hashes = changed_versions(then["versions"], versions()), None if result is None else True
        return Verified(str(folder), (), tuple(differences), tuple(changed), False, None, hashes)
    rows = {int(row["generation"]): row for row in read_rows(folder)}
    changed = _changed(then, settings)
    if result is None:
        differences = refused_checkpoints(folder, settings.hash)
    champions, unreadable = _champions(folder)
    differences += unreadable
    last = min(generations, settings.plan.generations if result is None else int(result["generations"]))
    if any(sentence.startswith(CONFIG) for sentence in differences):
        last = -1  # these settings would make another run
    refuse_too_large(settings)
    compared, differing, whole = _repeat(folder, settings, rows, champions, result, last)
    return Verified(
        str(folder), tuple(compared), tuple(dict.fromkeys([*differences, *differing])), tuple(changed), whole,
        next((number for number in rows if number > last), None), None if result is None else True,
        _operators(settings), _columns_of_watchers(settings, rows),
    )  # fmt: skip


def _columns_of_watchers(settings: Settings, rows: Mapping[int, Mapping[str, str]]) -> tuple[str, ...]:
    known = columns_of_plan(settings.plan)
    return tuple(dict.fromkeys(name for row in rows.values() for name in row if name not in known))


def _operators(settings: Settings) -> tuple[str, ...]:
    """The references of the user's own operators in a run, as one would type them."""
    references = (settings.choices[kind].reference for kind in settings.plan.user_code if kind in settings.choices)
    paths = (reference.rpartition(":") for reference in references if reference)
    return tuple(f"{display_path(Path(path))}:{name}" for path, _, name in paths)


def _altered_files(folder: Path, result: JsonObject) -> list[str]:
    """A sentence for each file of a finished run that differs from its checksum."""
    whole, hashes = is_whole(read_bytes(folder / RESULT_FILE)), result["files"]
    altered = [] if whole else [f"{RESULT_FILE} was changed since it was written"]
    return [*altered, *(change for name in hashes if (change := difference(folder, name, hashes)))]


def _champions(folder: Path) -> tuple[Champions, list[str]]:
    """The recorded champions of a run, or the reason why they cannot be read."""
    try:
        return read_champions(folder), []
    except Unreadable:
        raise
    except InputError as error:
        return Champions(), [str(error).rstrip(".")]


def _changed(then: JsonObject, settings: Settings) -> list[str]:
    now = settings.hash
    changed = changed_versions(then["versions"], versions())
    if then["config_hash"] != now:
        changed.insert(0, f"the settings: their hash was {then['config_hash'][:10]}, now {now[:10]}")
    return changed


def _origin(folder: Path, result: JsonObject | None) -> JsonObject:
    """The config hash and the versions at the start of a run, from its result or its newest checkpoint."""
    if result is not None:
        return {"config_hash": result["config_hash"], "versions": result["begun_with"]}
    if record := next(checkpoint_records(folder), None):
        return {"config_hash": record["config_hash"], "versions": record["versions"]}
    if not (folder / CONFIG).is_file():
        raise no_run(folder)
    raise InputError(f"{folder} has no checkpoint and no result yet: there is nothing to verify.")


def _repeat(
    folder: Path, settings: Settings, rows: Mapping[int, Mapping[str, str]], champions: Champions,
    result: JsonObject | None, last: int,
) -> tuple[list[int], list[str], bool]:  # fmt: skip
    """The repeated recorded generations up to the last one, their differences, and whether the end was reached."""
    logbook, compared, end = Logbook(), [], None if result is None else int(result["generations"])
    schedule, skipped = schedule_of(settings), {"seconds", *_columns_of_watchers(settings, rows)}
    for generation in from_start(settings.plan, last) if last >= 0 else ():
        number = generation.number
        if generation.plan.lineage:
            logbook.lineage.follow(generation)
        if number in rows or number == end:
            order = generation.final_order if number == end else None
            row = record(logbook, generation, schedule, 0.0, {}, order=order)
        if number in rows:
            compared.append(number)
            if differences := _differences(row, rows[number], skipped):
                return compared, differences, False
        if number in champions and generation.champion != champions[number]:
            return compared, [f"generation {number}: another champion than in {CHAMPIONS_FILE}"], False
        if number == end and result is not None:
            if not (generation.is_last or settings.callback):
                return compared, [f"the run does not end with generation {end}, as {RESULT_FILE} has it"], False
            finish = conclude(settings, Checkpoint(generation.state, logbook, 0.0, final_order=generation.final_order))
            return compared, list(_differences_at_the_end(folder, finish, result)), True
        if generation.is_last and (beyond := [later for later in rows if later > number]):
            return compared, [f"the run ends with generation {number}, and {METRICS_FILE} has {beyond[0]}"], False
    return compared, [], False


def _differences(row: JsonObject, recorded: Mapping[str, str], skipped: Container[str]) -> list[str]:
    """A sentence for each figure that differs; columns that an earlier pigevo did not have are left out."""
    where, digest = f"generation {row['generation']}", recorded[DIGEST_COLUMN]
    if row[DIGEST_COLUMN] != digest:
        return [f"{where}: the population is another one (digest {digest[:12]} then, {row[DIGEST_COLUMN][:12]} now)"]
    columns = [column for column in recorded if column not in skipped]
    return [
        f"{where}: {column} is {recorded[column] or 'empty'} in {METRICS_FILE}, and {row.get(column, 'empty')} now"
        for column in columns
        if not _same_cell(column, recorded[column], str(row.get(column, "")))
    ]


def _same_cell(column: str, recorded: str, now: str) -> bool:
    if column in ENDS and recorded and now:
        return math.isclose(float(recorded), float(now), rel_tol=ROUNDED)
    return recorded == now


def _holds(folder: Path, file: GrowingFile[Item], items: Sequence[Item]) -> bool:
    """Whether a file of a run has these items; that of an earlier pigevo, which did not write it, passes."""
    recorded = file.read(folder)
    return not recorded or list(map(file.hashed, recorded)) == list(map(file.hashed, items))


def _differences_at_the_end(folder: Path, finish: Finish, result: Mapping[str, object]) -> Iterator[str]:
    """A sentence for each difference between a finished run's files and its repeated end."""
    then, now = str(result["digest"]), finish.record["digest"]
    if then != now:
        yield f"the whole run: its digest is {then[:12]} in {RESULT_FILE}, and {now[:12]} now"
    try:
        if load_strategy(folder / CHAMPION) != finish.champion:
            yield f"{CHAMPION} holds another strategy than the champion"
        grid, genomes = load_population(folder / POPULATION_FILE)
        if grid.edges != finish.grid.edges or not np.array_equal(genomes, finish.genomes):
            yield f"{POPULATION_FILE} holds another population than the last"
        if finish.outcome is not None and not _same_arrays(read_arrays(folder / ARCHIVE), finish.outcome.arrays):
            yield f"{ARCHIVE} holds other arrays than the run's selection gives"
        if not _holds(folder, CHAMPIONS, finish.champions):
            yield f"{CHAMPIONS_FILE} holds other champions than the run has"
        if not _holds(folder, LINEAGE, finish.logbook.lineage.recorded):
            yield f"{LINEAGE_FILE} holds other parents or values than the run has"
    except InputError as error:
        yield str(error).rstrip(".")
    for name, value in json.loads(to_json(finish.record)).items():
        if name in EXEMPT or name not in result:  # results of an earlier pigevo have fewer entries
            continue
        recorded = result[name]
        if name == "baseline" and isinstance(value, dict) and isinstance(recorded, dict):
            differs = not _alike(_comparable(recorded), _comparable(value))
        else:
            differs = recorded != value
        if differs:
            yield f"{name} is {_short(recorded)} in {RESULT_FILE}, and {_short(value)} now"


def _comparable(baseline: JsonObject) -> JsonObject:
    """The baseline without the folder of this machine, and without what an earlier pigevo recorded of random search."""
    searches = [{**search, "by_referee": None} for search in baseline["random_search"]]
    return {**baseline, "cache": None, "random_search": searches}


def _alike(recorded: object, value: object) -> bool:
    """Whether two figures or groups of figures agree; ends of intervals depend on the version of scipy."""
    if isinstance(recorded, float) and isinstance(value, float):
        return math.isclose(recorded, value, rel_tol=ROUNDED)
    if isinstance(recorded, dict) and isinstance(value, dict):
        return recorded.keys() == value.keys() and all(_alike(recorded[name], value[name]) for name in recorded)
    if isinstance(recorded, list) and isinstance(value, list):
        return len(recorded) == len(value) and all(map(_alike, recorded, value))
    return bool(recorded == value)


def _same_arrays(recorded: Mapping[str, np.ndarray], now: Mapping[str, np.ndarray]) -> bool:
    def bits(array: np.ndarray) -> tuple[object, ...]:
        return array.dtype, array.shape, array.tobytes()

    return recorded.keys() == now.keys() and all(bits(recorded[name]) == bits(now[name]) for name in recorded)


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else "another"


@dataclass(frozen=True)
class Replay:
    """A game of a run: its rules, the counter of its dice, its two players, its turns.

    The counter is seed, stream, generation, pair and game. `members` are indices in the population, the player who
    moved first at the front; `made_from` is the generation from which the population was recomputed; `result`, for the
    player who moved first, is 0 for a win, 1 loss, 2 stalemate, 3 unfinished, 5 draw.
    """

    game: str
    counter: Mapping[str, object]
    members: tuple[int, int]
    made_from: int
    turns: tuple[Turn, ...]
    result: int


def replay(settings: Settings, folder: Path, generation: int, pairing: int, game: int) -> Replay:
    """Replay game number `game` of pair number `pairing` of a generation.

    In even games the first of the pair moves first; in the last generation the pairs are those that decide the
    champion.
    """
    plan, plays, name = settings.plan, settings.plan.fitness.plays, settings.choices["fitness"].name
    if not plays.games:
        raise InputError(f"fitness={name} plays no games, so there is none to replay.")
    if not plays.members:
        raise InputError(
            f"fitness={name} chooses itself who plays whom: only games of pairs that the selection chooses can be "
            "replayed."
        )
    result = read_result(folder)
    last = plan.generations if result is None else int(result["generations"])
    if not 0 <= generation <= last:
        raise InputError(f"generation {generation} is out of range: the run has generations 0 to {last}.")
    if not 0 <= game < plays.games:
        raise InputError(f"game {game} is out of range: a match of this run has games 0 to {plays.games - 1}.")
    refuse_too_large(settings)
    again, made_from = generation_of(settings, folder, generation)
    refuse_altered(folder, result, METRICS_FILE)
    if (folder / METRICS_FILE).exists():  # a run stopped before it recorded anything has none
        refuse_another(folder, recorded_digests(folder), generation, again.state.digest)
    population, pairs = again.evaluated, again.evaluation.pairs
    if ended := generation == last or again.is_last:  # also for a stopped run
        population, pairs = again.state, again.final_order[1].pairs
    if not 0 <= pairing < len(pairs):
        raise InputError(f"pairing {pairing} is out of range: generation {generation} has 0 to {len(pairs) - 1}.")
    island, number = (again, pairing) if ended else _on_its_island(again, pairing)
    draw = island.plan.draw("fitness", generation).at(pair=number, part=game)
    first, second = (int(member) for member in (pairs[pairing] if game % 2 == 0 else pairs[pairing][::-1]))
    players = [plan.waves[population.wave].grid.strategy(population.genomes[member]) for member in (first, second)]
    turns = tuple(play_turns(players[0], players[1], draw, MOST_TURNS, plays.paired))
    counter = {"seed": draw.seed, "stream": draw.stream, "generation": generation, "pair": draw.pair, "game": game}
    return Replay(str(plan.game), counter, (first, second), made_from, turns, outcome(list(turns), plan.game))


def _on_its_island(generation: Generation, pairing: int) -> tuple[Generation, int]:
    """The island on which a pair met, and its number there; without islands there is one."""
    islands = generation.islands or (generation,)
    ends = np.cumsum([len(island.evaluation.pairs) for island in islands])
    number = int(np.searchsorted(ends, pairing, side="right"))
    return islands[number], pairing - int(ends[number - 1] if number else 0)
