"""A run generation by generation: what is recorded, when it ends, and how generations are repeated from a record.

Nothing here depends on files: a run in a notebook uses the same code.

Before a run begins, the memory that it needs is compared with the available memory.  Measured for a population of n
members with G genes in a game to T points: three to four times its genomes (one generation, the next one before and
after mutation, the saved one), T^3 bytes for each strategy whose decisions are computed at the same time, 150 bytes for
every pair that meets, and some T^3 bytes for the optimum and its opponents.
"""

from __future__ import annotations

import functools
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.core.checked_values import JsonObject, is_real
from pigevo.core.machine import PIECE, require_memory
from pigevo.core.text import kind_of, short_repr
from pigevo.errors import InputError
from pigevo.evolution import loop
from pigevo.evolution.diversity import VISITS_PER_CELL
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.logbook import Logbook, columns_of_plan, measured, outcome_columns
from pigevo.evolution.loop import Generation, final_order, first_state
from pigevo.evolution.operators import Selection, is_lazy
from pigevo.evolution.plan import Plan, State
from pigevo.runs.checkpoint import Checkpoint, nearest_state
from pigevo.runs.metrics import recorded_digests, refuse_another
from pigevo.runs.progress import bar_of_champion, tracked
from pigevo.settings.selected_option import SelectedOption
from pigevo.settings.settings import Settings
from pigevo.user_code.loading import failure

OnGeneration = Callable[[Generation], Mapping[str, object] | None]
"""A function called with each generation; it may return further columns for `metrics.csv`, and `{"stop": True}`."""

STOP_KEY = "stop"

generations = functools.partial(loop.generations, bar=bar_of_champion)
"""The generations of a run, with a bar over the search for the champion."""


@dataclass(frozen=True, eq=False)
class GenerationStep:
    """A run after one generation: a checkpoint, the row if it was recorded, and whether it is the last of its wave."""

    point: Checkpoint
    row: JsonObject | None
    ends_wave: bool


def beginning(settings: Settings) -> Checkpoint:
    """A run before its first generation."""
    refuse_too_large(settings)
    return Checkpoint(first_state(settings.plan), Logbook(), 0.0)


def steps(
    settings: Settings,
    point: Checkpoint,
    on_generation: OnGeneration | None = None,
    began: float | None = None,
    folder: str = "",
) -> Iterator[GenerationStep]:
    """The steps of a run after a checkpoint; the first one is generation 0 if nothing is recorded yet.

    `began` is the time of `perf_counter` from which the user has waited, by default now.
    """
    rest = {"rest": max(0.0, point.seconds - sum(point.phases.values()))}  # of a checkpoint of an earlier pigevo
    settings.plan.clock.begin(rest | dict(point.phases), began)
    known = point.state.generation if len(point.logbook.rows) else -1
    if point.stopped or known >= settings.plan.generations:
        return
    plan = replace(settings.plan, folder=folder)
    started, before = time.perf_counter(), point.seconds
    schedule = schedule_of(settings)
    watchers = [watch for watch in (_bound_watcher(settings.watcher), on_generation) if watch]
    for generation in generations(plan, point.state):
        number = generation.number
        if number == known:
            continue
        if plan.lineage:
            point.logbook.lineage.follow(generation)
        more: JsonObject = {}
        for watch in watchers:
            more |= _columns(_seen_by(watch, generation), plan)
        stopped = bool(more.pop(STOP_KEY, False)) or (generation.is_last and number < plan.generations)
        ends_wave = number in plan.wave_ends
        order = final_order(generation, bar_of_champion) if stopped or number == plan.generations else None
        seconds, row = before + time.perf_counter() - started, None
        if number % settings.record_every == 0 or ends_wave or stopped:
            row = record(point.logbook, generation, schedule, seconds, more, order=order)
        point = replace(
            point, state=generation.state, seconds=seconds, phases=plan.clock.parts(), stopped=stopped,
            final_order=order,
        )  # fmt: skip
        yield GenerationStep(point, row, ends_wave)
        if stopped:
            return


def record(
    logbook: Logbook, generation: Generation, schedule: Schedule, seconds: float, more: Mapping[str, object], *,
    order: tuple[Ints, Evaluation] | None,
) -> JsonObject:  # fmt: skip
    """Record a generation, with columns of watchers (`more`), and return its row; the last one has an `order`."""
    plan, number = generation.plan, generation.number
    # First, because these columns may need the optimum: while its kernel is compiled here, so are others elsewhere.
    outcome = outcome_columns(generation)
    if not order and number in schedule.champions:  # the champion of the last generation is the run's
        logbook.add_champion(generation)
    ranked = order or (generation.final_order if number in schedule.luck else None)
    figures = measured(plan, generation.state, *ranked) if ranked else {}
    own = {name: float(value) for name, value in figures.items()}
    if plan.lineage and (order or number in schedule.parents):
        own |= logbook.lineage.record(generation)
    return logbook.record(generation, seconds, {**own, **outcome, **more})


