"""`pigevo reach A [B]`: how many distinct states games come to, and how many games come to a share of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import EPILOG, game_of_words, game_options, json_option, read_strategy, show
from pigevo.cli.output import picture_file
from pigevo.core.memory import refuse_more
from pigevo.games import Game
from pigevo.storage.files import refuse_unwritable

if TYPE_CHECKING:
    from pigevo.exact import DistinctStates
    from pigevo.strategies import Strategy

PER_CELL = 80
"""Bytes for each cell of a strategy: chances of visits in both seats, and what they are made of."""


@click.command(epilog=EPILOG)
@click.argument("a")
@click.argument("b", required=False)
@game_options
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="Games that are played.")
@click.option(
    "--share", "shares", type=click.FloatRange(0, 100, min_open=True), multiple=True, default=(1, 2, 5, 10, 20, 50),
    show_default=True, help="A share of the states, in percent; repeatable.",
)  # fmt: skip
@click.option("--to", type=click.Path(dir_okay=False, path_type=Path),
              help="Draw the states by the number of games to this file.")  # fmt: skip
@json_option
def command(
    a: str, b: str | None, game: Game, games: int, shares: tuple[float, ...], to: Path | None, as_json: bool
) -> None:
    """How many distinct states a strategy comes to in games against another one, or against itself; exactly."""
    game = game_of_words([a, b] if b else [a], game)
    refuse_more(PER_CELL * game.cells, f"a look at all states of {game}", "choose a smaller target or cap")
    if to is not None:
        refuse_unwritable(picture_file(to, None, []))
    first = read_strategy(a, game)
    second = read_strategy(b, game) if b else first
    from pigevo.exact import distinct_states

    found = distinct_states(first, second)
    record = counted_states(found, first, second, games, shares)
    if to is not None:
        from pigevo.figures.axes import figure_of, save_figure
        from pigevo.figures.spent import plot_distinct_states

        figure = figure_of(plot_distinct_states({first.name: found}))
        record["picture"] = str(save_figure(to, figure))
    show(record, describe(record), as_json)


def counted_states(
    found: DistinctStates, a: Strategy, b: Strategy, games: int, shares: tuple[float, ...]
) -> dict[str, Any]:
    """The figures.

    Returns:
        `states` in which the game goes on, and to how many play can come at all (`most`); in so many `games`, half of
        which the strategy begins, the `expected` number of distinct ones and their `share`; and `needed`, for each
        share the fewest games that are expected to come to it, None if none are enough.
    """
    return {
        "strategy": a.name,
        "opponent": b.name,
        "game": str(a.game),
        "states": found.states,
        "most": found.most,
        "games": games,
        "expected": found.expected(games),
        "share": found.share(games),
        "needed": [{"share": share / 100, "games": found.games_for(share / 100)} for share in shares],
    }


def describe(record: dict[str, Any]) -> str:
    """The figures as lines to read."""
    states, most, share = record["states"], record["most"], 100 * record["share"]
    against = "itself" if record["opponent"] == record["strategy"] else record["opponent"]
    lines = [
        f"{record['strategy']} against {against} in {record['game']}, which has {states:,} states",
        "",
        f"  {record['games']:,} games come to {record['expected']:,.1f} of them, or {share:.3f} %, on average;",
        f"  no number of games comes to more than {most:,}, or {100 * most / states:.3f} %",
        "",
        "  share of the states    games needed",
    ]
    for row in record["needed"]:
        games = "no number" if row["games"] is None else f"{row['games']:,}"
        lines.append(f"  {100 * row['share']:>14g} %    {games:>14}")
    if "picture" in record:
        lines += ["", f"  drawn in {record['picture']}"]
    return "\n".join(lines)
