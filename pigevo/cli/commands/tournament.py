"""`pigevo tournament`: every strategy against every other; and how commands read many strategies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import (
    EPILOG,
    FOLDER,
    figures_option,
    game_of_words,
    game_options,
    game_was_typed,
    json_option,
    purpose,
    show,
    timeout_option,
)
from pigevo.cli.output import NEGATIVE_STATUS, terminal_width
from pigevo.core.text import counted, table, with_interval
from pigevo.errors import InputError
from pigevo.figures import FORMATS
from pigevo.games import Game
from pigevo.storage.files import refuse_unwritable, telling_replaced
from pigevo.strategies import Strategy
from pigevo.tournaments import LEAST_SHOWN, LENGTH, SECONDS, TIMES

if TYPE_CHECKING:
    from pigevo.tournaments import Dominated, RankedStrategy, Tournament
    from pigevo.tournaments.result import Dominance

EPILOG_OF_MANY = f"""\
{EPILOG}
Numbers may be ranges: hold_at:1..100, hold_at:5..95..5 in steps of 5, score:20,0..3. A FOLDER stands for the tables and
the saved strategies in it, and for the last public function of (i, j, k) or of (game) in each of its Python files. The
path of a Python file stands for all such functions in it. The folder of a sweep (outputs/sweeps/NAME) stands for the
champions of its finished runs.
"""
"""The part of a command's help about many strategies."""


@dataclass(frozen=True)
class TypedEntrants:
    """The strategies for `pigevo.tournament`, and the game.

    The champions of sweeps are the last strategies; `settings` has the setting of each.
    """

    strategies: list[str | Strategy]
    game: Game
    settings: tuple[str, ...] = ()


def typed_entrants(words: Sequence[str], game: Game) -> TypedEntrants:
    """The words, with each sweep's folder replaced by the champions of its finished runs, and the common game.

    Without an option about the game, it is that of a sweep, or else of a saved strategy or of a run's folder.
    """
    from pigevo.sweeps.record import SWEEP_FILE  # not imported for help

    sweeps = [word for word in words if os.path.isfile(Path(os.path.expanduser(word), SWEEP_FILE))]
    named = [word for word in words if word not in sweeps]
    champions: list[Strategy] = []
    settings: list[str] = []
    for word in dict.fromkeys(sweeps):
        from pigevo.sweeps.load import load_sweep

        sweep = load_sweep(os.path.expanduser(word))
        champions += sweep.champions().values()
        plays = champions[-1].game
        if game_was_typed() and plays.rules != game.rules:
            raise InputError(f"{word} plays {plays}, not {game}: give the game's own settings, or none.")
        settings += [member.setting for member in sweep.finished]
    game = champions[0].game if champions and not game_was_typed() else game_of_words(named, game)
    return TypedEntrants([*named, *champions], game, tuple(settings))


PAGE = "tournament.html"
CYCLES_SHOWN = 5
MOST_FIRST = 8  # the largest number of strategies whose matrix by who moves first is printed

_EPILOG = f"""\
{EPILOG_OF_MANY}
Python files are code: each function runs in a process of its own, which may take --timeout seconds of processor time,
and ten times that by the clock. It runs again in a second process, and both must give the same decisions. Tables and
saved strategies are only read. If a file or a function fails, its line is reported, and the others play; helpers, whose
names begin with an underscore, and imported functions are left out. On Linux the code writes only in a temporary folder
of its own; on systems without such a sandbox a line says what it could do. Exit status: 0, or 1 if a file or a function
has failed.
"""


@purpose("Many strategies")
@click.command(epilog=_EPILOG)
@click.argument("strategies", nargs=-1, required=True, metavar="STRATEGY...")
@click.option("--games", type=click.IntRange(2), help="Number of games of each pair, even, instead of exact solving.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of all random draws.")
@click.option("--length", type=click.IntRange(2), default=LENGTH, show_default=True,
              help="Number of games of a match in round robins and knockouts.")  # fmt: skip
@click.option("--times", type=click.IntRange(1), default=TIMES, show_default=True,
              help="Number of random round robins and brackets.")  # fmt: skip
@timeout_option(SECONDS)
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Number of strategies to print.")
@click.option("--dominated", is_flag=True,
              help="Also list dominated strategies: others, or mixtures, win more against every entrant.")  # fmt: skip