def _seen_by(watch: OnGeneration, generation: Generation) -> Mapping[str, object] | None:
    """What a watcher returns; an InputError if it has changed the generation."""
    before, returned = _checksum(generation), watch(generation)
    if _checksum(generation) != before:
        raise InputError(
            "on_generation changed the genomes of a generation, which it may only read: change a copy of them, "
            "generation.genomes.copy()."
        )
    return returned


def _checksum(generation: Generation) -> list[int]:
    states = dict.fromkeys((generation.state, generation.evaluated))  # one, but where a wave begins
    return [zlib.crc32(np.ascontiguousarray(state.genomes).data) for state in states]


def _bound_watcher(watcher: SelectedOption | None) -> OnGeneration | None:
    """A user's function from a file with its options; its own error becomes one sentence."""
    if watcher is None:
        return None
    function, label, code = watcher.bind(), watcher.label, watcher.user_code
    assert code

    def watch(generation: Generation) -> Mapping[str, object] | None:
        try:
            returned: Mapping[str, object] | None = function(generation)
        except InputError as error:
            raise InputError(f"on_generation: {error}") from error
        except (Exception, SystemExit) as error:
            raise InputError(f"on_generation: {label} failed: {failure(error, code.path)}.") from error
        return returned

    return watch


def _columns(returned: object, plan: Plan) -> JsonObject:
    if returned is None:
        return {}
    if not isinstance(returned, Mapping) or not all(isinstance(name, str) for name in returned):
        raise InputError(f"on_generation returned {kind_of(returned)}; it must return nothing, or numbers by name.")
    taken = columns_of_plan(plan)
    for name, value in returned.items():
        if name in taken or not name.isidentifier():
            raise InputError(f"on_generation returned the column {name!r}: choose another name, of letters and digits.")
        if not is_real(value) and not isinstance(value, bool | np.bool_):
            raise InputError(f"on_generation returned {name} = {short_repr(value)}; it must be a number.")
        if name == STOP_KEY and value != bool(value):  # nan, too
            raise InputError(f"on_generation returned {name} = {short_repr(value)}; it must be True or False.")
    return {name: value if name == STOP_KEY else float(value) for name, value in returned.items()}


def from_start(plan: Plan, last: int) -> Iterator[Generation]:
    """Generations 0 to `last`, under a progress bar."""
    return _onwards(plan, first_state(plan), last)


def repeated(settings: Settings, folder: Path, last: int) -> Iterator[Generation]:
    """Generations 0 to `last` of a recorded run; an InputError at the first that differs from the record."""
    digests = recorded_digests(folder)
    for generation in from_start(settings.plan, last):
        refuse_another(folder, digests, generation.number, generation.state.digest)
        yield generation


def generation_of(settings: Settings, folder: Path, number: int) -> tuple[Generation, int]:
    """One generation of a run, and the number of the generation from which it was computed: 0 or a checkpoint's."""
    plan = settings.plan
    if not 0 <= number <= plan.generations:
        raise InputError(f"generation {number} is out of range: the run has generations 0 to {plan.generations}.")
    start: State = nearest_state(folder, settings.hash, number) or first_state(plan)
    (newest,) = deque(_onwards(plan, start, number), maxlen=1)
    if newest.number < number:
        raise InputError(f"generation {number} is out of range: the run ends with generation {newest.number}.")
    return newest, start.generation


def _onwards(plan: Plan, state: State, last: int) -> Iterator[Generation]:
    left = tracked("generation", last - state.generation + 1, "gen")(generations(plan, state))
    for generation in left:
        yield generation
        if generation.number >= last:
            return


ALWAYS = 350 << 20  # bytes of the interpreter, the compiler and the libraries

COPIES, LINEAGE_COPIES = 3.2, 4
"""The number of copies of a population while the next one is made, and of further ones where parents are recorded."""

PER_FLIP, PER_PAIR, PER_RANDOM_MEMBER = 48, 150, 64
"""Bytes for each gene that flips, each pair that meets, and each value in a sample of random members."""

PER_CELL = 16  # bytes for each cell of a strategy: the optimum, the prepared opponent, the hall of fame


def refuse_too_large(settings: Settings) -> None:
    """Refuse a run for which there is not enough memory."""
    size = settings.plan.size
    require_memory(
        bytes_needed(settings), f"a run with a population of {size:,}",
        "population.size=, game.target= and cubes.sizes= decide how much",
    )  # fmt: skip


