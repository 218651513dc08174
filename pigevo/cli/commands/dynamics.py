"""`pigevo dynamics A B C`: which strategies spread in a population whose members play each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.entrants import EPILOG_OF_MANY, entrants_of
from pigevo.cli.options import game_options, json_option, show
from pigevo.cli.output import picture_file, safe_name
from pigevo.core.text import counted, percent
from pigevo.games import Game
from pigevo.storage.files import refuse_unwritable
from pigevo.tournaments import INTENSITY, PLAYERS, SECONDS

if TYPE_CHECKING:
    from pigevo.core.arrays import Floats
    from pigevo.tournaments import Course

SOME_FAILED = 1
MOST_LISTED = 20
MOST_LEADERS = 5
LEAST_LEAD = 0.005
SUMMED = ("start", "end", "nash", "alpha_rank", "small", "last", "takes_over")


@click.command(epilog=EPILOG_OF_MANY)
@click.argument("strategies", nargs=-1, required=True, metavar="STRATEGY...")
@click.option("--time", type=click.FloatRange(0, 1e6, min_open=True), default=2000.0, show_default=True,
              help="How long the replicator dynamics goes on.")  # fmt: skip
@click.option("--players", type=click.IntRange(2, 1000), show_default=f"{PLAYERS}, or one for each strategy",
              help="Members of a finite population.")  # fmt: skip
@click.option("--intensity", type=click.FloatRange(0, 1e6), default=INTENSITY, show_default=True,
              help="Of selection: parents are drawn by exp(intensity x margin over the others).")  # fmt: skip
@click.option("--mutation", type=click.FloatRange(0, 1), default=0.0, show_default=True,
              help="Share of children, and rate of members, that change to a strategy drawn at random.")  # fmt: skip
@click.option("--generations", type=click.IntRange(1, 100_000), default=300, show_default=True,
              help="Of the finite population; one has as many births as there are players.")  # fmt: skip
@click.option("--populations", type=click.IntRange(1, 100_000), default=1000, show_default=True,
              help="Finite populations without mutation that are played until one strategy is left.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all that is drawn by lot.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=SECONDS, show_default=True,
              help="Seconds of processor time that each function of a file may take.")  # fmt: skip
@click.option("--to", type=click.Path(dir_okay=False, path_type=Path),
              help="Draw the shares over time to this file (png, pdf or svg).")  # fmt: skip
@game_options
@json_option
def command(
    strategies: tuple[str, ...], time: float, players: int | None, intensity: float, mutation: float, generations: int,
    populations: int, seed: int, timeout: float, to: Path | None, game: Game, as_json: bool,
) -> int:  # fmt: skip
    """Which strategies spread where members of a population play each other: replicator, Moran, alpha-rank, Nash."""
    if to is not None:
        refuse_unwritable(picture_file(to, None, [safe_name(word) for word in strategies]))
    from pigevo.core.intervals import share_interval
    from pigevo.core.threads import available_cores
    from pigevo.tournaments import (
        alpha_rank,
        entries_of,
        exact_seats,
        fixation_probabilities,
        moran,
        nash,
        replicator,
        takeovers,
    )  # fmt: skip

    given = entrants_of(strategies, game)
    entries = entries_of(given.strategies, given.game, timeout, available_cores())
    players = players or max(PLAYERS, len(entries.names))
    first, second = exact_seats(entries.strategies, available_cores())
    overall = (first + second) / 2
    large = replicator(overall, time, mutation=mutation)
    small = moran(overall, generations, players, intensity, mutation, seed)
    won, undecided = takeovers(overall, players, intensity, populations, seed)
    columns = _columns(large, small, won / populations)
    columns["nash"] = nash(overall).shares.tolist()
    columns["alpha_rank"] = alpha_rank(overall, players, intensity).tolist()
    columns["interval"] = [share_interval(int(count), populations) for count in won]
    record: dict[str, Any] = {
        "game": str(entries.strategies[0].game),
        "names": list(entries.names),
        "time": time,
        "players": players,
        "intensity": intensity,
        "mutation": mutation,
        "generations": generations,
        "populations": populations,
        "seed": seed,
        "overall": overall.tolist(),
        "strategies": [
            {"name": name, **{key: values[n] for key, values in columns.items()}}
            for n, name in enumerate(entries.names)
        ],
        "settings": _by_setting(given.settings, columns),
        "changes_of_lead": {"replicator": large.changes_of_lead(), "moran": small.changes_of_lead()},
        "time_in_lead": {"replicator": large.time_in_lead().tolist(), "moran": small.time_in_lead().tolist()},
        "fixation": fixation_probabilities(overall, players, intensity).tolist(),
        "undecided": undecided,
        "failed": [{"file": file, "why": why} for file, why in entries.failed],
    }
    if to is not None:
        from pigevo.figures.axes import figure_of, save_figure
        from pigevo.figures.population import plot_dynamics

        drawn = plot_dynamics(entries.names, large, small, nash(overall).shares)
        record["picture"] = str(save_figure(to, figure_of(drawn)))
    show(record, describe(record), as_json)
    return SOME_FAILED if entries.failed else 0


def _columns(large: Course, small: Course, takes_over: Floats) -> dict[str, list[Any]]:
    """What is known of each strategy in the two populations."""
    found = {"start": large.shares[0], "end": large.shares[-1], "small": small.shares.mean(axis=0),
             "last": small.shares[-1], "takes_over": takes_over}  # fmt: skip
    return {name: values.tolist() for name, values in found.items()}


def describe(record: dict[str, Any]) -> str:
    """The figures as lines to read."""
    rows, players = record["strategies"], record["players"]
    listed = sorted(rows, key=lambda row: (-row["end"], -row["alpha_rank"]))[:MOST_LISTED]
    width = max(len("strategy"), *(len(row["name"]) for row in listed))
    lines = [
        f"{len(rows)} strategies in {record['game']}: shares of populations whose members play each other",
        "",
        f"  {'strategy':{width}}  replicator     Nash  alpha-rank  {players} players  takes over (95 % interval)",
        *(f"  {row['name']:{width}}  {_row(row, players)}" for row in listed),
    ]
    if len(rows) > len(listed):
        lines.append(f"        and {len(rows) - len(listed)} more, which --json shows")
    lines += _settings_lines(record["settings"], players)
    lines += [
        "",
        f"  replicator  a large population after a time of {record['time']:g}, from nearly equal shares;"
        f" {_leader(rows, 'end')} leads then",
        f"              {_lead(record, 'replicator')}",
        "  alpha-rank  shares of time where mutants are so rare that one takes over or dies out before the next",
        f"  {players} players  the mean of {record['generations']:,} generations;"
        f" {_leader(rows, 'last')} leads in the last one",
        f"              {_lead(record, 'moran')}",
        f"  takes over  of {record['populations']:,} such populations with equal numbers and no mutation"
        + (f"; {record['undecided']:,} were undecided" if record["undecided"] else ""),
    ]
    if len(rows) == 2:
        (one, other), table = record["names"], record["fixation"]
        lines += [
            "",
            f"  A single {one} among {players - 1} of {other} takes over with probability {table[0][1]:.4f},"
            f" a single {other} with {table[1][0]:.4f}; one that is no better or worse with {1 / players:.4f}.",
        ]
    from pigevo.tournaments.entries import failure_text

    lines += [f"did not play   {failure_text(one['file'], one['why'])}" for one in record["failed"]]
    if "picture" in record:
        lines += ["", f"picture   {record['picture']}"]
    return "\n".join(lines)


def _row(row: dict[str, Any], players: int) -> str:
    low, high = row["interval"]
    wide = len(f"{players} players")
    return (
        f"{row['end']:10.3f}  {row['nash']:7.3f}  {row['alpha_rank']:10.3f}  {row['small']:{wide}.3f}"
        f"  {row['takes_over']:.3f} ({low:.3f} to {high:.3f})"
    )


def _leader(rows: list[dict[str, Any]], when: str) -> str:
    """Who leads at some time, by the name of its column."""
    return str(max(rows, key=lambda row: row[when])["name"])


def _lead(record: dict[str, Any], course: str) -> str:
    """How often the lead of a population changes, and how long each has it."""
    shares = zip(record["time_in_lead"][course], record["names"], strict=True)
    (most, first), *others = sorted(shares, key=lambda pair: -pair[0])[:MOST_LEADERS]
    said = [f"{first} has it {percent(most, 0)} of the time", *(
        f"{name} {percent(share, 0)}" for share, name in others if share >= LEAST_LEAD
    )]  # fmt: skip
    return f"the lead changes {counted(record['changes_of_lead'][course], 'time')}; {', '.join(said)}"


def _by_setting(settings: Sequence[str], columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """What the champions of each setting of a sweep have together; they are the last strategies."""
    found: dict[str, dict[str, Any]] = {}
    first = len(columns["end"]) - len(settings)
    for place, setting in enumerate(settings, start=first):
        row = found.setdefault(setting, {"setting": setting, "champions": 0, **dict.fromkeys(SUMMED, 0.0)})
        row["champions"] += 1
        for name in SUMMED:
            row[name] += columns[name][place]
    return list(found.values())


def _settings_lines(settings: list[dict[str, Any]], players: int) -> list[str]:
    """The champions of each setting together; nothing where there is one setting."""
    if len(settings) < 2:
        return []
    width = max(len("champions of"), *(len(row["setting"]) for row in settings))
    wide = len(f"{players} players")
    best = sorted(settings, key=lambda row: -row["end"])[:MOST_LISTED]
    return [
        "",
        f"  {'champions of':{width}}  replicator     Nash  alpha-rank  {players} players  takes over  number",
        *(f"  {row['setting']:{width}}  {row['end']:10.3f}  {row['nash']:7.3f}  {row['alpha_rank']:10.3f}"
          f"  {row['small']:{wide}.3f}  {row['takes_over']:10.3f}  {row['champions']:6d}" for row in best),
    ]  # fmt: skip
