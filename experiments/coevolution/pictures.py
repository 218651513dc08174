"""The pictures of the study, from its rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pigevo.figures.axes import figure_of, save_figure

from ..common.spent import LOSS
from . import disengagement, generalised, interaction, sizes, tops
from .drawing import Curve, plot_by_seeds, plot_groups_by_seeds, plot_paths
from .kept import FIRST, Rows
from .tables import by_setting


def draw(folder: Path, missed: Rows, cycles: Rows, left: Rows, of_sizes: Rows) -> None:
    """Draw all.

    Args:
        folder: takes the pictures.
        missed, cycles, left, of_sizes: the rows of generalisation, spinning tops, disengagement and sizes of
            populations.
    """
    alpha, beta = interaction.CENTRES[0]
    paths = {
        by: interaction.parents_on_bilinear(alpha, beta, by, FIRST, interaction.STEPS)
        for by in interaction.RULES
    }  # fmt: skip
    centre = beta * interaction.BITS, alpha * interaction.BITS
    save_figure(folder / "bilinear.png", figure_of(plot_paths(paths, centre)))
    _save(folder / "tops.png", _levels(cycles), "level of strength, from the weakest tenth",
          "cyclic triples, as a share of the most")  # fmt: skip
    _save(folder / "generalised.png", _missed(missed), "test strategies",
          f"share of estimates that miss by {generalised.ERRORS[1]}", logarithmic=True)  # fmt: skip
    _save(folder / "disengagement.png", _gains(left), "opponents' share of the optimum's genes", "strength gained")
    panels = plot_groups_by_seeds(_sizes(of_sizes), "members of the population", f"mean {LOSS}, last population",
                                  logarithmic=True)  # fmt: skip
    save_figure(folder / "sizes.png", figure_of(panels))


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


def _sizes(of_sizes: Rows) -> dict[str, dict[str, Curve]]:
    """The losses by what a generation may spend, and by the game and what the next population is."""
    settings, groups = by_setting(of_sizes, 4), dict[str, dict[str, Curve]]()
    for game, kind, spent in (*sizes.NOISY, *sizes.EXACT):
        losses = [settings[game, kind, str(spent), str(n)]["population"] for n in sizes.SIZES]
        groups.setdefault(sizes.named(spent), {})[f"{game.split(',')[0]}, {kind}"] = sizes.SIZES, losses
    return groups
