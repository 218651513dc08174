"""A run to be read, from its folder or from memory: settings, result, metrics, champion, population."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pigevo.core.arrays import data_frame
from pigevo.core.checked_values import JsonObject
from pigevo.core.imports import NotebookDisplay
from pigevo.errors import CodeNotLoaded, InputError
from pigevo.evolution.lineage import Lineage
from pigevo.evolution.selection import outcomes
from pigevo.runs.checkpoint import CHECKPOINT_FILE, load_checkpoint, refuse_altered_rows
from pigevo.runs.folder import CONFIG, no_run, settings_of
from pigevo.runs.metrics import (
    CHAMPIONS_FILE,
    LINEAGE,
    LINEAGE_FILE,
    METRICS_FILE,
    Champions,
    read_champions,
    read_metrics,
)
from pigevo.runs.result import POPULATION_FILE, Finish, load_population, read_result, refuse_altered
from pigevo.settings.settings import Settings
from pigevo.storage.records import read_arrays
from pigevo.strategies import EliteMap, Strategy, load_strategy
from pigevo.strategies.parse import ARCHIVE, CHAMPION

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pigevo.figures.curve import Curve

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Run(NotebookDisplay):
    """A run.

    Args:
        result: the content of `result.json`; None if the run has not finished.
        metrics: columns by name, each of shape (recorded generations,): `generation`, `best`, `mean`, ...
        folder: its folder on disk; None for a run in memory.
        finish: the end of a run in memory.
        known: its settings, if already known.
    """

    result: JsonObject | Any  # and not None: type checkers would refuse `run.result[...]` of every finished run
    metrics: Mapping[str, np.ndarray]
    folder: Path | None = None
    finish: Finish | None = None
    known: Settings | None = None

    def __repr__(self) -> str:
        recorded = list(self.metrics.get("generation", []))
        standing = f"in generation {recorded[-1]}, not finished" if recorded else "not begun"
        if self.result:
            standing = f"its champion wins {self.result['champion']['overall']:.4f} against the optimum"
        return f"<run: {standing}, in {self.folder or 'memory'}>"

    @property
    def settings(self) -> Settings:
        """Its settings."""
        return self.known or settings_of(self._run_folder)

    @property
    def champion(self) -> Strategy:
        """The strategy that the run hands over: the best of its last generation by its own fitness.

        Raises:
            InputError: the run has not finished.
        """
        if self.finish:
            return self.finish.champion
        return self._with_game(lambda: load_strategy(self._unaltered(CHAMPION, "champion")))

    @cached_property
    def champions(self) -> Champions:
        """The recorded champions: a mapping from generations to strategies, each created on access.

        There is one for each row of `metrics`, or for every second, fourth, ... row if these would be too many
        (`pigevo.runs.metrics`); a folder of an earlier pigevo may have none.

        Raises:
            InputError: their file was changed or damaged.
        """
        if self.finish:
            return Champions(self.finish.champions)
        refuse_altered(self._run_folder, self.result, CHAMPIONS_FILE)
        return self._with_game(lambda: read_champions(self._run_folder))

    @cached_property
    def lineage(self) -> Lineage:
        """The parents of the members of recorded generations; empty without `lineage=true`.

        Raises:
            InputError: its file was changed or damaged.
        """
        if self.finish:
            return self.finish.logbook.lineage
        refuse_altered(self._run_folder, self.result, LINEAGE_FILE)
        return Lineage(LINEAGE.read(self._run_folder))

    @cached_property
    def hall_of_fame(self) -> tuple[tuple[Strategy, float], ...]:
        """The best distinct strategies of all recorded generations, ten at most, the best first.

        Each with its exact overall win probability against the optimum. The referee chose them, not the run.

        Raises:
            InputError: the run has no checkpoint yet, or it was changed or damaged.
        """
        if self.finish:
            return self.finish.logbook.best_of(self.finish.grid.game)
        refuse_altered(self._run_folder, self.result, CHECKPOINT_FILE)
        point, refused = self._with_game(lambda: load_checkpoint(self._run_folder, self.settings.hash))
        if point is None:
            raise InputError(refused[0] if refused else f"{self.folder} has no checkpoint yet.")
        return point.logbook.best_of(self.settings.plan.game)

    @cached_property
    def ways_to_play(self) -> np.ndarray:
        """For each member of the last population, the index of the first member that plays alike, shape (n,).

        Two members play alike if they decide alike in all states that either reaches against the optimum.
        """
        from pigevo.evolution.diversity import ways_to_play

        return ways_to_play(self.population)

    @property
    def population(self) -> tuple[Strategy, ...]:
        """The last population.

        Raises:
            InputError: the run has not finished.
        """
        if self.finish:
            grid, genomes = self.finish.grid, self.finish.genomes
        else:
            grid, genomes = self._with_game(
                lambda: load_population(self._unaltered(POPULATION_FILE, "last population"))
            )
        return tuple(grid.strategy(genome, f"member {n}") for n, genome in enumerate(genomes))

    @property
    def outcome_name(self) -> str:
        """The name, in `result.json`, of the outcome that its selection adds; empty if there is none."""
        return next((name for name in outcomes() if name in (self.result or {})), "")

    @property
    def archive(self) -> Mapping[str, np.ndarray]:
        """The outcome of its selection for the last population (`pigevo.Selection.outcome`), arrays by name.

        Raises:
            InputError: the run has not finished.
        """
        if self.finish:
            return self.finish.outcome.arrays if self.finish.outcome else {}
        path = self._unaltered(ARCHIVE, "archive")
        return read_arrays(path) if self.result and ARCHIVE in self.result["files"] else {}

    @cached_property
    def elite_map(self) -> EliteMap:
        """The map of elites of a run with `selection=map_elites`: the best strategy of each cell of two behaviours.

        Raises:
            InputError: the run has not finished, or has another selection.
        """
        if self.result is not None and self.outcome_name != "elites":
            raise InputError(f"{self.folder or 'the run'} has no map of elites: only selection=map_elites makes one.")
        return self._with_game(lambda: EliteMap.of(self.archive))

    @cached_property
    def optimum(self) -> float:
        """The optimum's overall win probability against itself in the run's game: no strategy wins more against it."""
        from pigevo.exact import optimal

        known = (self.result or {}).get("optimum_overall")  # missing in older records
        game = self.champion.game if self.result else self.settings.choices["game"].bind()
        return optimal(game).overall if known is None else float(known)

    def frame(self) -> pandas.DataFrame:
        """The metrics as a data frame of pandas, a row for each recorded generation."""
        return data_frame(self.metrics)

    @property
    def rows(self) -> list[JsonObject]:
        """The metrics row by row."""
        return [dict(zip(self.metrics, row, strict=True)) for row in zip(*self.metrics.values(), strict=True)]

    @property
    def curve(self) -> Curve:
        """The numbers of its curve up to the last recorded generation."""
        from pigevo.figures.curve import curve_data

        if self.finish:
            return self.finish.curve(self.rows)
        champion = self.result["champion"]["overall"] if self.result else None
        return curve_data(self.rows, champion, optimum=self.optimum)

    def plot(self, ax: Axes | None = None, label: str = "", average: float | None = None) -> Figure:
        """The population's win probability against the optimum, generation by generation.

        Args:
            ax: the axes to draw on; by default in a figure of its own.
            label: the run's name in the legend, if several are drawn on the same axes; then only the population's
                mean is drawn.
            average: also draw the moving average of the population's mean over this number of generations.
        """
        from pigevo.figures.axes import figure_of
        from pigevo.figures.curve import plot_curve

        return figure_of(plot_curve(self.curve, ax, label, average))

    def _with_game(self, read: Callable[[], T]) -> T:
        """The result of a reader, called after the class of a user's game has been loaded from its file."""
        try:
            return read()
        except CodeNotLoaded:
            self.settings.choices["game"].bind()
            return read()

    @property
    def _run_folder(self) -> Path:
        assert self.folder is not None
        return self.folder

    def _unaltered(self, name: str, what: str) -> Path:
        """The path of a finished run's file, checked against its hash."""
        if self.result is None:
            raise InputError(f"{self.folder} has no {what} yet: the run has not finished.")
        refuse_altered(self._run_folder, self.result, name)
        return self._run_folder / name


