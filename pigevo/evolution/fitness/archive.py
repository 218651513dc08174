"""Fitness against past champions of the run, so that co-evolution does not go round in circles.

The champion of a generation is its best member by the run's own fitness, without an oracle.
The ages of the champions in the archive grow geometrically: many are recent, a few are old.
Recent champions alone would all be alike, and their decisions in states that they never reach
were never selected.  A child that leads them into such states beats them all, but loses to
older champions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Floats, Ints, Tables
from pigevo.core.checked_values import Within
from pigevo.core.machine import byte_lru_cache, map_threads
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, every_pair
from pigevo.evolution.fitness import FITNESSES
from pigevo.evolution.game_allocation import allocation_rule, pooled, ranked_by_tier, remember_results, spend
from pigevo.evolution.operators import Context, Fitness, Plays, Remembered, lazy
from pigevo.evolution.population import to_layout
from pigevo.games import Game
from pigevo.strategies import CubeGrid, Members
from pigevo.strategies.grid import packed_decisions, unpacked_decisions

if TYPE_CHECKING:
    from pigevo.exact.boards import BoardTurns
    from pigevo.exact.turns import Turns

ARCHIVE, ARCHIVE_BORN = "archive", "archive_born"


def remember_champion(genomes: Bytes, context: Context, every: int, size: int) -> Remembered:
    """Add the best member every `every` generations; remove one when there are more than `size` (`thinned`)."""
    state = context.state
    if ARCHIVE in state and context.generation % every:
        return {}
    best = genomes[int(context.scores.argmax())]
    newest = packed_decisions(context.grid, best)[None]
    past = state[ARCHIVE] if ARCHIVE in state else newest[:0]
    born = np.append(state.get(ARCHIVE_BORN, np.empty(0, np.int64)), context.generation)
    staying = thinned(context.generation + every - born, size)
    return {ARCHIVE: np.concatenate([past, newest])[staying], ARCHIVE_BORN: born[staying]}


def thinned(ages: Ints, size: int) -> Ints:
    """Indices of at most `size` members that stay, chosen so that their ages form a geometric sequence."""
    staying = np.arange(len(ages))
    while len(staying) > size:
        left = ages[staying]
        factors = left[:-2] / left[2:]
        staying = np.delete(staying, 1 + int(factors.argmin())) if len(staying) > 2 else staying[1:]
    return staying


def champions(game: Game, state: Remembered) -> Bytes:
    """The decisions of the champions in the archive, the oldest first, in the layout of the game."""
    return unpacked_decisions(game, state.get(ARCHIVE, np.empty((0, -(-game.cells // 8)), np.uint8)))


Every = Annotated[int, Within(1, 10**9)]
ArchiveSize = Annotated[int, Within(1, 1000)]
By = Literal["worst", "mean"]
PREPARED_BYTES = 32 << 20  # limit in bytes for the prepared opponents that are kept in addition to the last one

MOST_RESULTS = 2**14
Opponent = tuple[CubeGrid | Game, float, bytes]
"""An opponent in `_results`: how members' rows are read (as genes of a grid or decisions of a game), the share of
exploring starts, and the digest of a champion."""

_results: dict[Opponent, dict[bytes, float]] = {}  # of members, by the digests of their rows

SOURCE = "hall of fame: Rosin & Belew 1997, New methods for competitive coevolution"
STARTS = "exploring starts: Sutton & Barto 2018, Reinforcement Learning, section 5.3"


@dataclass(frozen=True)
class WithArchive(Fitness):
    """A fitness that keeps an archive.

    Args:
        every: generations between two champions.
        size: number of champions that each member plays; their ages grow geometrically.
        by: whether the worst or the mean result against the champions is the score.
    """

    every: Every = 20
    size: ArchiveSize = 8
    by: By = "worst"

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """Memory for the champions, packed and prepared, and for the results of each member against each champion."""
        return self.size * (3 * game.cells + 24 * size) + PREPARED_BYTES

    def remember(self, genomes: Bytes, context: Context) -> Remembered:
        """Add the champion if one is due."""
        return remember_champion(genomes, context, self.every, self.size)


@FITNESSES.register(name="archive", source=f"{SOURCE}; {STARTS}")
@dataclass(frozen=True)
class Archive(WithArchive):
    """Exact win probabilities of all members against past champions of the run.

    If the worst result is the score, evolution looks for a strategy that no past champion can
    beat, and a lineage that has reached the optimum stays there.  If the mean is the score, it
    pays to exploit the weaker champions.  Before there are champions, every member plays every
    other member, from the opening.

    Champions belong to one lineage and reach the same scores.  Their decisions at other scores
    have never been selected, so a member that leads them there may beat them all and still be
    a worse strategy.  Therefore a share of the games begins at scores drawn at random, so that
    every decision counts.  The optimal strategy remains the best, since it is optimal from all
    scores.

    Args:
        race: whether a new member stops playing opponents as soon as its worst result is below the worst results of all
            members that stayed. Its score is then that worst result, which is too high, but below those of these
            members. So a run is the same where only members at least as good as these are selected: with
            replacement=survivors_and_offspring and a truncation, and without immigrants.
        exploring_starts: share of games that begin with a turn at scores drawn uniformly at random, instead of the
            opening; with 0 all games begin with the opening.
    """

    race: bool = False
    exploring_starts: Annotated[float, Within(0, 1)] = 0.5

    def __post_init__(self) -> None:
        if self.race and self.by != "worst":
            raise InputError(
                f"fitness.race cannot be used with fitness.by = {self.by}: omit it, or write fitness.by=worst."
            )

    @lazy
    def __call__(self, tables: Bools | Members, context: Context) -> Evaluation:
        """Evaluate each member."""
        from pigevo.exact import against, matrix_of_tables

        decisions = to_layout(tables, context.game)
        if ARCHIVE not in context.state:
            matrix = matrix_of_tables(context.game, decisions, context.workers)
            everyone = every_pair(len(decisions))  # added up in the order of a round robin, as digests have it
            wins = np.stack([matrix[a, b] for a, b in (everyone.T, everyone.T[::-1])], axis=1)
            return Evaluation.of_scores(Evaluation.of_matches(len(decisions), everyone, wins).scores, context.pairs)
        past = [row.tobytes() for row in context.state[ARCHIVE]]

        def results_against(number: int, players: Ints) -> Floats:
            champion = prepared(context.game, past[number])
            seats: Floats = against(decisions, champion, context.workers, players, self.exploring_starts)
            return np.asarray(seats.mean(axis=1))

        row_digests = digests(decisions.genomes if isinstance(decisions, Members) else decisions[:])
        first = dict[bytes, int]()  # the first member with a digest: at a low rate many children equal a parent
        alike = np.array([first.setdefault(name, number) for number, name in enumerate(row_digests)])
        distinct, cases = np.unique(alike), np.empty((len(decisions), len(past)))
        staying = len(decisions) - context.fresh
        stayed, new = np.split(distinct, [int(np.searchsorted(distinct, staying))])
        if self.race and staying:
            row_format = decisions.grid if isinstance(decisions, Members) else context.game
            opponents = [(row_format, self.exploring_starts, sha256(champion).digest()) for champion in past]
            cases[stayed] = _met_before(opponents, row_digests, stayed, results_against)
            known = cases[alike[:staying]]
            cases[new] = raced(known, new, results_against)
            finished = new[cases[new].min(axis=1) >= known.min()]
            _keep(opponents, row_digests, np.concatenate([stayed, finished]), cases)
        else:
            cases[distinct] = np.stack([results_against(number, distinct) for number in range(len(past))], axis=1)
        cases = cases[alike]
        return Evaluation.of_scores(score(cases, self.by), context.pairs, cases)


def raced(known: Floats, new: Ints, results_against: Callable[[int, Ints], Floats]) -> Floats:
    """Results of new members against each opponent, shape (n, opponents), in a race.

    A new member leaves the race once its worst result is below all results of the members that stayed.  Its worst
    result so far then stands for its results against the remaining opponents.

    Args:
        known: results of the members that stayed, shape (m, opponents).
        new: indices of the new members, shape (n,).
        results_against: returns results against an opponent, given its number and the indices of the members that play
            it.
    """
    worst, racing = np.full(len(new), np.inf), np.arange(len(new))
    cases = np.empty((len(new), known.shape[1]))
    for number in known.mean(axis=0).argsort(kind="stable"):  # the most dangerous one first
        cases[:, number] = worst
        cases[racing, number] = results_against(int(number), new[racing])
        worst[racing] = np.minimum(worst[racing], cases[racing, number])
        racing = racing[worst[racing] >= known.min()]
    return cases


def score(cases: Floats, by: By) -> Floats:
    """The worst or the mean result of each member over the opponents, shape (n,)."""
    scores: Floats = cases.min(axis=1) if by == "worst" else cases.mean(axis=1)
    return scores


@byte_lru_cache(
    lambda arguments, turns: len(arguments[1]) + sum(array.nbytes for array in turns.arrays), PREPARED_BYTES
)
def prepared(game: Game, packed: bytes) -> Turns | BoardTurns:
    """Prepare an opponent, given as packed bits, for the exact engine."""
    from pigevo.exact import turns_of_tables

    return turns_of_tables(game, champions(game, {ARCHIVE: np.frombuffer(packed, np.uint8)[None]})[0])


def _met_before(
    opponents: Sequence[Opponent],
    row_digests: Sequence[bytes],
    members: Ints,
    results_against: Callable[[int, Ints], Floats],
) -> Floats:
    """Results of members that stay, shape (m, opponents); most are known from earlier generations."""
    found = np.empty((len(members), len(opponents)))
    for number, opponent in enumerate(opponents):
        results = _results.get(opponent, {})
        if unmet := [member for member in members if row_digests[member] not in results]:
            new = results_against(number, np.array(unmet)).tolist()
            results = results | {row_digests[member]: result for member, result in zip(unmet, new, strict=True)}
        found[:, number] = [results[row_digests[member]] for member in members]
    return found


def _keep(opponents: Sequence[Opponent], row_digests: Sequence[bytes], members: Ints, cases: Floats) -> None:
    """Remember the results of members, given the cases of all members by their digests."""
    if sum(map(len, _results.values())) >= MOST_RESULTS:
        _results.clear()
    for opponent, results in zip(opponents, cases.T.tolist(), strict=True):
        _results.setdefault(opponent, {}).update({row_digests[member]: results[member] for member in members})


def digests(rows: Bytes) -> list[bytes]:
    """A digest of each row of zeros and ones."""
    return [sha256(row).digest() for row in np.packbits(rows.reshape(len(rows), -1), axis=1)]


DICE = "common random numbers: Law, Simulation Modeling and Analysis, chapter 11"
APART, ROUNDS = 1 << 10, 1 << 20
"""A match has the dice of pair `opponent + APART * (round + ROUNDS * (member + 1))`, or without the member's term."""


