"""What a tournament found, as one record, as plain values and as files."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pigevo.core.arrays import Floats
from pigevo.core.notebook import NotebookDisplay
from pigevo.errors import InputError
from pigevo.matrix_games import Dominated, Elimination, MatrixGame, dominated, eliminate
from pigevo.storage.files import csv_bytes, write_bytes
from pigevo.tournaments.ratings import Cycles

MATRIX, RANKING, CYCLES = "matrix.csv", "ranking.csv", "cycles.csv"


@dataclass(frozen=True)
class RankedStrategy:
    """A strategy among the others.

    Args:
        name: the strategy.
        mean: its win probability against the others, the mean of all of them and of both seats; or the share of its
            games that it has won.
        low, high: Wilson's 95 % interval of that share, a little wide since opponents differ; None where the figures
            are exact.
        beats, loses: how many of the others it beats, and how many beat it.
        rating: by Bradley and Terry, in natural units.
        error: the rating's standard error; None where the figures are exact.
        share: in the Nash mixture of the matrix.
        round_robin: the chance to win a round robin of matches; of games that were played, what has come of them.
        knockout: the chance to win a knockout of such matches, the bracket drawn by lot.
    """

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
    """How far Bradley-Terry ratings miss the matrix: the root mean square, the largest difference, and between whom."""

    rms: float
    largest: float
    pair: tuple[str, str]


@dataclass(frozen=True)
class Dominance:
    """Which strategies of a tournament are dominated: another one, or a mixture, wins more against every entrant.

    Args:
        dominated: them, in the order of the entrants; those also that are dominated weakly only.
        elimination: what strict elimination takes away, round by round, and what it leaves.
    """

    dominated: tuple[Dominated, ...]
    elimination: Elimination

    @property
    def as_json(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        rounds = [[one.strategy for one in removed if one.player == "row"] for removed in self.elimination.rounds]
        columns = ("strategy", "by", "strict", "margin", "largest")
        return {
            "dominated": [{name: getattr(one, name) for name in columns} for one in self.dominated],
            "eliminated": rounds,
            "left": list(self.elimination.left.rows),
        }


@dataclass(frozen=True, eq=False)
class Tournament(NotebookDisplay):
    """Every strategy against every other.

    Args:
        game: the game, in words.
        names: of the n strategies, all different.
        games: games that each pair has played; None where the figures are exact.
        seed: of these games, and of whatever else was drawn by lot.
        length: games of a match in the round robins and knockouts whose chances to win are given; `games`, if some
            are played.
        first, second: exact win probability of the row when it moves first, or when the column does, shape (n, n);
            None where games are played.
        overall: win probability, or share of games won, of the row against the column in both seats, shape (n, n).
        low, high: 95 % intervals of these shares; None where the figures are exact.
        ranking: the strategies, the best mean first.
        cycles: all cycles of three.
        transitive: whether who beats a strategy also beats all that it beats.
        misfit: how far the ratings miss the matrix.
        failed: files that gave no strategy, each with what was wrong.
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

    def named_cycles(self, most: int | None = None) -> list[tuple[list[str], list[float]]]:
        """The names and margins of cycles of three, the strongest first; of all, or of some of them."""
        cycles = zip(self.cycles.members[:most].tolist(), self.cycles.margins[:most].tolist(), strict=True)
        return [([self.names[n] for n in members], margins) for members, margins in cycles]

    def dominance(self) -> Dominance:
        """Which strategies are dominated, in the exact matrix.

        Raises:
            InputError: the games were played, which leaves open by how little strategies differ.

        Example:
            >>> import pigevo
            >>> four = pigevo.tournament(["hold_at:9", "hold_at:11", "hold_at:20", "optimal"])
            >>> [(one.strategy, one.by) for one in four.dominance().dominated]
            [('hold_at:9', {'optimal': 1.0})]
        """
        if self.games is not None:
            raise InputError("who is dominated is said of exact win probabilities: leave games out.")
        game = MatrixGame.symmetric(self.overall, self.names)
        return Dominance(dominated(game, weakly=True), eliminate(game))

    @property
    def as_json(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        plain = {name: getattr(self, name) for name in ("game", "games", "seed", "length")}
        arrays = {name: getattr(self, name) for name in ("first", "second", "overall", "low", "high")}
        return plain | {
            "names": list(self.names),
            **{name: None if array is None else array.tolist() for name, array in arrays.items()},
            "ranking": [asdict(one) for one in self.ranking],
            "cycles": [{"strategies": names, "margins": margins} for names, margins in self.named_cycles()],
            "transitive": self.transitive,
            "nash": {one.name: one.share for one in self.ranking if one.share},
            "misfit": asdict(self.misfit) | {"pair": list(self.misfit.pair)},
            "failed": [{"file": file, "why": why} for file, why in self.failed],
        }

    def save(self, folder: str | os.PathLike[str], figures: str = "png") -> list[Path]:
        """Write matrix, ranking and cycles as CSV, and the matrix as a picture (png, pdf or svg), into a folder."""
        from pigevo.figures.axes import figure_of, save_figure
        from pigevo.figures.matrices import plot_tournament

        place = Path(folder)
        matrix = [[name, *row] for name, row in zip(self.names, self.overall.tolist(), strict=True)]
        columns = list(RankedStrategy.__dataclass_fields__)
        ranking = [[number, *asdict(one).values()] for number, one in enumerate(self.ranking, start=1)]
        cycles = [[*names, *margins] for names, margins in self.named_cycles()]
        head = ["a", "b", "c", "a_beats_b_by", "b_beats_c_by", "c_beats_a_by"]
        picture = figure_of(plot_tournament(self.names, self.overall))
        return [
            write_bytes(place / MATRIX, csv_bytes([["", *self.names], *matrix])),
            write_bytes(place / RANKING, csv_bytes([["rank", *columns], *ranking])),
            write_bytes(place / CYCLES, csv_bytes([head, *cycles])),
            save_figure(place / f"tournament.{figures}", picture),
        ]
