"""Fitness whose opponents are the champions of the run's own past."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np

from pigevo.arrays import Bools, Bytes, Floats, Ints, Tables
from pigevo.checked import Within
from pigevo.errors import InputError
from pigevo.evolution.archive import ARCHIVE, champions, remember_champion
from pigevo.evolution.evaluation import Evaluation, absolute, every_pair, pairwise
from pigevo.evolution.operators import Context, Fitness, Plays, State
from pigevo.evolution.registries import FITNESSES
from pigevo.evolution.tables import layout
from pigevo.games import Game
from pigevo.threads import map_threads

Every = Annotated[int, Within(1, 10**9)]
Places = Annotated[int, Within(1, 1000)]
By = Literal["worst", "mean"]
SOURCE = "hall of fame: Rosin & Belew 1997, New methods for competitive coevolution"
DICE = "common random numbers: Law, Simulation Modeling and Analysis, chapter 11"


@dataclass(frozen=True)
class _WithArchive(Fitness):
    every: Every = 20
    size: Places = 8
    by: By = "worst"

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """The champions, as bits and as they are met, and what each member does against each."""
        return self.size * (3 * game.cells + 24 * size)

    def remember(self, genomes: Bytes, context: Context) -> State:
        """Enter the champion, if it is time."""
        return remember_champion(genomes, context, self.every, self.size)


@FITNESSES.register(name="archive", source=SOURCE)
@dataclass(frozen=True)
class Archive(_WithArchive):
    """Everyone's exact win probabilities against past champions of the run.

    By the worst of them evolution looks for the strategy that none of its past can beat,
    and one who has come to the optimum stays there; by their mean it pays to exploit the
    weaker ones.  Before there are champions, everyone meets everyone.

    Args:
        every: generations between two champions.
        size: how many champions are met; their ages grow geometrically (`pigevo.evolution.archive`).
        by: the case that counts.
        race: whether a new member stops meeting opponents as soon as one of them beats it by more than any beats
            any of those who stayed.  It would not be among the best of them anyway, which is all that truncation
            asks; its score is the worst so far.

    Raises:
        InputError: a race that is judged by the mean.
    """

    race: bool = False

    def __post_init__(self) -> None:
        if self.race and self.by != "worst":
            raise InputError(
                f"fitness.by = {self.by} knows no race: leave fitness.race away, or write fitness.by=worst."
            )

    def __call__(self, tables: Bools, context: Context) -> Evaluation:
        """Evaluate each member."""
        from pigevo.exact import against, matrix_of_tables

        own = layout(tables, context.game)
        if ARCHIVE not in context.state:
            matrix = matrix_of_tables(context.game, own, context.workers)
            everyone = every_pair(len(own))
            wins = np.stack([matrix[a, b] for a, b in (everyone.T, everyone.T[::-1])], axis=1)
            return absolute(pairwise(len(own), everyone, wins).scores, context.pairs)
        game, past = context.game, [row.tobytes() for row in context.state[ARCHIVE]]

        def met(number: int, players: Ints) -> Floats:
            seats: Floats = against(own, _opponent(game, past[number]), context.workers, players)
            return np.asarray(seats.mean(axis=1))

        if self.race and context.fresh < len(own):
            stayed = [np.packbits(table).tobytes() for table in own[: len(own) - context.fresh]]
            known = np.array([[_result(game, one, other) for other in past] for one in stayed])
            cases = raced(known, len(own), met)
        else:
            cases = np.stack([met(number, np.arange(len(own))) for number in range(len(past))], axis=1)
        return absolute(_score(cases, self.by), context.pairs, cases)


def raced(known: Floats, members: int, met: Callable[[int, Ints], Floats]) -> Floats:
    """Every member's result against each opponent; those beyond the first leave when they are worse than all of these.

    A member that has left has its worst result so far in place of those that it would have had.

    Args:
        known: the results of the first members, shape (kept, opponents).
        members: how many there are with the others.
        met: the results of members, by their indices, against the opponent of a number.

    Returns:
        Results, shape (members, opponents).
    """
    kept, opponents = known.shape
    bar, worst, racing = known.min(), np.full(members, np.inf), np.arange(kept, members)
    cases = np.concatenate([known, np.empty((members - kept, opponents))])
    for number in known.mean(axis=0).argsort(kind="stable"):  # the most dangerous one first
        cases[kept:, number] = worst[kept:]
        cases[racing, number] = met(int(number), racing)
        worst[racing] = np.minimum(worst[racing], cases[racing, number])
        racing = racing[worst[racing] >= bar]
    return cases


@FITNESSES.register(name="archive_games", source=f"{SOURCE}; {DICE}")
@dataclass(frozen=True)
class ArchiveGames(_WithArchive):
    """Simulated games of everyone against past champions of the run, all with the same dice.

    Two members that differ little then win and lose the same games, but for those in which
    the difference matters: their order is known after far fewer games than each one's rate.
    Before there are champions, the opponent is the first member.

    Args:
        every: generations between two champions.
        size: how many champions are met; their ages grow geometrically.
        by: the case that counts.
        games: of each member at most, as many against each opponent, and an even number.

    Raises:
        InputError: fewer than two games for each opponent.
    """

    size: Places = 3
    games: Annotated[int, Within(2, 10**9)] = 48_000

    def __post_init__(self) -> None:
        if self.games < 2 * self.size:
            least = f"at least {2 * self.size} games for {self.size} opponents (fitness.size)"
            raise InputError(f"fitness.games = {self.games} is too small: it must be {least}.")

    @property
    def plays(self) -> Plays:
        """So many games of each member, none between members."""
        return Plays(games=self.games)

    def __call__(self, tables: Bools, context: Context) -> Evaluation:
        """Evaluate each member with the dice of the context's generation."""
        own = layout(tables, context.game)
        opponents = _opponents(own, context)
        each = self.games // (2 * len(opponents)) * 2
        cases = np.stack([_won(own, opponents[n], each, context, n) for n in range(len(opponents))], axis=1)
        played = np.full(len(own), each if self.by == "worst" else each * len(opponents))
        return absolute(_score(cases, self.by), context.pairs, cases, each * cases.size, played)

    def truth(self, tables: Any, context: Context, members: Ints) -> Floats:
        """The worst, or the mean, of the exact win probabilities of members against the same opponents, shape (m,)."""
        from pigevo.exact import against

        own = layout(tables, context.game)
        met = [_opponent(context.game, np.packbits(one).tobytes()) for one in _opponents(own, context)]
        cases = np.stack([against(own[members], one, context.workers).mean(axis=1) for one in met], axis=1)
        return _score(cases, self.by)