@FITNESSES.register(name="archive_games", source=f"{SOURCE}; {DICE}")
@dataclass(frozen=True)
class ArchiveGames(WithArchive):
    """Simulated games of all members against past champions of the run, all with the same dice.

    Two members that differ little then win and lose the same games, except those in which the
    difference matters.  Their order is known after far fewer games than the win rate of either.
    Before there are champions, the opponent is the first member.

    Args:
        games: number of games of each member, if all play alike; other ways to spend them divide the games of the
            whole population. Each opponent gets the same, even number of a member's games.
        spend: how the games are divided among the members: fixed, growing, halving, racing or allocation
            (`pigevo describe racing`), with its numbers after a colon, for example racing:0.95,0.1.
        pool: whether members that stayed keep their earlier games against the same opponents, so that new games are
            added to them.
        common: whether all members play with the same dice.
    """

    size: ArchiveSize = 3
    games: Annotated[int, Within(2, 10**9)] = 48_000
    spend: str = "fixed"
    pool: bool = False
    common: bool = True

    def __post_init__(self) -> None:
        if self.games < 2 * self.size:
            least = f"at least {2 * self.size} games for {self.size} opponents (fitness.size)"
            raise InputError(f"fitness.games = {self.games} is too small: it must be {least}.")
        allocation_rule(self.spend)
        if self.spend.partition(":")[0] not in ("fixed", "growing") and self.by == "worst" and self.size > 1:
            raise InputError(
                f"fitness.spend = {self.spend} compares means of results: write fitness.by=mean, or fitness.size=1."
            )

    @property
    def plays(self) -> Plays:
        """At most `games` games of each member, and no games between members."""
        return Plays(games=self.games)

    def remember(self, genomes: Bytes, context: Context) -> Remembered:
        """Add the champion if one is due; with `pool` also remember the games that each member has won."""
        champion = super().remember(genomes, context)
        if not self.pool or context.evaluation is None:
            return champion
        decisions = context.grid.to_tables(genomes)
        opponents, known = _opponents(decisions, context), context.evaluation
        assert known.cases is not None
        assert known.played is not None
        played = known.played // (1 if self.by == "worst" else len(opponents))
        return {**champion, **remember_results(decisions, opponents, known.cases * played[:, None], played)}

    @lazy
    def __call__(self, tables: Bools | Members, context: Context) -> Evaluation:
        """Evaluate each member with the dice of the context's generation."""
        decisions = to_layout(tables, context.game)
        opponents = _opponents(decisions, context)
        count, budget = len(opponents), self.games // (2 * len(opponents)) * len(decisions)

        def play(more: Ints, number: int) -> Floats:
            return _won(decisions, opponents, 2 * more, number, context, self.common)

        spent = spend(allocation_rule(self.spend), play, len(decisions), budget, count, context.generation)
        won, played = spent.won, 2 * spent.played
        games = int(played.sum()) * count
        if self.pool:
            won, played = pooled(decisions, opponents, won, played, context.state)
        cases = won / played[:, None]
        scores = ranked_by_tier(score(cases, self.by), spent.tiers)
        played_in_all = played if self.by == "worst" else played * count
        return Evaluation.of_scores(scores, context.pairs, cases, games, played_in_all)

    @lazy
    def truth(self, tables: Bools | Members, context: Context, members: Ints) -> Floats:
        """The worst or the mean exact win probability of members against the same opponents, shape (m,)."""
        from pigevo.exact import against

        decisions = to_layout(tables, context.game)
        met = [prepared(context.game, np.packbits(opponent).tobytes()) for opponent in _opponents(decisions, context)]
        scored = decisions[members]
        cases = np.stack([against(scored, opponent, context.workers).mean(axis=1) for opponent in met], axis=1)
        return score(cases, self.by)