def load_run(path: str | os.PathLike[str]) -> Run:
    """Read a run.  Each file of a finished run is compared with its hash in `result.json` when it is read.

    The metrics of an unfinished run are compared with the hash in its checkpoint.

    Args:
        path: its folder.

    Raises:
        InputError: there is no run, it has not recorded anything yet, or a file was changed or damaged.

    Example:
        >>> import tempfile
        >>> import pigevo
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = pigevo.evolve("debug=fast", "figures=none", "game.target=9", folder=folder + "/run")
        ...     pigevo.load_run(folder + "/run").champion == run.champion
        True
    """
    folder = Path(path)
    if not os.path.isfile(folder / CONFIG):
        raise no_run(folder)
    result = read_result(folder)
    refuse_altered(folder, result, METRICS_FILE)
    if result is None:
        refuse_altered_rows(folder)
    return Run(result, read_metrics(folder), folder)


def lineage_of(folder: Path, workers: int = 1) -> Lineage:
    """The lineage of a finished run; if it was not recorded, the run is repeated.

    Raises:
        InputError: the run has not finished, or the repetition differs from it.
    """
    from pigevo.runs.stepper import lineage_spacing, refuse_too_large, repeated

    run = load_run(folder)
    if run.result is None:
        raise InputError(f"{folder} has no champion yet whose line could be followed: the run has not finished.")
    if run.lineage.recorded:
        return run.lineage
    settings = settings_of(folder).with_(workers=workers, lineage=True)
    refuse_too_large(settings)
    lineage, last = Lineage(), int(run.result["generations"])
    spaced = lineage_spacing(settings)
    wanted = {int(number) for number in run.metrics["generation"] if number in spaced} | {last}
    for generation in repeated(settings, folder, last):
        lineage.follow(generation)
        if generation.number in wanted:
            lineage.record(generation)
    return lineage
