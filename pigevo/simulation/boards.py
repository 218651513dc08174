"""Games on a board: what the compiled game needs beside the decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pigevo.core.arrays import Bytes, Ints, Tables, Words
from pigevo.games.board import board_of
from pigevo.games.game import Game, Throw
from pigevo.simulation.board_kernels import play_on_board

Play = Callable[[int, int], Bytes]
"""The outcomes of the games from one number to before another."""


def cuts_of(throws: Sequence[Throw]) -> Words:
    """Where each throw ends among the 2^64 random words, as the word it is below; the last takes what is left."""
    ends = np.cumsum([throw.chance for throw in throws])
    return np.array([min(int(end * 2**64), 2**64 - 1) for end in ends.tolist()], dtype=np.uint64)


def player_on_board(
    game: Game,
    tables: Tables,
    pairs: Ints,
    games: int,
    most_turns: int,
    place: tuple[int, np.uint64, np.uint64, np.uint64],
    paired: bool,
) -> Play:
    """What plays games between some strategies."""
    board = board_of(game)
    decisions = tables[:].reshape(len(tables), *board.rows)
    later, first = cuts_of(game.thrown), cuts_of(game.first_thrown)
    opening_throws = int((board.hold == 0).sum())
    cuts = np.concatenate([np.tile(first, opening_throws), np.tile(later, len(board.hold) - opening_throws)])

    def play(start: int, stop: int) -> Bytes:
        pair, generation, seed, stream = place
        found: Bytes = play_on_board(
            decisions, board.begin, board.leads, cuts, board.hold, board.follow, board.partner, board.opening,
            pairs, games, start, stop, most_turns, pair, generation, seed, stream, paired,
        )  # fmt: skip
        return found

    return play