@click.option("--folder", type=FOLDER,
              help="Write a page to project and print, tables (CSV), and a picture here.")  # fmt: skip
@click.option("--title", help="The title of the page.  [default: A tournament]")
@figures_option
@game_options
@json_option
def command(
    strategies: tuple[str, ...], games: int | None, seed: int, length: int, times: int, timeout: float, top: int,
    dominated: bool, folder: Path | None, title: str | None, figures: str | None, game: Game, as_json: bool,
) -> int:  # fmt: skip
    """Evaluate every strategy against every other, and rank them.

    It prints a matrix, a ranking, ratings, cycles, and dominated strategies.
    """
    from pigevo.tournaments import tournament

    if folder is None and figures:
        raise click.UsageError("--figures is about the picture in --folder: give that, too.")
    if folder is None and title:
        raise click.UsageError("--title is about the page in --folder: give that, too.")
    if dominated and games is not None:
        raise click.UsageError("--dominated is about exact win probabilities: leave --games out.")
    if folder is not None:
        from pigevo.tournaments.result import TABLES
        from pigevo.web.report import refuse_foreign  # not imported for help

        if os.path.realpath(folder) in {os.path.realpath(os.path.expanduser(word)) for word in strategies}:
            raise InputError(
                f"{folder} has the entrants, and the tables written to it would be entrants next time: "
                "choose another --folder."
            )
        refuse_unwritable(folder / "matrix.csv")
        refuse_foreign(folder / PAGE, "another folder")
        if not (folder / PAGE).exists() and (found := [name for name in TABLES if os.path.lexists(folder / name)]):
            raise InputError(f"{folder} has {found[0]}, which is from no tournament: choose another --folder.")
    entrants = typed_entrants(strategies, game)
    played = tournament(entrants.strategies, games, seed, length, times, game=entrants.game, timeout=timeout)
    saved = _saved(played, folder, title or "A tournament", figures or FORMATS[0]) if folder is not None else []
    dominance = played.dominance() if dominated else None
    record = played.as_json | (dominance.as_json if dominance else {}) | {"saved": saved}
    more = describe_dominance(dominance, top) if dominance else []
    files = ["", *(f"  saved as {file}" for file in saved)] if saved else []
    show(record, "\n".join([describe_tournament(played, top), *more, *files]), as_json)
    return NEGATIVE_STATUS if played.failed else 0


def _saved(played: Tournament, folder: Path, title: str, figures: str) -> list[str]:
    """Write the files of a tournament, and its page."""
    from pigevo.web.report import write_report
    from pigevo.web.report.tournament import tournament_report

    with telling_replaced(folder / PAGE):
        page = write_report(folder / PAGE, title, tournament_report(played, title))
    return [str(path) for path in (page, *played.save(folder, figures))]


def describe_tournament(played: Tournament, top: int = 20) -> str:
    """The tournament as text."""
    how = "exact win probabilities of both seats" if played.games is None else (
        f"{played.games} games a pair, seed {played.seed}, with 95 % intervals"
    )  # fmt: skip
    best = played.ranking[:top]
    heads = ["rank", "strategy", "mean", "beats", "loses", "rating", "round robin", "knockout"]
    rows = [_ranking_row(ranked) for ranked in best]
    lines = [
        f"{len(played.names)} strategies in {played.game}: {how}",
        "",
        *table(heads, rows, "><<>><>>", terminal_width(), keys=2),
    ]
    if len(played.ranking) > top:
        lines.append(f"        and {len(played.ranking) - top} more, which --top {len(played.ranking)} shows")
    shares = sorted(
        ((ranked.share, ranked.name) for ranked in played.ranking if ranked.share > LEAST_SHOWN), reverse=True
    )
    misfit = played.misfit
    lines += _moving_first(played)
    lines += [
        "",
        *_order(played),
        f"Nash mixture   {', '.join(f'{name} {share:.3f}' for share, name in shares)}",
        f"Bradley-Terry  differs from the matrix by {misfit.rms:.4f} (root mean square), "
        f"most at {misfit.pair[0]} against {misfit.pair[1]}: {misfit.largest:.4f}",
    ]
    if played.games is None:
        lines.append(f"round robin and knockout: the chance to win one of {played.length}-game matches")
    lines += [f"alike          {sentence}" for sentence in played.alike_in_words()]
    lines += left_out(played.failed, played.passed_over, played.names)
    lines += [f"sandbox        {played.sandbox_gaps}"] if played.sandbox_gaps else []
    return "\n".join(lines)


