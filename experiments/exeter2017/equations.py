"""The equations that the report solves by hand (sections 2.2.1 to 2.2.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import pigevo
from pigevo.games import Game

from ..common import tables
from .lines import Line


def cases(game: Game) -> dict[str, tuple[pigevo.Strategy, pigevo.Strategy, int, int]]:
    """The pairs of scores of the report: A's strategy, B's, A's score and B's."""
    rolls = pigevo.roll_to_win(game)
    banks = pigevo.Strategy.from_function(
        game, lambda i, j, k: not (i == 97 and j == 99 and k == 2), "banks at 97, 99, 2"
    )
    found = {
        "99 to 99, both roll": (rolls, rolls, 99, 99),
        "both roll": (rolls, rolls, 97, 99),
        "A banks": (banks, rolls, 97, 99),
    }
    for target in (2, 3):
        piglet = pigevo.Piglet(target)
        found[f"Piglet to {target}"] = (pigevo.hold_at(piglet, 1), pigevo.hold_at(piglet, 2), 0, 0)
    return found


def table(game: Game) -> str:
    """Each equation with its solution."""
    rows = []
    for name, (a, b, own, opponent) in cases(game).items():
        found = pigevo.explain_scores(a, b, own, opponent)
        for unknown, equation, value in zip(found.unknowns, found.equations, found.values.tolist(), strict=True):
            rows.append((name, unknown.name, equation, f"{value:.6f}"))
    return tables.table(["scores", "unknown", "equation", "solution"], rows)


def lines(game: Game, published: Mapping[str, Any]) -> Iterator[Line]:
    """The printed solutions beside ours."""
    for name, said in published["equations"].items():
        a, b, own, opponent = cases(game)[name]
        found = pigevo.explain_scores(a, b, own, opponent)
        solved = dict(zip((one.name for one in found.unknowns), np.asarray(found.values).tolist(), strict=True))
        for unknown, value in said.items():
            yield Line("2.2.1", f"{name}, {unknown}", value, solved[unknown])
