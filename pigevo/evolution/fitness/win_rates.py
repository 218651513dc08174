"""Fitness functions that are win rates: of simulated matches or exact, against other members or named strategies.

Matches are those of Exeter 2016, whose section 5.2 proposes exact win probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.core.checked_values import Filled, StrategyName, Within
from pigevo.core.machine import PIECE
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, referee
from pigevo.evolution.fitness import FITNESSES
from pigevo.evolution.operators import Context, Fitness, Plays, lazy
from pigevo.evolution.population import to_layout
from pigevo.games import Game
from pigevo.strategies import Members, parse_strategy


@FITNESSES.register(name="exact")
class Exact(Fitness):
    """The exact overall win probability of each pair that meets, from the equations of the game, without dice."""

    @property
    def plays(self) -> Plays:
        """Members play each other, without simulated games."""
        return Plays(members=True)

    @lazy
    def __call__(self, tables: Bools | Members, context: Context) -> Floats:
        """Evaluate each pair, shape (m, 2)."""
        from pigevo.exact import pairs_of_tables

        decisions, pairs = to_layout(tables, context.game), context.pairs
        work = context.workers, context.progress
        of_first = pairs_of_tables(context.game, decisions, pairs, *work).mean(axis=1)
        if not context.game.constant_sum:
            of_second = pairs_of_tables(context.game, decisions, pairs[:, ::-1], *work).mean(axis=1)
        else:
            of_second = 1 - of_first
        return np.stack([of_first, of_second], axis=1)


@FITNESSES.register()
@lazy
def exact_vs(
    tables: Bools | Members, context: Context, opponent: Annotated[str, StrategyName()] = "hold_at:20"
) -> Floats:
    """The exact overall win probability of each member against one opponent, shape (n,).

    Evolution then looks for the best response to that opponent.

    Args:
        opponent: a strategy as on the command line: `hold_at:20`, or the path of a saved strategy.
    """
    from pigevo.exact import against, prepare

    strategy = parse_strategy(opponent, context.game)
    won: Floats = against(to_layout(tables, context.game), prepare(strategy), context.workers).mean(axis=1)
    return won


@FITNESSES.register()
@lazy
def exact_vs_optimal(tables: Bools | Members, context: Context) -> Floats:
    """The exact overall win probability of each member against the optimal strategy, shape (n,).

    This is the referee's figure, so a run with this fitness uses information that all other runs do not have.
    """
    return referee(context.game, to_layout(tables, context.game), context.workers)


Opponents = Annotated[Sequence[Annotated[str, StrategyName()]], Filled("[hold_at:20,hold_at:25]")]


@FITNESSES.register()
@lazy
def panel(
    tables: Bools | Members,
    context: Context,
    opponents: Opponents = ("hold_at:15", "hold_at:20", "hold_at:25"),
    by: Literal["mean", "worst"] = "mean",
) -> Evaluation:
    """The mean or the worst exact overall win probability of each member against several opponents.

    With the mean, evolution looks for the best response to an opponent drawn from the panel.  With the worst, it looks
    for the strategy that is safe against all of them.  For selection=lexicase each opponent is a case.

    Args:
        opponents: strategies as on the command line: `hold_at:20`, or the path of a saved strategy.
        by: whether the mean or the worst result is the score.
    """
    from pigevo.exact import against, prepare

    decisions, game, workers = to_layout(tables, context.game), context.game, context.workers
    met = [against(decisions, prepare(parse_strategy(opponent, game)), workers).mean(axis=1) for opponent in opponents]
    cases = np.stack(met, axis=1)
    return Evaluation.of_scores(cases.min(axis=1) if by == "worst" else cases.mean(axis=1), context.pairs, cases)


@FITNESSES.register(name="games", source="Exeter 2016, section 3.4.5")
@dataclass(frozen=True)
class Games(Fitness):
    """Each pair plays a match with alternating seats; a member's result is the share of games that it wins.

    A draw counts as the game defines it; a game that ends without a winner in another way counts 0 for both.

    Args:
        games: number of games in a match.
        paired: whether games 2n and 2n + 1 of a match have the same dice, with the seats swapped (`pigevo.play_match`);
            then `games` must be even.
    """

    games: Annotated[int, Within(1, 10**9)] = 100
    paired: bool = False

    def __post_init__(self) -> None:
        if self.paired and self.games % 2:
            raise InputError(
                f"games = {self.games}: games with paired dice are played in twos, so their number must be even."
            )

    @property
    def plays(self) -> Plays:
        """A match between the members of each pair."""
        return Plays(members=True, games=self.games, paired=self.paired)

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """Memory for the decisions as bits."""
        return min(size * game.cells // 8, PIECE)

    @lazy
    def __call__(self, tables: Bools | Members, context: Context) -> Floats | Evaluation:
        """The shares of games won, shape (m, 2), with the dice of the context's generation."""
        return self._shares_won(tables, context)

    def _shares_won(self, tables: Bools | Members, context: Context) -> Floats:
        counts = _counts_of_ends(tables, context, self.games, paired=self.paired)
        won: Floats = (counts[:, :2] + context.game.draw * counts[:, 4:]) / self.games
        return won

    @lazy
    def truth(self, tables: Bools | Members, context: Context, members: Ints) -> Floats:
        """The exact mean win probabilities of members against the members that they met, shape (m,)."""
        met = context.pairs[np.isin(context.pairs, members).any(axis=1)]
        met = np.where(np.isin(met[:, 1:], members), met, met[:, ::-1])  # the engine prepares each second strategy once
        wins = Exact()(tables, replace(context, pairs=met, progress=None))
        return Evaluation.of_matches(len(tables), met, wins).scores[members]