def _opponents(own: Tables, context: Context) -> Bytes:
    """The champions of the archive; before there are any, the first member."""
    return champions(context.game, context.state) if ARCHIVE in context.state else own[:1]


def _won(tables: Tables, opponent: Bytes, games: int, context: Context, number: int) -> Floats:
    """The share of games that each strategy wins against opponent number so and so."""
    from pigevo.arena import play_pairs

    draw, progress = context.draw.at(pair=number), context.progress

    def won(member: int) -> float:
        both = np.stack([tables[member], opponent])
        counts = play_pairs(context.game, both, [(0, 1)], games, draw, paired=True)
        return float(counts[0, 0] + context.game.draw * counts[0, 4])

    played = None if progress is None else lambda _: progress(games)
    return np.array(map_threads(won, range(len(tables)), context.workers, played)) / games


def _score(cases: Floats, by: By) -> Floats:
    score: Floats = cases.min(axis=1) if by == "worst" else cases.mean(axis=1)
    return score


@lru_cache(maxsize=64)
def _opponent(game: Game, packed: bytes) -> Any:
    from pigevo.exact import turns_of_tables

    return turns_of_tables(game, _table(game, packed)[0])


@lru_cache(maxsize=512)
def _result(game: Game, packed: bytes, opponent: bytes) -> float:
    """Those who stay meet the same opponents again, generation after generation."""
    from pigevo.exact import against

    return float(against(_table(game, packed), _opponent(game, opponent)).mean())


def _table(game: Game, packed: bytes) -> Bytes:
    return champions(game, {ARCHIVE: np.frombuffer(packed, np.uint8)[None]})