def left_out(
    failed: Sequence[tuple[str, str]], passed_over: Sequence[tuple[str, str]], names: Sequence[str]
) -> list[str]:
    """The lines about files and functions that do not play, with the reasons; `names` are those of the entrants."""
    from pigevo.tournaments.entries import failure_texts  # not imported for help

    labels = ["did not play"] * len(failed) + ["passed over"] * len(passed_over)
    texts = failure_texts([*failed, *passed_over], names)
    return [f"{label:15}{text}" for label, text in zip(labels, texts, strict=True)]


def describe_dominance(dominance: Dominance, top: int = 20) -> list[str]:
    """The dominated entrants, those that dominate them, and the result of iterated elimination, as text."""
    number = len(dominance.dominated)
    head = f"dominated      {number or 'none'}: against every entrant, another one or a mixture of some does better"
    lines = [head, *map(_by, dominance.dominated[:top])]
    if number > top:
        lines.append(f"               and {number - top} more, which --top {number} shows")
    names, rounds = dominance.elimination.left, len(dominance.elimination.rounds)
    left = ", ".join(names[:top]) + (f" and {len(names) - top} more" if len(names) > top else "")
    return [
        "",
        *lines,
        f"elimination    of dominated ones, again and again, leaves {left} after {counted(rounds, 'round')}",
    ]


def _by(dominated: Dominated) -> str:
    shares = sorted(dominated.by.items(), key=lambda pair: -pair[1])
    by = shares[0][0] if len(shares) == 1 else ", ".join(f"{name} {share:.3f}" for name, share in shares)
    least = f"by {dominated.margin:.6f}" if dominated.strict else "weakly, by 0"
    return f"               {dominated.strategy} by {by} ({least} to {dominated.largest:.6f})"


def _ranking_row(ranked: RankedStrategy) -> tuple[str, ...]:
    mean, rating = with_interval(ranked.mean, ranked.low, ranked.high), f"{ranked.rating:+.3f}"
    if ranked.error is not None:
        rating += f" ({ranked.error:.3f})"
    chances = f"{ranked.round_robin:.3f}", f"{ranked.knockout:.3f}"
    return str(ranked.rank), ranked.name, mean, str(ranked.beats), str(ranked.loses), rating, *chances


def _moving_first(played: Tournament) -> list[str]:
    """The matrix of exact wins by who moves first, if it is small: the strategy of the row does."""
    order = [played.names.index(ranked.name) for ranked in played.ranking]
    if played.first is None or not 2 <= len(order) <= MOST_FIRST:
        return []
    ranks = [ranked.rank for ranked in played.ranking]
    wins = [[100 * played.first[row, column] for column in order] for row in order]
    return [
        "",
        "how often the strategy of the row wins when it moves first, in percent, by rank",
        "(--folder writes a page with the mean of moving first and moving second)",
        f"  rank{''.join(f'{rank:7d}' for rank in ranks)}",
        *(f"  {rank:4d}{''.join(f'{share:7.2f}' for share in row)}" for rank, row in zip(ranks, wins, strict=True)),
    ]


def _order(played: Tournament) -> list[str]:
    order = "transitive: if A beats B and B beats C, then A beats C" if played.transitive else "not transitive"
    count = len(played.cycles)
    lines = [f"order          {order}", f"cycles         {count or 'none'} of three strategies"]
    for names, margins in played.named_cycles(CYCLES_SHOWN):
        steps = [f"{name} +{margin:.4f}" for name, margin in zip(names, margins, strict=True)]
        lines.append(f"               {' > '.join(steps)} > {names[0]}")
    if count > CYCLES_SHOWN:
        lines.append(f"               and {count - CYCLES_SHOWN} weaker ones: --folder or --json")
    if count and played.games is not None:
        lines.append("               (of games that were played, a cycle may be luck: see the intervals)")
    return lines
