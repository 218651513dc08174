"""Stalemates: the strategy that passes when both have banked as much, against itself."""

from __future__ import annotations

import pigevo
from pigevo.games import Game

from ..common import tables

HOLDS = (5, 10, 15, 20, 21, 25, 30, 40)
GAMES = 100_000
SHOWN = 20
SHARE = 0.95


def table(game: Game, published: float) -> str:
    """How often nobody wins, exactly and played, by where the strategy holds otherwise.

    Args:
        game: with passing.
        published: "around a quarter".
    """
    rows = []
    for n in HOLDS:
        strategy = pigevo.skip_when_level(game, n)
        p = pigevo.win_probability(strategy, strategy)
        found = ["", ""]
        if n == SHOWN:
            match = pigevo.play_match(strategy, strategy, GAMES, seed=17)
            share = match.stalemates / GAMES
            spread = 1.96 * (share * (1 - share) / GAMES) ** 0.5
            found = [f"{share:.4f} of {GAMES:,} games", f"{share - spread:.4f} to {share + spread:.4f}"]
        against = pigevo.win_probability(strategy, pigevo.hold_at(game, n))
        rows.append((n, f"{p.stalemate_first:.6f}", f"{p.first:.6f}", f"{1 - p.first - p.stalemate_first:.6f}", *found,
                     f"{against.overall:.4f}"))  # fmt: skip
    head = [
        "holds otherwise at",
        f"stalemates (published: about {published:g})",
        "who moves first wins",
        "who moves second wins",
        "played",
        "interval (95 %)",
        "wins against the same without passing",
    ]
    return tables.table(head, rows)