def bytes_needed(settings: Settings) -> int:
    """A rough upper estimate of the memory that a run needs at its peak, in bytes."""
    plan = settings.plan
    cells, size = plan.game.cells, plan.size
    genes = max(wave.grid.genes for wave in plan.waves)
    genomes, tables, pairs = size * genes, size * cells, _pairs(plan)
    gathered = min(genomes, 2 * PIECE) if is_lazy(plan.crossover) else 2 * genomes
    making = (COPIES + LINEAGE_COPIES * plan.lineage) * genomes + max(
        gathered, PER_FLIP * max(plan.rate, plan.crossover.drawn_share) * genomes
    )
    evaluating = (
        1.2 * genomes
        + (min(tables, PIECE) if is_lazy(plan.fitness) else 2 * tables)
        + plan.fitness.bytes_beside(plan.game, size, pairs)
        + PER_PAIR * pairs
        + 8 * cells * plan.workers
    )
    sample = settings.choices["baseline"].options.get("populations", 0) * size * PER_RANDOM_MEMBER
    beside = plan.mutator.bytes_beside(plan.game, size, pairs) + VISITS_PER_CELL * cells * plan.behaviour
    return int(ALWAYS + PER_CELL * cells + max(making, evaluating, 1.2 * genomes + sample) + beside)


def _pairs(plan: Plan) -> int:
    """The largest number of pairs in which members meet or are compared."""
    opponents = plan.selection.opponents if type(plan.selection).pairs is Selection.pairs else None
    if "selection" in plan.user_code and opponents is None:
        return plan.size * (plan.size - 1) // 2
    return max(plan.champion_matches * plan.finalists_play, plan.size * (opponents or 1))


MOST_CHAMPIONS = 2000
"""The largest number of champions that a run records.  The choice depends on its settings, not on interruptions."""

MOST_CHAMPION_BYTES = 8 << 20  # the largest size of their file in bytes
PER_LINE = 40  # bytes of a line beside the genome, in which four characters encode 24 genes
MOST_RELATED = 100_000  # the approximate number of members whose parents a run records, with one line each
MOST_MEASURED = 25  # the number of generations, beside the ends of waves, in which the champion's luck is recorded

MOST_GAMES, SHARE = 1_000_000, 0.1
"""The limit of games spent on finding champions: this number, or this share of the run's own games if larger."""

EXACT = 5000  # the approximate number of games that take as long as one exact win probability


@dataclass(frozen=True)
class Spacing:
    """Every `step`-th generation from 0 on (0 for none), and the last ones of waves."""

    step: int
    ends: frozenset[int]

    def __contains__(self, number: int) -> bool:
        return number in self.ends or (self.step > 0 and number % self.step == 0)


@dataclass(frozen=True)
class Schedule:
    """The generations, beside the last one, in which a run records its champion, the champion's luck, and parents."""

    champions: Spacing
    luck: Spacing
    parents: Spacing


def schedule_of(settings: Settings) -> Schedule:
    """The schedule of a run; it depends on its settings, not on interruptions."""
    return Schedule(spacing(settings), measuring(settings), lineage_spacing(settings))


def spacing(settings: Settings) -> Spacing:
    """The generations whose champions a run records; the last one's is always known at the end."""
    plan, most = settings.plan, _affordable(settings.plan)
    step = settings.record_every
    while True:
        counts = _counts(plan, step)
        held = sum(count * (PER_LINE + wave.grid.genes // 6) for count, wave in zip(counts, plan.waves, strict=True))
        if sum(counts) - 1 <= most and held <= MOST_CHAMPION_BYTES:
            return Spacing(step, plan.wave_ends)
        if step > plan.generations:
            return Spacing(0, frozenset())
        step *= 2


def lineage_spacing(settings: Settings) -> Spacing:
    """The generations, beside the last one, whose members' parents a run records, if it does."""
    plan, step = settings.plan, settings.record_every
    while sum(_counts(plan, step)) * plan.size > MOST_RELATED and step <= plan.generations:
        step *= 2
    return Spacing(step, plan.wave_ends if step <= plan.generations else frozenset())


def measuring(settings: Settings) -> Spacing:
    """The subset of generations in which luck is computed, which needs many exact evaluations."""
    champions = spacing(settings)
    step = champions.step
    while step and settings.plan.generations > MOST_MEASURED * step:
        step *= 2
    return Spacing(step, champions.ends)


def _counts(plan: Plan, step: int) -> list[int]:
    """The number of recorded generations of each wave; generation 0 belongs to the first wave."""
    begins = [0, *sorted(plan.wave_ends)]
    counts = [end // step - begin // step + (end % step > 0) for begin, end in pairwise(begins)]
    return [counts[0] + 1, *counts[1:]]


def _affordable(plan: Plan) -> int:
    """The number of champions that may be determined beside the last one."""
    free = not plan.fitness.plays.members or plan.selection.all_pairs_meet
    if free and plan.islands.count == 1:
        return MOST_CHAMPIONS - 1  # selection already plays all games that are needed
    met = plan.size / 2 * plan.generations
    matches = max(MOST_GAMES / (plan.fitness.plays.games or EXACT), SHARE * met)
    return int(min(MOST_CHAMPIONS - 1, matches // max(plan.champion_matches, 1)))
