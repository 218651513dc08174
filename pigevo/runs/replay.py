"""One game of a run, played once more from the counter of its dice alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.errors import InputError
from pigevo.evolution.generation import Generation
from pigevo.runs.metrics import DIGEST_COLUMN, METRICS_FILE, read_rows
from pigevo.runs.result import read_result, refuse_altered
from pigevo.runs.stepper import generation_of, refuse_too_large
from pigevo.settings.settings import Settings
from pigevo.simulation.stepwise import Turn, outcome, play_turns


@dataclass(frozen=True)
class Replay:
    """A game of a run: its rules, the counter of its dice, its two players, its turns.

    The counter is seed, stream, generation, pair and game. `members` are numbers in the population, who moved first at
    the front; `made_from` is the generation from which the population was made again; `result` is 0 if who moved first
    won, 1 lost, 2 stalemate, 3 unfinished, 5 draw.
    """

    game: str
    counter: Mapping[str, Any]
    members: tuple[int, int]
    made_from: int
    turns: tuple[Turn, ...]
    result: int

    def record(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def replay(settings: Settings, folder: Path, generation: int, pairing: int, game: int) -> Replay:
    """Play game number `game` of pair number `pairing` of a generation again.

    In even games the first of the pair moves first; in the last generation those meet who decide about the champion.
    """
    from pigevo.simulation.match import MOST_TURNS

    plan, plays, name = settings.plan, settings.plan.fitness.plays, settings.choices["fitness"].name
    if not plays.games:
        raise InputError(f"fitness={name} plays no games, so there is none to replay.")
    if not plays.members:
        raise InputError(f"fitness={name} plays past champions: only games between members can be replayed.")
    result = read_result(folder)
    last = plan.generations if result is None else int(result["generations"])
    if not 0 <= generation <= last:
        raise InputError(f"generation {generation} is out of range: the run has generations 0 to {last}.")
    if not 0 <= game < plays.games:
        raise InputError(f"game {game} is out of range: a match of this run has games 0 to {plays.games - 1}.")
    refuse_too_large(settings)
    found, made_from = generation_of(settings, folder, generation)
    refuse_altered(folder, result, METRICS_FILE)
    _check_digest(folder, generation, found.state.digest)
    seen, pairs = found.evaluated, found.evaluation.pairs
    if ended := generation == last or found.is_last:  # also of a run that was stopped
        seen, pairs = found.state, found.final_order[1].pairs
    if not 0 <= pairing < len(pairs):
        raise InputError(f"pairing {pairing} is out of range: generation {generation} has 0 to {len(pairs) - 1}.")
    whose, number = (found, pairing) if ended else _on_its_island(found, pairing)
    draw = whose.plan.draw("fitness", generation).at(pair=number, part=game)
    first, second = (int(member) for member in (pairs[pairing] if game % 2 == 0 else pairs[pairing][::-1]))
    players = [plan.waves[seen.wave].grid.strategy(seen.genomes[member]) for member in (first, second)]
    turns = tuple(play_turns(players[0], players[1], draw, MOST_TURNS, plays.paired))
    counter = {"seed": draw.seed, "stream": draw.stream, "generation": generation, "pair": draw.pair, "game": game}
    return Replay(str(plan.game), counter, (first, second), made_from, turns, outcome(list(turns), plan.game))


def _on_its_island(found: Generation, pairing: int) -> tuple[Generation, int]:
    """The island on which a pair met, and its number there; where there are none, all is one."""
    islands = found.islands or (found,)
    ends = np.cumsum([len(island.evaluation.pairs) for island in islands])
    place = int(np.searchsorted(ends, pairing, side="right"))
    return islands[place], pairing - int(ends[place - 1] if place else 0)


def _check_digest(folder: Path, generation: int, found: str) -> None:
    if not (folder / METRICS_FILE).exists():  # stopped before it recorded anything
        return
    recorded = {int(row["generation"]): row[DIGEST_COLUMN] for row in read_rows(folder)}
    if recorded.get(generation, found) != found:
        raise InputError(
            f"generation {generation} made again is not the one in {folder / METRICS_FILE}, "
            f"so its games are others: `pigevo verify` says what has changed."
        )
