"""The population's own model of play: how often its best member, met by itself, visits a state.

It is all that a mutation can know of where decisions matter without an oracle.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.evolution.offers import Look, Memory
from pigevo.games import Race
from pigevo.strategies import Strategy

NAME = "model"
STRAY = 0.25


def remember_model(memory: Memory, look: Look, every: int) -> Mapping[str, Bytes]:
    """The decisions, packed to bits, of the population's best member by its own judge, renewed every so often.

    Args:
        memory: of the run.
        look: the generation.
        every: generations between two renewals.
    """
    if NAME in memory and look.generation % every:
        return {}
    return {NAME: np.packbits(look.grid.to_tables(look.best[None])[0])}


def turns(game: Race, memory: Memory) -> Floats:
    """Expected turns of the model against itself that begin at each pair of scores, shape (T, T), by i and j.

    Where nothing is remembered yet, every pair counts 1.
    """
    if NAME not in memory:
        return np.ones((game.target, game.target))
    return _turns(game, memory[NAME].tobytes())


@lru_cache(maxsize=8)
def _turns(game: Race, packed: bytes) -> Floats:
    from pigevo.exact import reach

    tables = np.unpackbits(np.frombuffer(packed, np.uint8), count=game.target**3).reshape(game.shape)
    player = Strategy(game, tables.transpose(0, 2, 1).astype(np.bool_), "model")
    begun: Floats = reach(player, player).overall[:, :, 0].copy()
    return begun


class Aim:
    """A law on score pairs: the more often a turn begins there, the more likely.

    Args:
        game: the game.
        memory: of the run.
        power: of the visits; 0 makes all pairs alike.

    A share `STRAY` of the choices does not aim: what nobody visits can still be worth a visit.
    """

    def __init__(self, game: Race, memory: Memory, power: float) -> None:
        weights = turns(game, memory) ** power
        self._target = game.target
        self._reached = np.cumsum(weights + STRAY / (1 - STRAY) * weights.mean())

    def pairs(self, uniforms: Floats) -> Ints:
        """A score pair for each number in [0, 1), shape (n, 2)."""
        places = np.searchsorted(self._reached, uniforms * self._reached[-1], side="right")
        return np.stack(np.divmod(np.minimum(places, self._reached.size - 1), self._target), axis=1)
