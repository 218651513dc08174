"""The result of a tournament, as one record, as plain values and as files."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pigevo.core.arrays import Floats
from pigevo.core.checked_values import JsonObject
from pigevo.core.imports import NotebookDisplay
from pigevo.core.text import counted, safe_name
from pigevo.errors import InputError
from pigevo.storage.files import csv_bytes, telling_replaced, write_bytes
from pigevo.tournaments.dominance import Dominated, Elimination, dominated, eliminate
from pigevo.tournaments.entries import as_records
from pigevo.tournaments.ratings import Cycles

LOG = logging.getLogger(__name__)

TABLES = MATRIX, FIRST, RANKING, CYCLES = "matrix.csv", "matrix_first.csv", "ranking.csv", "cycles.csv"

MOST_ALIKE = 5  # the largest number of groups of equal strategies that are named


@dataclass(frozen=True)
class RankedStrategy:
    """A strategy's rank among the others.

    Args:
        rank: one plus the number of strategies with a better mean, so that equal means share a rank: 1, 2, 2, 4.
        name: the name of the strategy.
        mean: its win probability, the mean over all opponents and both seats; or the share of its games that it won.
        low, high: Wilson's 95 % interval of that share, a little too wide because opponents differ; None if the figures
            are exact.
        beats, loses: the number of others that it beats, and of those that beat it.
        rating: the Bradley-Terry rating, in natural units.
        error: the rating's standard error; None if the figures are exact.
        share: its share in the Nash mixture of the matrix.
        round_robin: the chance to win a round robin of matches; for games that were played, estimated from them.
        knockout: the chance to win a knockout of such matches with a random bracket.
    """

    rank: int
    name: str
    mean: float
    low: float | None
    high: float | None
    beats: int
    loses: int
    rating: float
    error: float | None
    share: float
    round_robin: float
    knockout: float


@dataclass(frozen=True)
class Misfit:
    """The deviation of Bradley-Terry ratings from the matrix: root mean square, largest difference, and its pair."""

    rms: float
    largest: float
    pair: tuple[str, str]


@dataclass(frozen=True)
class Dominance:
    """The dominated strategies of a tournament: another one, or a mixture, wins more against every entrant.

    Args:
        dominated: the dominated strategies, in the order of the entrants, including those dominated only weakly.
        elimination: the strategies removed by strict elimination in each round, and the remaining ones.
    """

    dominated: tuple[Dominated, ...]
    elimination: Elimination

    @property
    def as_json(self) -> JsonObject:
        """Plain values that JSON can hold."""
        rounds = [[loser.strategy for loser in removed] for removed in self.elimination.rounds]
        return {
            "dominated": [asdict(loser) for loser in self.dominated],
            "eliminated": rounds,
            "left": list(self.elimination.left),
        }


@dataclass(frozen=True, eq=False)
class Tournament(NotebookDisplay):
    """Every strategy against every other.

    Args:
        game: the game, in words.
        names: the unique names of the n strategies.
        games: the number of games of each pair; None if the figures are exact.
        seed: the seed of these games and of all other random draws.
        length: the number of games of a match in round robins and knockouts; `games` if games are played.
        first, second: exact win probability of the row when it moves first, and when the column does, shape (n, n);
            None if games are played.
        overall: win probability, or share of games won, of the row against the column in both seats, shape (n, n).
        low, high: 95 % intervals of these shares; None if the figures are exact.
        ranking: the strategies, the best mean first.
        cycles: all cycles of three.
        transitive: whether "beats" is transitive.
        misfit: the deviation of the ratings from the matrix.
        failed: files that gave no strategy, with the reasons.
        sandbox_gaps: what the code of entrants could do because this system has no sandbox, or an incomplete one; empty
            if it has one, or no code was run.
        passed_over: functions that do not play because a file in a folder enters with its last one, and other files in
            a folder, with the reasons.
        alike: groups of strategies that decide alike in all states, such as copies.
    """

    game: str
    names: tuple[str, ...]
    games: int | None
    seed: int
    length: int
    first: Floats | None
    second: Floats | None
    overall: Floats
    low: Floats | None
    high: Floats | None
    ranking: tuple[RankedStrategy, ...]
    cycles: Cycles
    transitive: bool
    misfit: Misfit
    failed: tuple[tuple[str, str], ...] = ()
    sandbox_gaps: str = ""
    passed_over: tuple[tuple[str, str], ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()

    def alike_in_words(self, most: int = MOST_ALIKE) -> list[str]:
        """A sentence without a full stop for each group of strategies that decide alike; `most`, and how many more."""
        groups = [f"{', '.join(group[:-1])} and {group[-1]} decide alike everywhere" for group in self.alike[:most]]
        left = len(self.alike) - most
        return [*groups, f"and {counted(left, 'more group')} of this kind"] if left > 0 else groups

    def named_cycles(self, most: int | None = None) -> list[tuple[list[str], list[float]]]:
        """The names and margins of cycles of three, the strongest first; all, or some of them."""
        cycles = zip(self.cycles.members[:most].tolist(), self.cycles.margins[:most].tolist(), strict=True)
        return [([self.names[n] for n in members], margins) for members, margins in cycles]

    def dominance(self) -> Dominance:
        """The dominated strategies in the exact matrix.

        Raises:
            InputError: the results are from games, in which small differences are undecided.

        Example:
            >>> import pigevo
            >>> four = pigevo.tournament(["hold_at:9", "hold_at:11", "hold_at:20", "optimal"])
            >>> [(loser.strategy, loser.by) for loser in four.dominance().dominated]
            [('hold_at:9', {'optimal': 1.0}), ('hold_at:11', {'hold_at:20': 1.0})]
        """
        if self.games is not None:
            raise InputError("dominated strategies are those of the exact win probabilities: leave games out.")
        losers = dominated(self.overall, self.names, weakly=True)
        return Dominance(losers, eliminate(self.overall, self.names))

    @property
    def as_json(self) -> JsonObject:
        """Plain values that JSON can hold."""
        plain = {name: getattr(self, name) for name in ("game", "games", "seed", "length")}
        arrays = {name: getattr(self, name) for name in ("first", "second", "overall", "low", "high")}
        return plain | {
            "names": list(self.names),
            **{name: None if array is None else array.tolist() for name, array in arrays.items()},
            "ranking": [asdict(ranked) for ranked in self.ranking],
            "cycles": [{"strategies": names, "margins": margins} for names, margins in self.named_cycles()],
            "transitive": self.transitive,
            "nash": {ranked.name: ranked.share for ranked in self.ranking if ranked.share},
            "misfit": asdict(self.misfit) | {"pair": list(self.misfit.pair)},
            "failed": as_records(self.failed),
            "sandbox_gaps": self.sandbox_gaps,
            "passed_over": as_records(self.passed_over),
            "alike": [list(group) for group in self.alike],
        }

    def save(self, folder: str | os.PathLike[str], figures: str = "png") -> list[Path]:
        """Write matrix, ranking and cycles as CSV, and the matrix as a picture (png, pdf or svg), to a folder.

        Exact results have a second matrix, of the wins of the strategy of the row when it moves first, and a ranking
        without intervals.
        """
        from pigevo.figures.axes import figure_of, save_figure
        from pigevo.figures.matrices import plot_tournament

        target = Path(folder)
        cycles = [[*names, *margins] for names, margins in self.named_cycles()]
        head = ["a", "b", "c", "a_beats_b_by", "b_beats_c_by", "c_beats_a_by"]
        picture = figure_of(plot_tournament(self.names, self.overall))
        tables: dict[str, Sequence[Sequence[object]]] = {
            MATRIX: self._table_of(self.overall),
            RANKING: self._ranking_table(),
            CYCLES: [head, *cycles],
            **({} if self.first is None else {FIRST: self._table_of(self.first)}),
        }
        if self.first is None and (target / FIRST).exists():
            LOG.warning("%s is from an earlier tournament: simulated games have no such matrix", target / FIRST)
        drawn = target / f"tournament_{safe_name(self.game)}.{figures}"
        with telling_replaced(*(target / name for name in tables), drawn):
            written = [write_bytes(target / name, csv_bytes(rows)) for name, rows in tables.items()]
            return [*written, save_figure(drawn, picture)]

    def _ranking_table(self) -> Sequence[Sequence[object]]:
        """The ranking, without the intervals and errors of sampling if the figures are exact."""
        rows = [asdict(ranked) for ranked in self.ranking]
        columns = [name for name in rows[0] if any(row[name] is not None for row in rows)]
        return [columns, *([row[name] for name in columns] for row in rows)]

    def _table_of(self, matrix: Floats) -> Sequence[Sequence[object]]:
        rows = zip(self.names, matrix.tolist(), strict=True)
        return [["", *self.names], *([name, *row] for name, row in rows)]
