"""Claims about co-evolution, decided where the truth is exact."""

from __future__ import annotations

import logging
from pathlib import Path

from pigevo.figures.axes import figure_of
from pigevo.files import write_bytes
from pigevo.runs.pictures import save_figure

from . import contest, disengagement, fitnessless, generalised, interaction, matches, memories, tops
from .drawing import plot_curves, plot_paths
from .kept import Rows
from .tables import by_setting, table

LOG = logging.getLogger(__name__)

MOST_SEEDS, CONTEST = 20, 10
"""Seeds of each part at most, and trials of each algorithm on each instance in the benchmark."""


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables and pictures.

    Args:
        folder: where everything goes; figures of a seed that are there are not computed again.
        seeds: of every part that is drawn, `MOST_SEEDS` at most.
        workers: processes.
    """
    seeds = min(seeds, MOST_SEEDS)
    said: list[tuple[str, str, str]] = []

    def tell(part: str, name: str, text: str, verdicts: list[tuple[str, str]]) -> None:
        write_bytes(folder / f"{name}.md", text.encode())
        said.extend((part, claim, verdict) for claim, verdict in verdicts)
        LOG.info("%s: done", part)

    strings, games = interaction.measured(folder, seeds, workers)
    both = interaction.verdicts(strings, games)
    tell("worst or mean", "interaction", interaction.as_markdown(strings, games), both)
    rows = fitnessless.measured(folder, seeds, workers)
    tell("fitnessless", "fitnessless", fitnessless.as_markdown(rows), fitnessless.verdicts(rows))
    rows = memories.measured(folder, seeds, workers)
    tell("memories", "memories", memories.as_markdown(rows), memories.verdicts(rows))
    missed, exact = generalised.measured(folder, seeds, workers)
    text, verdicts = generalised.as_markdown(missed, exact), generalised.verdicts(missed, exact)
    tell("generalisation", "generalised", text, verdicts)
    cycles = tops.measured(folder, seeds, workers)
    tell("spinning tops", "tops", tops.as_markdown(cycles), tops.verdicts(cycles))
    left = disengagement.measured(folder, seeds, workers)
    tell("disengagement", "disengagement", disengagement.as_markdown(left), disengagement.verdicts(left))
    of_games, of_sizes = matches.measured(folder, seeds, workers)
    of_both = matches.verdicts(of_games, of_sizes)
    tell("games of a match", "games", matches.games_as_markdown(of_games), of_both[:1])
    tell("larger populations", "sizes", matches.sizes_as_markdown(of_sizes), of_both[1:])
    write_bytes(folder / "claims.md", table(["part", "claim", "verdict"], said).encode())
    _draw(folder, missed, cycles, left, of_games, of_sizes)
    write_bytes(
        folder / "benchmark.md", contest.as_markdown(contest.measured(folder, min(seeds, CONTEST), workers)).encode()
    )


def _draw(folder: Path, missed: Rows, cycles: Rows, left: Rows, of_games: Rows, of_sizes: Rows) -> None:
    alpha, beta = interaction.CENTRES[0]
    paths = {
        by: interaction.parents_on_bilinear(alpha, beta, by, 0, interaction.STEPS)
        for by in interaction.RULES
    }  # fmt: skip
    save_figure(folder / "bilinear.png", figure_of(plot_paths(paths, (beta * 100, alpha * 100))))
    levels = range(tops.LEVELS)
    of_sets = {
        name: ([n + 1 for n in levels], [found[f"through {n}"] for n in levels])
        for (name,), found in by_setting(cycles, 1).items()
    }
    across = "level of strength, a tenth of the strategies each"
    save_figure(folder / "tops.png", figure_of(plot_curves(of_sets, across, "cyclic share of a member's triples")))
    _draw_missed(folder, missed)
    settings = by_setting(left, 2)
    shares = [float(share) for share, _ in settings]
    gains = {
        said: (shares, [found[f"gain {what}"] for found in settings.values()])
        for said, what in (("exact fitness", "exact"), (f"{disengagement.GAMES} games", "games"))
    }
    across = "opponents' share of the optimum's genes; random at a half"
    save_figure(folder / "disengagement.png", figure_of(plot_curves(gains, across, "strength gained")))
    _draw_matches(folder, of_games, of_sizes)


def _draw_missed(folder: Path, missed: Rows) -> None:
    error, settings = generalised.ERRORS[1], by_setting(missed, 2)
    curves = {
        name: (list(generalised.TESTS), [settings[name, str(tests)][f"most {error}"] for tests in generalised.TESTS])
        for name in generalised.WORLDS
    }
    axes = plot_curves(curves, "test strategies", f"estimates that miss by more than {error}, worst learner")
    bound = [generalised.chebyshev(generalised.LARGEST, tests, error) for tests in generalised.TESTS]
    axes.plot(generalised.TESTS, bound, color="0.4", label="Chebyshev's bound")
    axes.set_xscale("log")
    axes.legend()
    save_figure(folder / "generalised.png", figure_of(axes))


def _draw_matches(folder: Path, of_games: Rows, of_sizes: Rows) -> None:
    settings = by_setting(of_games, 3)
    curves = {
        kind: (list(matches.GAMES), [found["population"] for (of, *_), found in settings.items() if of == kind])
        for kind in matches.KINDS
    }
    axes = plot_curves(curves, "games of a match", "mean loss of the last population")
    axes.set_xscale("log")
    save_figure(folder / "games.png", figure_of(axes))
    settings = by_setting(of_sizes, 3)
    words = {str(one): f"{one:,} games a generation" for one in matches.PER_GENERATION} | {"0": "exact matches"}
    curves = {
        f"{kind}, {said}": (
            list(matches.SIZES), [settings[kind, spent, str(size)]["population"] for size in matches.SIZES]
        )
        for kind in matches.KINDS for spent, said in words.items()
    }  # fmt: skip
    axes = plot_curves(curves, "members of the population", "mean loss of the last population")
    axes.set_xscale("log", base=2)
    save_figure(folder / "sizes.png", figure_of(axes))
