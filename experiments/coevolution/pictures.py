"""The pictures of the study, from its rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pigevo.figures.axes import figure_of, save_figure

from . import disengagement, generalised, interaction, matches, tops
from .drawing import Curve, plot_by_seeds, plot_paths
from .kept import Rows
from .tables import by_setting


def draw(folder: Path, missed: Rows, cycles: Rows, left: Rows, of_games: Rows, of_sizes: Rows) -> None:
    """Draw all.

    Args:
        folder: takes the pictures.
        missed, cycles, left, of_games, of_sizes: the rows of generalisation, spinning tops, disengagement, games of a
            match and sizes of populations.
    """
    alpha, beta = interaction.CENTRES[0]
    paths = {
        by: interaction.parents_on_bilinear(alpha, beta, by, 0, interaction.STEPS)
        for by in interaction.RULES
    }  # fmt: skip
    centre = beta * interaction.BITS, alpha * interaction.BITS
    save_figure(folder / "bilinear.png", figure_of(plot_paths(paths, centre)))
    _save(folder / "tops.png", _levels(cycles), "level of strength, from the weakest tenth",
          "cyclic triples, as a share of the most")  # fmt: skip
    _save(folder / "generalised.png", _missed(missed), "test strategies",
          f"estimates that miss by {generalised.ERRORS[1]}", logarithmic=True)  # fmt: skip
    _save(folder / "disengagement.png", _gains(left), "opponents' share of the optimum's genes", "strength gained")
    up = "mean loss of the last population"
    _save(folder / "games.png", _games(of_games), "games of a match", up, logarithmic=True)
    _save(folder / "sizes.png", _sizes(of_sizes), "members of the population", up, logarithmic=True)


def _save(place: Path, curves: Mapping[str, Curve], across: str, up: str, logarithmic: bool = False) -> None:
    save_figure(place, figure_of(plot_by_seeds(curves, across, up, logarithmic=logarithmic)))


def _levels(cycles: Rows) -> dict[str, Curve]:
    curves: dict[str, Curve] = {}
    for (name,), found in by_setting(cycles, 1).items():
        through = [found[f"through {n}"] for n in range(tops.LEVELS)]
        most = max(float(np.mean(one)) for one in through) or 1.0
        curves[name] = [n + 1 for n in range(tops.LEVELS)], [one / most for one in through]
    return curves


def _missed(missed: Rows) -> dict[str, Curve]:
    error, settings, tests = generalised.ERRORS[1], by_setting(missed, 2), generalised.TESTS
    curves: dict[str, Curve] = {
        name: (tests, [settings[name, str(n)][f"most {error}"] for n in tests]) for name in generalised.WORLDS
    }
    bound = [np.array([generalised.chebyshev(generalised.LARGEST, n, error)]) for n in tests]
    return curves | {"Chebyshev's bound": (tests, bound)}


def _gains(left: Rows) -> dict[str, Curve]:
    settings = by_setting(left, 2)
    shares = [float(share) for share, _ in settings]
    return {
        said: (shares, [found[f"gain {what}"] for found in settings.values()])
        for said, what in (("exact fitness", "exact"), (f"{disengagement.GAMES} games", "games"))
    }


def _games(of_games: Rows) -> dict[str, Curve]:
    settings = by_setting(of_games, 3)
    return {
        kind: (matches.GAMES, [found["population"] for (of, *_), found in settings.items() if of == kind])
        for kind in matches.KINDS
    }


def _sizes(of_sizes: Rows) -> dict[str, Curve]:
    settings = by_setting(of_sizes, 3)
    words = {str(one): f"{one:,} games a generation" for one in matches.PER_GENERATION} | {"0": "exact matches"}
    return {
        f"{kind}, {said}": (matches.SIZES, [settings[kind, spent, str(n)]["population"] for n in matches.SIZES])
        for kind in matches.KINDS for spent, said in words.items()
    }  # fmt: skip
