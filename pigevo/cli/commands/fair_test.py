"""`pigevo fair-test A B`: how many games tell two strategies apart, those games, and what they say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import EPILOG, game_of_words, game_options, json_option, read_strategy, show
from pigevo.core.text import level, percent
from pigevo.games import Game
from pigevo.tournaments import MOST_GAMES

if TYPE_CHECKING:
    from pigevo.tournaments import FairTest

SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command(epilog=EPILOG)
@click.argument("a")
@click.argument("b")
@click.option("--confidence", type=SHARE, default=0.95, show_default=True, help="Of the interval.")
@click.option(
    "--power", type=SHARE, default=0.8, show_default=True, help="The chance that the games tell A and B apart."
)
@click.option("--games", type=click.IntRange(2), help="Play so many games, an even number, whatever is needed.")
@click.option("--most", type=click.IntRange(0), default=MOST_GAMES, show_default=True,
              help="Play nothing if more games are needed.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the games.")
@game_options
@json_option
def command(
    a: str, b: str, confidence: float, power: float, games: int | None, most: int, seed: int, game: Game, as_json: bool
) -> None:
    """How many games tell A and B apart; these games, and what they say."""
    game = game_of_words([a, b], game)
    first, second = read_strategy(a, game), read_strategy(b, game)
    if first.name == second.name and a != b:  # two champions, say: then the words tell them apart
        first, second = replace(first, name=a), replace(second, name=b)
    from pigevo.tournaments import fair_test

    found = fair_test(first, second, confidence, power, games, seed, most=most)
    show(found.as_json, describe(found), as_json)


def describe(found: FairTest) -> str:
    """The test as lines to read."""
    lines = [
        f"{found.a} against {found.b} in {found.game}",
        "",
        f"  exact    {found.overall:.6f}: {found.first:.6f} moving first, {found.second:.6f} second",
    ]
    if found.decided < 1 - 1e-9:
        lines.append(f"  decided  {found.decided:.6f} of the games; of these {found.a} wins {found.share:.6f}")
    if found.needed is None:
        lines.append("  needed   they are level: no number of games tells them apart")
    else:
        lines.append(
            f"  needed   {found.needed:,} games tell them apart with {level(found.confidence)} confidence "
            f"and a power of {level(found.power)}"
        )
    match = found.match
    if match is None:
        return "\n".join([*lines, "  played   none: --games or --most allow it"])
    power = f", a power of {percent(found.power_at)}" if found.needed else ""
    lines.append(
        f"  played   {found.games:,} games, seed {found.seed}{power}: {match.wins:,} won, {match.losses:,} lost"
    )
    if found.low is None or found.high is None:
        return "\n".join([*lines, "  found    nothing: nobody has won a game"])
    holds = "holds" if found.holds else "does not hold"
    lines.append(
        f"  found    {match.wins / (match.wins + match.losses):.6f}, interval {found.low:.4f} to {found.high:.4f}, "
        f"which {holds} the exact figure"
    )
    verdict = f"{found.better} is better" if found.better else "open: the interval holds a half"
    return "\n".join([*lines, f"  verdict  {verdict}"])
