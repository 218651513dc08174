"""One game of a run, played once more from the counter of its dice alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pigevo.arena.plain import Turn, outcome, play_turns
from pigevo.errors import InputError
from pigevo.evolution.loop import as_judged, meetings
from pigevo.evolution.plan import plan_from
from pigevo.evolution.verdict import games_of
from pigevo.runs.digests import NAME as DIGESTS
from pigevo.runs.digests import read_digests
from pigevo.runs.remake import state_of


@dataclass(frozen=True)
class Replay:
    """A game of a run.

    Args:
        game: the rules, as text.
        counter: the seed, stream, generation, pair and game that decide every roll.
        members: the two who played, by their number in the population: the one that moved first, then the other.
        made_from: the generation from which the population was made again.
        turns: all turns.
        result: 0 if the one that moved first won, 1 if it lost, 2 for a stalemate, 3 for unfinished.
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


def replay(config: dict[str, Any], folder: Path, generation: int, pairing: int, game: int) -> Replay:
    """Play one game of a run again.

    Args:
        config: the run's checked config.
        folder: the run's.
        generation: in which the game was played; in the last one everyone meets everyone.
        pairing: the number of the pair in that generation, from 0.
        game: its number in the match, from 0; in even ones the first of the pair moves first.

    Raises:
        InputError: no such game was played, or the population cannot be made again.
    """
    from pigevo.arena.match import MOST_TURNS

    plan = plan_from(config)
    games = games_of(plan.judge)
    name = config["fitness"]["name"]
    if not games:
        raise InputError(f"fitness={name} plays no games, so there is none to replay.")
    if hasattr(plan.judge, "remember"):
        raise InputError(f"fitness={name} plays past champions: only games between members can be replayed.")
    if not 0 <= generation <= plan.generations:
        raise InputError(f"generation {generation} is out of range: the run has generations 0 to {plan.generations}.")
    if not 0 <= game < games:
        raise InputError(f"game {game} is out of range: a match of this run has games 0 to {games - 1}.")
    state, made_from = state_of(plan, config, folder, generation)
    _check_digest(folder, generation, state.digest)
    state = as_judged(plan, state)
    pairs = meetings(plan, state)
    if not 0 <= pairing < len(pairs):
        raise InputError(f"pairing {pairing} is out of range: generation {generation} has 0 to {len(pairs) - 1}.")
    first, second = (int(member) for member in (pairs[pairing] if game % 2 == 0 else pairs[pairing][::-1]))
    players = [plan.waves[state.wave].grid.strategy(state.genomes[member]) for member in (first, second)]
    draw, paired = plan.draw("dice", generation).at(pair=pairing, part=game), bool(getattr(plan.judge, "paired", False))
    turns = tuple(play_turns(players[0], players[1], draw, MOST_TURNS, paired))
    counter = {"seed": plan.seed, "stream": "dice", "generation": generation, "pair": pairing, "game": game}
    return Replay(str(plan.game), counter, (first, second), made_from, turns, outcome(list(turns), plan.game.target))


def _check_digest(folder: Path, generation: int, found: str) -> None:
    try:
        recorded = read_digests(folder)
    except InputError:  # stopped before it recorded anything
        return
    if recorded.get(generation, found) != found:
        raise InputError(
            f"generation {generation} made again is not the one in {folder / DIGESTS}, "
            f"so its games are others: `pigevo verify` says what has changed."
        )
