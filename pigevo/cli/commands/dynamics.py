"""`pigevo dynamics`: which strategies spread in a population of players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.commands.tournament import EPILOG_OF_MANY, left_out, typed_entrants
from pigevo.cli.options import NewFile, game_options, json_option, purpose, show, timeout_option
from pigevo.cli.output import NEGATIVE_STATUS, refuse_picture, save_picture, terminal_width
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import available_cores
from pigevo.core.text import commas, counted, percent, table, with_interval
from pigevo.games import Game
from pigevo.tournaments import INTENSITY, PLAYERS, SECONDS

if TYPE_CHECKING:
    from pigevo.tournaments.dynamics import Dynamics
    from pigevo.tournaments.entries import Entries

MOST_LISTED = 20
MOST_LEADERS = 5
LEAST_LEAD = 0.005
SUMMED = ("start", "end", "nash", "alpha_rank", "small", "last", "takes_over")


@purpose("Many strategies")
@click.command(epilog=EPILOG_OF_MANY)
@click.argument("strategies", nargs=-1, required=True, metavar="STRATEGY...")
@click.option("--time", type=click.FloatRange(0, 1e6, min_open=True), default=2000.0, show_default=True,
              help="Duration of the replicator dynamics.")  # fmt: skip
@click.option("--players", type=click.IntRange(2, 1000), show_default=f"{PLAYERS}, or one for each strategy",
              help="Number of members of a finite population.")  # fmt: skip
@click.option("--intensity", type=click.FloatRange(0, 1e6), default=INTENSITY, show_default=True,
              help="Intensity of selection: parents have weights exp(intensity x margin over the others).")  # fmt: skip
@click.option("--mutation", type=click.FloatRange(0, 1), default=0.0, show_default=True,
              help="Share of children, and rate of members, that change to a random strategy.")  # fmt: skip
@click.option("--generations", type=click.IntRange(1, 100_000), default=300, show_default=True,
              help="Generations of the finite population, each of as many births as there are players.")  # fmt: skip
@click.option("--populations", type=click.IntRange(1, 100_000), default=1000, show_default=True,
              help="Number of finite populations without mutation that run until one strategy is left.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of all random draws.")
@timeout_option(SECONDS)
@click.option("--to", type=NewFile("shares.png"), help="Draw the shares over time to this file (png, pdf or svg).")
@game_options
@json_option
def command(
    strategies: tuple[str, ...], time: float, players: int | None, intensity: float, mutation: float, generations: int,
    populations: int, seed: int, timeout: float, to: Path | None, game: Game, as_json: bool,
) -> int:  # fmt: skip
    """Show which strategies spread in a population of players.

    By replicator dynamics, the Moran process, alpha-rank, and Nash equilibria. The replicator dynamics begin with
    shares that fall in the order in which the strategies are named, from 1.5/n to 0.5/n.
    """
    refuse_picture(to)
    from pigevo.tournaments import entries_of, exact_seats
    from pigevo.tournaments.dynamics import all_dynamics

    entrants = typed_entrants(strategies, game)
    entries = entries_of(entrants.strategies, entrants.game, timeout, available_cores())
    first, second = exact_seats(entries.strategies, available_cores())
    numbers: JsonObject = {
        "time": time, "players": players or max(PLAYERS, len(entries.names)), "intensity": intensity,
        "mutation": mutation, "generations": generations, "populations": populations, "seed": seed,
    }  # fmt: skip
    dynamics = all_dynamics((first + second) / 2, **numbers)
    record = _dynamics_record(entries, numbers, dynamics, entrants.settings)
    if to is not None:
        from pigevo.figures.population import plot_dynamics

        picture = plot_dynamics(entries.names, dynamics.replicator, dynamics.moran, dynamics.nash)
        record["picture"] = save_picture(to, picture)
    show(record, describe_dynamics(record), as_json)
    return NEGATIVE_STATUS if entries.failed else 0


def _dynamics_record(entries: Entries, numbers: JsonObject, dynamics: Dynamics, settings: Sequence[str]) -> JsonObject:
    """The dynamics with their numbers as plain values; `settings` has the setting of each champion of a sweep."""
    from pigevo.tournaments.entries import as_records

    figures = dynamics.figures
    rows = [
        {"name": name, **{key: values[index] for key, values in figures.items()}, "interval": interval}
        for index, (name, interval) in enumerate(zip(entries.names, dynamics.intervals, strict=True))
    ]
    return {
        "game": str(entries.strategies[0].game),
        "names": list(entries.names),
        **numbers,
        **dynamics.as_json,
        "strategies": rows,
        "settings": _by_setting(settings, figures),
        "failed": as_records(entries.failed),
        "sandbox_gaps": entries.sandbox_gaps,
        "passed_over": as_records(entries.passed_over),
    }


def describe_dynamics(record: JsonObject) -> str:
    """The figures as text."""
    rows, players = record["strategies"], record["players"]
    listed = sorted(rows, key=lambda row: (-row["end"], -row["alpha_rank"]))[:MOST_LISTED]
    lines = [
        f"{len(rows)} strategies in {record['game']}: shares of populations whose members play each other",
        "",
        *table(
            ("strategy", *_shares_heads(players), "takes over (95 % interval)"),
            [(row["name"], *_shares(row), _taking_over(row)) for row in listed],
            "<>>>><",
            terminal_width(),
        ),
    ]
    if len(rows) > len(listed):
        lines.append(f"        and {len(rows) - len(listed)} more, which --json shows")
    lines += _settings_lines(record["settings"], players)
    lines += [
        "",
        f"  replicator  a large population after a time of {commas(record['time'])}; {_leader(rows, 'end')} leads then",
        f"              it begins with {_beginning(rows)}",
        f"              {_lead(record, 'replicator')}",
        "  alpha-rank  shares of time where mutants are so rare that one takes over or dies out before the next",
        f"  {players} players  the mean of {record['generations']:,} generations of one such population (seed"
        f" {record['seed']}); {_leader(rows, 'last')} leads in the last one",
        f"              {_lead(record, 'moran')}",
        "              with another seed another strategy may remain: `takes over` counts many populations",
        f"  takes over  of {record['populations']:,} such populations with equal numbers and no mutation"
        + (f"; {record['undecided']:,} were undecided" if record["undecided"] else ""),
    ]
    if len(rows) == 2:
        (first, second), fixation = record["names"], record["fixation"]
        lines += [
            "",
            f"  A single {first} among {players - 1} of {second} takes over with probability {fixation[0][1]:.4f},"
            f" a single {second} with {fixation[1][0]:.4f}; one that is no better or worse with {1 / players:.4f}.",
        ]
    failed, passed_over = ([(row["file"], row["why"]) for row in record[key]] for key in ("failed", "passed_over"))
    lines += left_out(failed, passed_over, record["names"])
    lines += [f"sandbox        {record['sandbox_gaps']}"] if record["sandbox_gaps"] else []
    if "picture" in record:
        lines += ["", f"picture   {record['picture']}"]
    return "\n".join(lines)


def _beginning(rows: Sequence[JsonObject]) -> str:
    """The shares of the first and the last strategy at the start, in the order in which they were named."""
    first, last = (f"{percent(row['start'])} of {row['name']}" for row in (rows[0], rows[-1]))
    return f"{first}, named first, down to {last}, named last" if len(rows) > 1 else first


def _shares_heads(players: int) -> tuple[str, ...]:
    return "replicator", "Nash", "alpha-rank", f"{players} players"


def _shares(row: JsonObject) -> list[str]:
    return [f"{row[key]:.3f}" for key in ("end", "nash", "alpha_rank", "small")]


def _taking_over(row: JsonObject) -> str:
    low, high = row["interval"]
    return with_interval(row["takes_over"], low, high, ".3f")


def _leader(rows: list[JsonObject], when: str) -> str:
    """The leader at a time, by the name of its column."""
    return str(max(rows, key=lambda row: row[when])["name"])


def _lead(record: JsonObject, course: str) -> str:
    """The number of changes of the lead, and the time in the lead of each strategy."""
    shares = zip(record["time_in_lead"][course], record["names"], strict=True)
    (most, first), *further = sorted(shares, key=lambda pair: -pair[0])[:MOST_LEADERS]
    shares_in_words = [f"{first} has it {percent(most, 0)} of the time", *(
        f"{name} {percent(share, 0)}" for share, name in further if share >= LEAST_LEAD
    )]  # fmt: skip
    return f"the lead changes {counted(record['changes_of_lead'][course], 'time')}; {', '.join(shares_in_words)}"


def _by_setting(settings: Sequence[str], figures: dict[str, list[float]]) -> list[JsonObject]:
    """The joint share of the champions of each setting of a sweep; they are the last strategies."""
    sums: dict[str, JsonObject] = {}
    first = len(figures["end"]) - len(settings)
    for index, setting in enumerate(settings, start=first):
        row = sums.setdefault(setting, {"setting": setting, "champions": 0, **dict.fromkeys(SUMMED, 0.0)})
        row["champions"] += 1
        for name in SUMMED:
            row[name] += figures[name][index]
    return list(sums.values())


def _settings_lines(settings: list[JsonObject], players: int) -> list[str]:
    """The champions of each setting together; empty if there is one setting."""
    if len(settings) < 2:
        return []
    best = sorted(settings, key=lambda row: -row["end"])[:MOST_LISTED]
    heads = ("champions of", *_shares_heads(players), "takes over", "number")
    rows = [(row["setting"], *_shares(row), f"{row['takes_over']:.3f}", str(row["champions"])) for row in best]
    return ["", *table(heads, rows, "<>>>>>>", terminal_width())]
