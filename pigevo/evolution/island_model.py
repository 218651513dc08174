"""The island model: the population is one array, of which each island has some rows and evolves like a separate run.

Island m has the rows from m * size / count on.  Except for migrants it evolves, to the bit, like a run with the seed
`island_seed` and size / count members.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.core.checked_values import LARGEST_SEED
from pigevo.dice import Draw
from pigevo.evolution.evaluation import Evaluation, ranking
from pigevo.evolution.operators import Memory
from pigevo.evolution.plan import Plan, State, joined_births
from pigevo.evolution.stop import Never
from pigevo.evolution.waves_and_islands import OnePopulation

ISLANDS, FRESH = "islands", "fresh"
"""The kind and the name of the remembered array with the number of new members of each island."""


def island_seed(seed: int, number: int) -> int:
    """The seed of an island: the run's own seed for the first, random numbers far from usual seeds for the others."""
    drawn = int(Draw(seed, "validation", number, part=1).words(1)[0]) & LARGEST_SEED
    return drawn if number else seed


def island_plan(plan: Plan, number: int) -> Plan:
    """The plan of an island as a separate run."""
    size, seed = plan.size // plan.islands.count, island_seed(plan.seed, number)
    return replace(plan, size=size, seed=seed, islands=OnePopulation(), stop=Never())


def split_state(plan: Plan, state: State) -> list[State]:
    """Split a state into the states of the islands, whose counts of evaluations and games start at 0."""
    count = plan.islands.count
    size, genes = state.genomes.shape
    parts = state.genomes.reshape(count, size // count, genes)  # without -1, because a game to 1 has no genes
    known = state.memory.get(ISLANDS, {}).get(FRESH)
    fresh = [len(parts[0])] * count if known is None else known.tolist()
    return [
        replace(
            state, genomes=part, fresh=new, evaluations=0, games=0, memory=_own(state.memory, number),
            arrived=state.arrived[number : number + 1],
        )
        for number, (part, new) in enumerate(zip(parts, fresh, strict=True))
    ]  # fmt: skip


def join_states(islands: Sequence[State], before: State | None = None) -> State:
    """The state of all members, joined from those of the islands; their counts are added to those of `before`."""
    births = [island.birth for island in islands if island.birth]
    memory = {
        f"{kind}-{number}": state for number, island in enumerate(islands) for kind, state in island.memory.items()
    } | ({ISLANDS: {FRESH: np.array([island.fresh for island in islands])}} if before else {})
    return State(
        islands[0].generation,
        islands[0].wave,
        np.concatenate([island.genomes for island in islands]),
        sum(island.fresh for island in islands),
        (before.evaluations if before else 0) + sum(island.evaluations for island in islands),
        (before.games if before else 0) + sum(island.games for island in islands),
        memory,
        joined_births(births) if len(births) == len(islands) else None,
        tuple(sum(island.arrived) for island in islands) if any(island.arrived for island in islands) else (),
    )


def join_evaluations(islands: Sequence[Evaluation]) -> Evaluation:
    """The evaluation of all members, joined from the evaluations of the islands."""
    starts = np.cumsum([0, *(len(island.scores) for island in islands)])
    played = [island.played for island in islands if island.played is not None]
    return Evaluation(
        np.concatenate([island.scores for island in islands]),
        np.concatenate([island.pairs + start for island, start in zip(islands, starts, strict=False)]),
        np.concatenate([island.wins for island in islands]),
        sum(island.games for island in islands),
        played=np.concatenate(played) if len(played) == len(islands) else None,
    )


def memories(plan: Plan, state: State) -> list[Memory]:
    """The memories with which all members are evaluated: the run's, or each island's if the fitness remembers."""
    own = [_own(state.memory, number) for number in range(plan.islands.count)]
    remembering = [memory for memory in own if "fitness" in memory]
    return remembering if plan.islands.count > 1 and remembering else [state.memory]


def migrations(plan: Plan, islands: Sequence[tuple[Plan, Bytes, Floats]], number: int) -> list[Bytes]:
    """The migrants to each island in the next generation, shape (m, genes) each."""
    nobody = islands[0][1][:0]
    moving = plan.islands
    if not len(moving.routes) or not moving.migrants or (number + 1) % moving.interval:
        return [nobody] * len(islands)
    sent = []
    for own, genomes, scores in islands:
        draw = own.draw("selection", number).at(pair=3)
        order = ranking(scores, draw) if moving.who == "best" else draw.permutation(own.size)
        sent.append(genomes[order[: moving.migrants]])
    return [np.concatenate([nobody, *(sent[a] for a, b in moving.routes if b == to)]) for to in range(len(islands))]


def _own(memory: Memory, number: int) -> Memory:
    """The memory of an island: the entries whose names end with its number, without the number."""
    kinds = ((kind.rpartition("-"), state) for kind, state in memory.items())
    return {kind: state for (kind, _, island), state in kinds if kind and island == str(number)}