def _opponents(decisions: Tables, context: Context) -> Bytes:
    """The champions of the archive; before there are any, the first member."""
    return champions(context.game, context.state) if ARCHIVE in context.state else decisions[:1]


def _won(decisions: Tables, opponents: Bytes, games: Ints, number: int, context: Context, common: bool) -> Floats:
    """Games won by each member against each opponent, with the dice of a round, shape (n, m)."""
    from pigevo.simulation import play_pairs

    progress = context.progress
    matches = [(n, opponent) for opponent in range(len(opponents)) for n in np.flatnonzero(games).tolist()]

    def won(match: tuple[int, int]) -> float:
        member, opponent = match
        pair = opponent + APART * (number + (0 if common else ROUNDS * (member + 1)))
        both = np.stack([decisions[member], opponents[opponent]])
        draw = context.draw.at(pair=pair)
        counts = play_pairs(context.game, both, [(0, 1)], int(games[member]), draw, paired=True)
        return float(counts[0, 0] + context.game.draw * counts[0, 4])

    report = None if progress is None else lambda match: progress(int(games[match[0]]))
    games_won = np.zeros((len(decisions), len(opponents)))
    if matches:
        members, opponents_met = np.array(matches).T
        games_won[members, opponents_met] = map_threads(won, matches, context.workers, report)
    return games_won
