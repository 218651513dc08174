"""The states of a game and the transitions between them, as arrays derived from its rules.

States between turns are described from the view of the player to move, and numbered in the order of the game's axes;
so are the states within a turn.  A turn ends with an *effect*: a number of points banked, or the whole score lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pigevo.core.array_names import Bools, Floats, Ints, Ints32, Words
from pigevo.core.imports import numpy as np
from pigevo.core.machine import byte_lru_cache
from pigevo.errors import InputError
from pigevo.games.game import DIFFERENCE, LAST_TURN, LEFT, OPPONENT, OWN, ROLLS, SECOND, Game, Throw

LOSS, DRAW, WIN = 0, 1, 2
"""Results of the game for the player whose turn ended it; they are numbered after the states between turns."""

LARGEST_BOARD = 10**8

TurnArrays = tuple[Ints, Ints, Floats, Ints, Ints32]
"""`begin`, `leads`, `chances`, `hold` and `follow` of a board: everything that can happen in a turn, for kernels."""


@dataclass(frozen=True, eq=False)
class Board:
    """A game as arrays, with B states between turns, W states within a turn, and E effects.

    Args:
        game: the game.
        begin: the index of the first outcome of a throw at each state of a turn, shape (W + 1,), in the rules' order.
        leads: the state of the turn that an outcome leads to, or `-1 - effect` if it ends the turn.
        chances: the probabilities of the outcomes.
        hold: the effect of a hold, shape (W,).
        follow: the state from which the opponent moves next, or B plus the number of the game's result, shape (E, B).
        order: the states between turns from the end of the game backwards, shape (B,): a turn leads to states that come
            earlier in this order, to the partner, or to a state in `low`.
        partner: the opponent's state after a turn that changes no score, from which play can return, shape (B,); -1
            if it cannot.
        low: the states that are reached when a score is lost; empty if scores only grow.
        opening: the state at the start of the game.
    """

    game: Game
    begin: Ints
    leads: Ints
    chances: Floats
    hold: Ints
    follow: Ints32
    order: Ints
    partner: Ints
    low: Ints
    opening: int

    @property
    def states(self) -> int:
        """The number of states between turns."""
        return int(self.follow.shape[1])

    @property
    def turn(self) -> TurnArrays:
        """What can happen in a turn."""
        return self.begin, self.leads, self.chances, self.hold, self.follow

    @property
    def rows(self) -> tuple[int, int, int]:
        """The shape of decisions as the engine reads them: rows of states, states of a turn, states of a row."""
        length = len(self.game.between[-1].values)
        return self.states // length, len(self.hold), length


@byte_lru_cache(
    lambda given, board: sum(array.nbytes for array in vars(board).values() if isinstance(array, np.ndarray))
)
def board_of(game: Game) -> Board:
    """The board of a game; a game with too many states is refused."""
    shape = tuple(len(axis.values) for axis in game.between)
    if np.prod([float(n) for n in game.shape]) > LARGEST_BOARD:
        raise InputError(f"{game} has more than {LARGEST_BOARD:,} cells: choose a smaller one.")
    begin, leads, chances, hold, gains = _turn(game)
    at = dict(zip([axis.name for axis in game.between], _states(game), strict=True))
    effects = [*range(gains), None] if game.falls else [*range(gains)]
    follow = np.stack([_after(game, at, effect, shape) for effect in effects]).astype(np.int32)
    states = follow.shape[1]
    rank = at[OWN] + at[OPPONENT] if game.target else 2 * (game.turns - at[LEFT]) + at[SECOND]
    stay = np.append(follow[0], np.full(3, -1))  # nothing follows the end of the game
    partner = np.where((stay[stay[:-3]] == np.arange(states)) & (stay[:-3] < states), stay[:-3], -1)
    # The highest rank first, since turns that bank points raise it. If decisions depend on the opponent's last turn, a
    # turn without points can lead from a state without a partner to one with a partner, so those with a partner come
    # first.
    order = np.lexsort((partner < 0, -rank))
    ranks = np.append(rank, np.full(3, np.iinfo(np.int64).max))
    back = (ranks[follow] < rank) | ((ranks[follow] == rank) & (follow != follow[0]))
    arrays = (begin, leads, chances, hold, follow, order, partner, np.unique(follow[back]).astype(np.int64))
    for array in arrays:
        array.setflags(write=False)
    return Board(game, *arrays, opening=int(np.ravel_multi_index(_opening(game), shape)))


def _states(game: Game) -> list[Ints]:
    """The value on each axis of every state between turns, shape (B,) each."""
    mesh = np.meshgrid(*(np.array(axis.values) for axis in game.between), indexing="ij")
    return [array.ravel() for array in mesh]


def _opening(game: Game) -> tuple[int, ...]:
    begins = {LEFT: game.turns}
    return tuple(axis.values.index(begins.get(axis.name, 0)) for axis in game.between)


def _turn(game: Game) -> tuple[Ints, Ints, Floats, Ints, int]:
    """The states of a turn, the outcomes of a throw at each, and how many different gains a turn can bank."""
    totals = range(game.size)
    rolls = range(game.most_rolls + 1) if any(axis.name == ROLLS for axis in game.within) else range(1)
    thrown = (*game.effective_throws, *game.first_effective_throws)
    most = game.size if game.target else game.size - 1 + max(t.points for t in thrown)
    gains = 1 + max(most, *(t.points for t in thrown if t.ends), 0)
    begin, leads, chances, hold = [0], list[int](), list[float](), list[int]()
    for total in totals:
        for roll in rolls:
            for throw in game.first_effective_throws if total == 0 else game.effective_throws:
                leads.append(_lead(game, throw, total, min(roll + 1, len(rolls) - 1), len(rolls), most, gains))
                chances.append(throw.chance)
            begin.append(len(leads))
            hold.append(total)
    return np.array(begin), np.array(leads), np.array(chances), np.array(hold), gains


def _lead(game: Game, throw: Throw, total: int, roll: int, rolls: int, most: int, gains: int) -> int:
    """The entry of `Board.leads` for a throw at a turn total, where `roll` is the number of rolls after it."""
    if throw.ends == "score":
        return -1 - gains
    if throw.ends == "turn":
        return -1 - throw.points
    reached = total + throw.points
    return reached * rolls + roll if reached < game.size else -1 - min(reached, most)


def _after(game: Game, at: dict[str, Ints], effect: int | None, shape: tuple[int, ...]) -> Ints:
    """The state from which the opponent moves after an effect (None: the whole score is lost), for every state."""
    gain = 0 if effect is None else effect
    after = {LAST_TURN: np.full_like(at[next(iter(at))], min(gain, game.size - 1))}
    if DIFFERENCE in at:
        after[DIFFERENCE] = -np.clip(at[DIFFERENCE] + gain, -game.cap, game.cap)
        lead = -after[DIFFERENCE]
    else:
        own = at[OWN] + gain if effect is not None else np.zeros_like(at[OWN])
        after |= {OWN: at[OPPONENT], OPPONENT: np.minimum(own, game.size)}
        lead = after[OPPONENT] - at[OPPONENT]
    states = len(lead)
    end = states + np.where(lead == 0, DRAW if game.level == "draw" else LOSS, DRAW + np.sign(lead))
    if game.target:
        is_over = _ends_race(game, at, after[OPPONENT])
        after[OWN] = np.minimum(after[OWN], game.target - 1)
        after[OPPONENT] = np.minimum(after[OPPONENT], (game.size if game.reply else game.target) - 1)
    else:
        is_over = (at[SECOND] == 1) & (at[LEFT] == 1)
        after[LEFT] = np.maximum(at[LEFT] - at[SECOND], 1)
    if SECOND in at:
        after[SECOND] = 1 - at[SECOND]
    indices = tuple(after[axis.name] - axis.values[0] for axis in game.between)
    return np.where(is_over, end, np.ravel_multi_index(indices, shape))


def _ends_race(game: Game, at: dict[str, Ints], banked: Ints) -> Bools:
    """Whether a turn that brings a score to `banked` ends a race because nobody has a turn left."""
    has_reply = (at[SECOND] == 0) if game.reply == "second" else np.full(banked.shape, game.reply == "other")
    was_reply = at[OPPONENT] >= game.target
    over: Bools = was_reply | (banked >= game.size) | ((banked >= game.target) & ~has_reply)
    return over


def cuts_of(throws: Sequence[Throw]) -> Words:
    """For each throw the first random word that belongs to a later throw; the last throw takes all that are left."""
    ends = np.cumsum([throw.chance for throw in throws])
    return np.array([min(int(end * 2**64), 2**64 - 1) for end in ends.tolist()], dtype=np.uint64)