@FITNESSES.register(name="sets", source="Exeter 2016, section 5.2")
@dataclass(frozen=True)
class Sets(Fitness):
    """Each pair plays a match in sets; the member that wins more games of a set gets a point, or both get half a point.

    The games are the same as with the fitness `games`, with the same dice and seats; only the score differs.

    Args:
        games: number of games in a match.
        sets: number of sets in a match; all sets have the same number of games.
    """

    games: Annotated[int, Within(1, 10**9)] = 100
    sets: Annotated[int, Within(1, 10**9)] = 20

    def __post_init__(self) -> None:
        if self.games % self.sets:
            raise InputError(
                f"games = {self.games} cannot be divided into {self.sets} sets: it must be a multiple of {self.sets}."
            )

    @property
    def plays(self) -> Plays:
        """A match between the members of each pair."""
        return Plays(members=True, games=self.games, set_size=self.games // self.sets)

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """Memory for the decisions as bits, and for the counts of each set."""
        return min(size * game.cells // 8, PIECE) + 100 * pairs * self.sets

    @lazy
    def __call__(self, tables: Bools | Members, context: Context) -> Floats:
        """The shares of sets won, shape (m, 2), with the dice of the context's generation."""
        counts = _counts_of_ends(tables, context, self.games, sets=self.sets)
        first = (1 + np.sign(counts[:, 0] - counts[:, 1])).reshape(len(context.pairs), self.sets).mean(axis=1) / 2
        return np.stack([first, 1 - first], axis=1)


@FITNESSES.register(name="siblings", source="two members learn from each game: Exeter 2016, section 3.4.1")
@dataclass(frozen=True)
class Siblings(Games):
    """New members 0 and 1 play a match, 2 and 3, and so on; a member's score is the share of its games that it wins.

    With mutator=mirrored the two are twins, so a match decides which of two opposite steps is better.  Members that
    stayed follow the new ones.  With an odd number of members the last one plays against the first new one, whose score
    is over both matches.
    """

    games: Annotated[int, Within(1, 10**9)] = 3000
    paired: bool = True

    @property
    def plays(self) -> Plays:
        """One match of each member; a selection cannot choose the pairs."""
        return Plays(games=self.games, paired=self.paired, relative=True)

    @lazy
    def __call__(self, tables: Bools | Members, context: Context) -> Evaluation:
        """Evaluate each member with the dice of the context's generation."""
        pairs = sibling_pairs(len(tables), context.fresh)
        wins = self._shares_won(tables, replace(context, pairs=pairs))
        met = Evaluation.of_matches(len(tables), pairs, wins, self.games * len(pairs))
        return Evaluation.of_scores(met.scores, context.pairs, games=met.games, played=met.played)

    @lazy
    def truth(self, tables: Bools | Members, context: Context, members: Ints) -> Floats:
        """The exact mean win probabilities of members against the members that they met, shape (m,)."""
        return super().truth(tables, replace(context, pairs=sibling_pairs(len(tables), context.fresh)), members)


def _counts_of_ends(
    tables: Bools | Members, context: Context, games: int, *, paired: bool = False, sets: int = 1
) -> Ints:
    """The counts of how the games of each pair ended, as returned by `pigevo.simulation.play_pairs`."""
    from pigevo.simulation import play_pairs

    game, decisions = context.game, to_layout(tables, context.game)
    return play_pairs(
        game, decisions, context.pairs, games, context.draw, context.workers,
        paired=paired, sets=sets, progress=context.progress,
    )  # fmt: skip


def sibling_pairs(size: int, fresh: int) -> Ints:
    """The pairs 0 and 1, 2 and 3, ... of the last `fresh` members, then those of the others, shape (m, 2).

    With an odd number of members the last one meets the first.
    """
    return ((size - fresh + np.arange(size + size % 2)) % size).reshape(-1, 2)
