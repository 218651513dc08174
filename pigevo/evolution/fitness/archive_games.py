"""Simulated games against the champions of the run's own past, spent alike or by rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Floats, Ints, Tables
from pigevo.core.checked_values import Within
from pigevo.core.threads import map_threads
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, absolute
from pigevo.evolution.fitness.archive import ARCHIVE, SOURCE, Places, WithArchive, champions, prepared, score
from pigevo.evolution.game_allocation import in_order, pooled, remember_results, spend, way_of
from pigevo.evolution.operators import Context, Plays, State
from pigevo.evolution.registries import FITNESSES
from pigevo.evolution.tables import layout

DICE = "common random numbers: Law, Simulation Modeling and Analysis, chapter 11"
APART, ROUNDS = 1 << 10, 1 << 20
"""Places of dice between two rounds, more than there are opponents, and rounds between two members."""


@FITNESSES.register(name="archive_games", source=f"{SOURCE}; {DICE}")
@dataclass(frozen=True)
class ArchiveGames(WithArchive):
    """Simulated games of everyone against past champions of the run, all with the same dice.

    Two members that differ little then win and lose the same games, but for those in which
    the difference matters: their order is known after far fewer games than each one's rate.
    Before there are champions, the opponent is the first member.

    Args:
        every: generations between two champions.
        size: how many champions are met; their ages grow geometrically.
        by: the case that counts.
        games: of each member at most, as many against each opponent, and an even number.
        spend: how the games of all members are spent on them, with its numbers after a colon: fixed, growing,
            halving, racing or allocation (`pigevo describe racing`), as in racing:0.95,0.1.
        pool: whether those who stayed keep the games that they have played against the same opponents, and new ones
            are added to them.
        common: whether all members meet the same dice.

    Raises:
        InputError: fewer than two games for each opponent, or a rule that judges by means where the worst case counts.
    """

    size: Places = 3
    games: Annotated[int, Within(2, 10**9)] = 48_000
    spend: str = "fixed"
    pool: bool = False
    common: bool = True

    def __post_init__(self) -> None:
        if self.games < 2 * self.size:
            least = f"at least {2 * self.size} games for {self.size} opponents (fitness.size)"
            raise InputError(f"fitness.games = {self.games} is too small: it must be {least}.")
        way_of(self.spend)
        if self.spend.partition(":")[0] not in ("fixed", "growing") and self.by == "worst" and self.size > 1:
            raise InputError(f"fitness.spend = {self.spend} judges by means: write fitness.by=mean, or fitness.size=1.")

    @property
    def plays(self) -> Plays:
        """So many games of each member, none between members."""
        return Plays(games=self.games)

    def remember(self, genomes: Bytes, context: Context) -> State:
        """Enter the champion, if it is time; with `pool` also what each member has won."""
        found = super().remember(genomes, context)
        if not self.pool or context.evaluation is None:
            return found
        own = context.grid.to_tables(genomes)
        opponents, known = _opponents(own, context), context.evaluation
        assert known.cases is not None
        assert known.played is not None
        played = known.played // (1 if self.by == "worst" else len(opponents))
        return {**found, **remember_results(own, opponents, known.cases * played[:, None], played)}

    def __call__(self, tables: Bools, context: Context) -> Evaluation:
        """Evaluate each member with the dice of the context's generation."""
        own = layout(tables, context.game)
        opponents = _opponents(own, context)
        met, budget = len(opponents), self.games // (2 * len(opponents)) * len(own)

        def play(more: Ints, number: int) -> Floats:
            return _won(own, opponents, 2 * more, number, context, self.common)

        found = spend(way_of(self.spend), play, len(own), budget, met, context.generation)
        won, played = found.won, 2 * found.played
        games = int(played.sum()) * met
        if self.pool:
            won, played = pooled(own, opponents, won, played, context.state)
        cases = won / played[:, None]
        scores = in_order(score(cases, self.by), found.tiers)
        return absolute(scores, context.pairs, cases, games, played if self.by == "worst" else played * met)

    def truth(self, tables: Any, context: Context, members: Ints) -> Floats:
        """The worst, or the mean, of the exact win probabilities of members against the same opponents, shape (m,)."""
        from pigevo.exact import against

        own = layout(tables, context.game)
        met = [prepared(context.game, np.packbits(one).tobytes()) for one in _opponents(own, context)]
        cases = np.stack([against(own[members], one, context.workers).mean(axis=1) for one in met], axis=1)
        return score(cases, self.by)


def _opponents(own: Tables, context: Context) -> Bytes:
    """The champions of the archive; before there are any, the first member."""
    return champions(context.game, context.state) if ARCHIVE in context.state else own[:1]


def _won(own: Tables, opponents: Bytes, games: Ints, number: int, context: Context, common: bool) -> Floats:
    """How many games each member wins of so many against each opponent, with the dice of a round, shape (n, m)."""
    from pigevo.simulation import play_pairs

    progress = context.progress
    matches = [(n, one) for one in range(len(opponents)) for n in np.flatnonzero(games).tolist()]

    def won(match: tuple[int, int]) -> float:
        member, one = match
        place = one + APART * (number + (0 if common else ROUNDS * (member + 1)))
        both = np.stack([own[member], opponents[one]])
        draw = context.draw.at(pair=place)
        counts = play_pairs(context.game, both, [(0, 1)], int(games[member]), draw, paired=True)
        return float(counts[0, 0] + context.game.draw * counts[0, 4])

    played = None if progress is None else lambda match: progress(int(games[match[0]]))
    found = np.zeros((len(own), len(opponents)))
    if matches:
        members, ones = np.array(matches).T
        found[members, ones] = map_threads(won, matches, context.workers, played)
    return found
