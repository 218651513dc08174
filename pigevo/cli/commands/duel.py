"""`pigevo duel A B`: one strategy against another, exactly and by simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import EPILOG, game_of_words, game_options, json_option, read_strategy, show
from pigevo.games import Game

if TYPE_CHECKING:
    from pigevo.exact import WinProbability


@click.command(epilog=EPILOG)
@click.argument("a")
@click.argument("b")
@game_options
@click.option("--games", type=click.IntRange(1), help="Also simulate so many games.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the simulation.")
@json_option
def command(a: str, b: str, game: Game, games: int | None, seed: int, as_json: bool) -> None:
    """The win probability of strategy A against strategy B."""
    record = duel(a, b, game_of_words([a, b], game), games, seed)
    show(record, describe(record), as_json)


def duel(a: str, b: str, game: Game, games: int | None = None, seed: int = 0) -> dict[str, Any]:
    """A against B: the exact figures, and those of a simulated match if games are asked for.

    Where both strategies have one name, `a` and `b` are the words.
    """
    first, second = read_strategy(a, game), read_strategy(b, game)
    from pigevo import optimal, win_probability  # compiled code is imported once the words are right

    p = win_probability(first, second)
    exact = {"first": p.first, "second": p.second, "overall": p.overall,
             "stalemate_first": p.stalemate_first, "stalemate_second": p.stalemate_second,
             "draw_first": p.draw_first, "draw_second": p.draw_second, "error": p.error}  # fmt: skip
    best = optimal(game).strategy
    # Two champions may have one name; then the words tell them apart.
    names = (first.name, second.name) if first.name != second.name else (a, b)
    record: dict[str, Any] = {
        "a": names[0],
        "b": names[1],
        "game": str(game),
        "exact": exact,
        "difference_from_optimal": [
            {"name": name, "difference": difference(win_probability(best, strategy), game.draw)}
            for name, strategy in zip(names, (first, second), strict=True)
        ],
    }
    if games is not None:
        from pigevo import play_match

        m = play_match(first, second, games=games, seed=seed)
        record["match"] = {"games": games, "seed": seed, "wins": m.wins, "losses": m.losses,
                           "stalemates": m.stalemates, "draws": m.draws,
            "unfinished": m.unfinished, "win_rate": m.win_rate,
                           "interval": list(m.interval(0.95))}  # fmt: skip
    return record


def difference(best: WinProbability, draw: float = 0.5) -> float:
    """How much the optimum, moving first, wins more often than a strategy moving first against it.

    Where a draw is worth a half, it is twice what the strategy wins less than one half (Neller & Presser 2010).
    """
    strategy_first = 1.0 - best.second - best.stalemate_second + (2 * draw - 1) * best.draw_second
    return float(best.first - strategy_first)


def describe(record: dict[str, Any]) -> str:
    """The record of `duel` as lines to read."""
    exact = record["exact"]
    lines = [
        f"{record['a']} against {record['b']} in {record['game']}",
        "",
        f"  moving first   {exact['first']:.6f}",
        f"  moving second  {exact['second']:.6f}",
        f"  overall        {exact['overall']:.6f}   exact win probability of {record['a']}",
    ]
    if exact["stalemate_first"] or exact["stalemate_second"]:
        lines.append(f"  stalemate      {(exact['stalemate_first'] + exact['stalemate_second']) / 2:.6f}")
    if exact["draw_first"] or exact["draw_second"]:
        lines.append(f"  draw           {(exact['draw_first'] + exact['draw_second']) / 2:.6f}")
    if match := record.get("match"):
        low, high = match["interval"]
        lines.append(
            f"  simulated      {match['win_rate']:.6f}   of {match['games']} games, seed {match['seed']}; "
            f"95 % interval {low:.4f} to {high:.4f}"
        )
        if match["unfinished"]:
            lines.append(f"  unfinished     {match['unfinished']} games, given up as too long; they count for nobody")
    lines += ["", "  win probability of the optimum moving first minus that of the strategy moving first against it"]
    rows = record["difference_from_optimal"]
    widest = max(len(row["name"]) for row in rows)
    lines += [f"    {row['name']:{widest}s} {row['difference']:z.6f}" for row in rows]
    return "\n".join(lines)
