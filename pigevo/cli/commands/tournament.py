"""`pigevo tournament hold_at:1..100`: every strategy against every other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.entrants import EPILOG_OF_MANY, entrants_of
from pigevo.cli.options import figures_option, game_options, json_option, show
from pigevo.core.text import counted
from pigevo.figures import FORMATS
from pigevo.games import Game
from pigevo.storage.files import refuse_unwritable
from pigevo.tournaments import LENGTH, SECONDS, TIMES

if TYPE_CHECKING:
    from pigevo.matrix_games import Dominated
    from pigevo.tournaments import RankedStrategy, Tournament
    from pigevo.tournaments.result import Dominance

SOME_FAILED = 1
TOLD_CYCLES = 5
NEXT_TO_NOTHING = 0.0005

_EPILOG = f"""\
{EPILOG_OF_MANY}
Python files are code: each such function is run in a process of its own, which may take --timeout seconds of
processor time, and ten times that by the clock; then once more, in a fresh one, and must answer the same. Tables and
saved strategies are only read. A file or function that fails is told with its line, and the others play; helpers,
whose names begin with an underscore, and imported functions are left out. Exit status: 0, or 1 if one has failed.
"""


@click.command(epilog=_EPILOG)
@click.argument("strategies", nargs=-1, required=True, metavar="STRATEGY...")
@click.option("--games", type=click.IntRange(2), help="Play so many games a pair, an even number, instead of solving.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all that is drawn by lot.")
@click.option("--length", type=click.IntRange(2), default=LENGTH, show_default=True,
              help="Games of a match in round robins and knockouts.")  # fmt: skip
@click.option("--times", type=click.IntRange(1), default=TIMES, show_default=True,
              help="Round robins and brackets that are drawn.")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=SECONDS, show_default=True,
              help="Seconds of processor time that each function of a file may take.")  # fmt: skip
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Strategies that are printed.")
@click.option("--dominated", is_flag=True, help="Say whom others, or mixtures of others, do better than against every "
              "entrant.")  # fmt: skip
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path),
              help="Write the matrix, the ranking and the cycles (CSV) and a picture here.")  # fmt: skip
@figures_option
@game_options
@json_option
def command(
    strategies: tuple[str, ...], games: int | None, seed: int, length: int, times: int, timeout: float, top: int,
    dominated: bool, folder: Path | None, figures: str | None, game: Game, as_json: bool,
) -> int:  # fmt: skip
    """Every strategy against every other: matrix, ranking, ratings, cycles, dominated strategies."""
    from pigevo.tournaments import tournament

    if folder is None and figures:
        raise click.UsageError("--figures is about the picture in --folder: give that, too.")
    if dominated and games is not None:
        raise click.UsageError("--dominated is about exact win probabilities: leave --games out.")
    if folder is not None:
        refuse_unwritable(folder / "matrix.csv")
    entrants = entrants_of(strategies, game)
    found = tournament(entrants.strategies, games, seed, length, times, game=entrants.game, timeout=timeout)
    saved = [str(path) for path in found.save(folder, figures or FORMATS[0])] if folder is not None else []
    dominance = found.dominance() if dominated else None
    record = found.as_json | (dominance.as_json if dominance else {}) | {"saved": saved}
    more = describe_dominance(dominance, top) if dominance else []
    show(record, "\n".join([describe(found, top), *more, *_saved(saved)]), as_json)
    return SOME_FAILED if found.failed else 0


def describe(found: Tournament, top: int = 20) -> str:
    """The tournament as lines to read."""
    from pigevo.tournaments.entries import failure_text

    how = "exact win probabilities of both seats" if found.games is None else (
        f"{found.games} games a pair, seed {found.seed}, with 95 % intervals"
    )  # fmt: skip
    best = found.ranking[:top]
    width = max(len("strategy"), *(len(one.name) for one in best))
    mean = f"{'mean':{8 if found.games is None else 24}}"
    lines = [
        f"{len(found.names)} strategies in {found.game}: {how}",
        "",
        f"  rank  {'strategy':{width}}  {mean}  beats  loses  rating{'' if found.games is None else '        '}"
        "  round robin  knockout",
        *(f"  {place:4d}  {one.name:{width}}  {_row(one)}" for place, one in enumerate(best, start=1)),
    ]
    if len(found.ranking) > top:
        lines.append(f"        and {len(found.ranking) - top} more, which --top {len(found.ranking)} shows")
    lines += ["", *_order(found), _mixture(found), _misfit(found)]
    if found.games is None:
        lines.append(f"round robin and knockout: the chance to win one of {found.length}-game matches")
    lines += [f"did not play   {failure_text(*one)}" for one in found.failed]
    return "\n".join(lines)


def describe_dominance(found: Dominance, top: int = 20) -> list[str]:
    """Which entrants are dominated, by which ones, and what repeated elimination leaves, as lines to read."""
    number = len(found.dominated)
    head = f"dominated      {number or 'none'}: against every entrant, another one or a mixture of some does better"
    lines = [head, *map(_by, found.dominated[:top])]
    if number > top:
        lines.append(f"               and {number - top} more, which --top {number} shows")
    names, rounds = found.elimination.left.rows, len(found.elimination.rounds)
    left = ", ".join(names[:top]) + (f" and {len(names) - top} more" if len(names) > top else "")
    return [
        "",
        *lines,
        f"elimination    of dominated ones, again and again, leaves {left} after {counted(rounds, 'round')}",
    ]


def _by(one: Dominated) -> str:
    shares = sorted(one.by.items(), key=lambda pair: -pair[1])
    by = shares[0][0] if len(shares) == 1 else ", ".join(f"{name} {share:.3f}" for name, share in shares)
    gains = f"by {one.margin:.6f} to {one.largest:.6f}" if one.strict else f"weakly, by 0 to {one.largest:.6f}"
    return f"               {one.strategy} by {by} ({gains})"


def _row(one: RankedStrategy) -> str:
    mean, rating = f"{one.mean:.6f}", f"{one.rating:+.3f}"
    if one.low is not None and one.high is not None:
        mean = f"{one.mean:.4f} ({one.low:.4f} to {one.high:.4f})"
    if one.error is not None:
        rating += f" ({one.error:.3f})"
    return f"{mean}  {one.beats:5d}  {one.loses:5d}  {rating}  {one.round_robin:11.3f}  {one.knockout:8.3f}"


def _order(found: Tournament) -> list[str]:
    order = "transitive: who beats a strategy beats all that it beats" if found.transitive else "not transitive"
    count = len(found.cycles)
    lines = [f"order          {order}", f"cycles         {count or 'none'} of three strategies"]
    for names, margins in found.named_cycles(TOLD_CYCLES):
        steps = [f"{name} +{margin:.4f}" for name, margin in zip(names, margins, strict=True)]
        lines.append(f"               {' > '.join(steps)} > {names[0]}")
    if count > TOLD_CYCLES:
        lines.append(f"               and {count - TOLD_CYCLES} weaker ones: --folder or --json")
    if count and found.games is not None:
        lines.append("               (of games that were played, a cycle may be luck: see the intervals)")
    return lines


def _mixture(found: Tournament) -> str:
    shares = sorted(((one.share, one.name) for one in found.ranking if one.share > NEXT_TO_NOTHING), reverse=True)
    return "Nash mixture   " + ", ".join(f"{name} {share:.3f}" for share, name in shares)


def _misfit(found: Tournament) -> str:
    misfit = found.misfit
    return (
        f"Bradley-Terry  differs from the matrix by {misfit.rms:.4f} (root mean square), "
        f"most at {misfit.pair[0]} against {misfit.pair[1]}: {misfit.largest:.4f}"
    )


def _saved(files: list[str]) -> list[str]:
    return ["", *(f"  saved as {file}" for file in files)] if files else []
