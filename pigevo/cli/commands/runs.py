"""Commands about a run's folder: `lineage`, `replay`, `resume` and `verify`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import PATH, NewFile, at_most_the_cores, code_options, json_option, purpose, show
from pigevo.cli.output import NEGATIVE_STATUS, refuse_picture, remark, save_picture, terminal_width, wrapped
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import available_cores
from pigevo.core.text import counted, for_shell, percent, table
from pigevo.errors import InputError
from pigevo.user_code.loading import CodeNotRun

if TYPE_CHECKING:
    from pigevo.evolution.lineage import Lineage
    from pigevo.figures.matrices import MasterTournament
    from pigevo.runs.load import Run
    from pigevo.runs.verify import Replay, Verified
    from pigevo.simulation.stepwise import Turn


@purpose("Runs")
@click.command(epilog="RUN is a run's folder, as outputs/cube_random/mutation=0.005-3a027d0a4b.")
@click.argument("run", type=PATH)
@code_options(command_runs_code=True)
@json_option
def resume_command(run: Path, as_json: bool) -> None:
    """Continue an unfinished run from its folder; show a finished one."""
    from pigevo import runs
    from pigevo.cli.summary import summary
    from pigevo.runs.folder import beside_experiment, settings_of
    from pigevo.runs.progress import begin_logging
    from pigevo.user_code.loading import code_of

    folder = Path(os.path.realpath(run))
    begin_logging(folder)
    # A run begun with force=true has already started again: now it continues.
    settings = at_most_the_cores(settings_of(run)).with_(force=False)
    with code_of(folder):
        record = runs.run(settings, folder)
    show(record, summary(record, beside_experiment(settings), folder), as_json)


HASHES = "its files have the hashes with which they were written"


@purpose("Runs")
@click.command(epilog="Exit status: 0 if all is the same, 1 if something differs, 2 for a wrong input.")
@click.argument("run", type=PATH)
@click.option(
    "--generations", type=click.IntRange(0), default=10, show_default=True, help="The last generation to compare."
)
@code_options()
@json_option
def verify_command(run: Path, generations: int, as_json: bool) -> int:
    """Compare a run's files with their hashes, and repeat it.

    The first generations are compared with their repetition.
    """
    from pigevo.runs.verify import verify

    verified = verify(run, generations, available_cores())
    show({**asdict(verified), "same": verified.same}, describe_verified(verified), as_json)
    return 0 if verified.same else NEGATIVE_STATUS


def describe_verified(verified: Verified) -> str:
    """The comparison as text."""
    numbers = ", ".join(map(str, verified.compared[:8])) + (", ..." if len(verified.compared) > 8 else "")
    lines = [f"{verified.folder}: recorded generations made again: {numbers or 'none'}"]
    if verified.same:
        end = "; and so are the digest of the whole run, its champion and its result" if verified.whole else ""
        lines += wrapped(f"same to the bit, their figures included{end}", "", "  ")
        lines += [HASHES] if verified.hashes else []
        if verified.not_compared:
            names = ", ".join(verified.not_compared)
            lines += wrapped(f"not compared, because they come from on_generation: {names}", "", "  ")
    else:
        lines += [f"different: {difference}" for difference in verified.differences]
    if verified.changed:
        lines += [f"changed since the run began: {change}" for change in verified.changed]
    elif not verified.same:
        lines.append(f"no version has changed since the run began: {_reasons(verified.operators)}")
    if verified.same and verified.next_recorded is not None:
        lines.append(
            f"the next recorded generation is {verified.next_recorded}: --generations {verified.next_recorded}"
        )
    return "\n".join(lines)


def _reasons(operators: Sequence[str]) -> str:
    """Why a repetition may differ although the versions are the same."""
    if not operators:
        return "the record was altered, or a machine erred"
    whose = "its operator" if len(operators) == 1 else "one of its operators"
    checks = ", ".join(f"`pigevo check {for_shell(operator)}`" for operator in operators)
    return (
        f"the record was altered, a machine erred, or {whose} {' or '.join(operators)} draws from elsewhere than "
        f"context.draw: {checks}"
    )


@purpose("Runs")
@click.command(
    epilog="In the last generation every two members play (the best 500 of a larger population, if selection needs "
    "fewer matches); in earlier ones, the pairs of the selection."
)
@click.argument("run", type=PATH)
@click.option("--generation", type=click.IntRange(0), required=True, help="The generation whose population plays.")
@click.option("--pairing", type=click.IntRange(0), required=True, help="The index of the pair, from 0.")
@click.option("--game", type=click.IntRange(0), required=True, help="The index of the game, from 0.")
@code_options()
@json_option
def replay_command(run: Path, generation: int, pairing: int, game: int, as_json: bool) -> None:
    """Replay one game of a run, roll by roll."""
    from pigevo.runs.folder import settings_of
    from pigevo.runs.verify import replay

    settings = settings_of(run).with_(workers=available_cores())
    played = replay(settings, run, generation, pairing, game)
    show(asdict(played), describe_replay(played), as_json)


def describe_replay(played: Replay) -> str:
    """The game as text."""
    counter = ", ".join(f"{name} {value}" for name, value in played.counter.items())
    first, second = played.members
    rows = [
        (str(number), str(played.members[turn.player]), str(turn.own), str(turn.opponent), _rolls(turn))
        for number, turn in enumerate(played.turns, 1)
    ]
    lines = [
        f"{played.game}: member {first} moves first against member {second}",
        f"dice: {counter}; the population was made again from generation {played.made_from}",
        "",
        *table(("turn", "member", "own", "other", "rolls"), rows, ">>>><", terminal_width()),
        "",
        _end(played),
    ]
    return "\n".join(lines)


def _rolls(turn: Turn) -> str:
    rolls = " ".join(str(points) if points else "bust" for points in turn.rolls)
    scored = f", scores {turn.banked}" if turn.banked > 0 else ", loses all" if turn.banked < 0 else ""
    return "passes" if turn.is_pass else f"{rolls}{scored}" if turn.rolls[-1] == 0 else f"{rolls}, holds {turn.banked}"


def _end(played: Replay) -> str:
    from pigevo.simulation.stepwise import DRAWN, STALEMATE, UNFINISHED

    last = played.turns[-1]
    if played.result == DRAWN:
        return f"a draw at {last.opponent}"
    if played.result == STALEMATE:
        return "a stalemate: both passed"
    if played.result == UNFINISHED:
        return "unfinished: stopped because of too many turns"
    scores = last.own + last.banked, last.opponent
    won, lost = scores if played.result == last.player else scores[::-1]
    return f"member {played.members[played.result]} wins by {won} to {lost} in turn {len(played.turns)}"


_LINEAGE_EPILOG = """\
RUN is the folder of a finished run. A run with lineage=true has recorded the parents of its members. Any other run is
repeated, which takes as long as the run itself, and its recorded generations are compared. The champion's line goes
back from each member to the parent with which it shares more genes. A gain is a difference of exact win probabilities
against the optimum: by selection, the parents' mean minus the population's; by crossover, the child before mutation
minus its parents' mean; by mutation, the child after mutation minus before it.
"""

MOST_LISTED = 12
ROUNDING = 1e-12
SIZE, POPULATIONS = 100, 60
"""The size, and the number, of the populations in which the run's selection is measured."""


@purpose("Runs")
@click.command(epilog=_LINEAGE_EPILOG)
@click.argument("run", type=PATH)
@click.option("--to", type=NewFile("lineage.png"),
              help="Draw the champion's line, the gains and the ancestors to this file (png, pdf or svg).")  # fmt: skip
@click.option(
    "--tournament",
    type=NewFile("champions.png"),
    help="Draw champion against champion, the master tournament, to this file.",
)
@click.option("--champions", type=click.IntRange(2, 300), default=40, show_default=True,
              help="Largest number of recorded champions to play against each other, evenly spread.")  # fmt: skip
@code_options()
@json_option
def lineage_command(run: Path, to: Path | None, tournament: Path | None, champions: int, as_json: bool) -> None:
    """Show the ancestors of a run's champion.

    Also the gain by each operator, and the run's champions against each other.
    """
    refuse_picture(to)
    refuse_picture(tournament)
    from pigevo.figures.lineage import lineage_data, plot_lineage
    from pigevo.runs.load import lineage_of, load_run

    finished = load_run(run)
    if tournament is not None and len(finished.champions) < 2:
        raise InputError(
            f"{run} has recorded {counted(len(finished.champions), 'champion')}, and --tournament draws at least two "
            "against each other: leave it out."
        )
    if finished.result is not None and not finished.lineage.recorded:
        again, took = counted(finished.result["generations"], "generation"), finished.result["seconds"]
        remark(
            f"pigevo: the run was made without lineage=true, so its {again} are made again, which took it {took:.1f} s"
        )
    lineage = lineage_of(run, available_cores())
    member = champion_member(finished)
    data, played = lineage_data(lineage, member), master(finished, champions)
    record: JsonObject = {
        "run": str(run),
        "line": [
            {"generation": number, "member": ancestor, "value": value}
            for (number, ancestor), value in zip(lineage.ancestors(member)[::-1], data.values.tolist(), strict=True)
        ],
        "generations": data.generations.tolist(),
        "ancestors": data.lines.tolist(),
        "gains": gains(lineage),
        "change": float(data.mean[-1] - data.mean[0]),
        "champions": list(played.generations) if played else [],
        "matrix": played.matrix.tolist() if played else [],
        "referee": played.referee.tolist() if played else [],
        "earlier_wins": [list(pair) for pair in played.lost] if played else [],
        "cycles": len(played.cycles) if played else 0,
        "selection": pressure(finished),
    }
    if to is not None:
        record["picture"] = save_picture(to, plot_lineage(data))
    if tournament is not None and played:
        from pigevo.figures.matrices import plot_master_tournament

        record["tournament"] = save_picture(tournament, plot_master_tournament(played))
    show(record, describe_lineage(record), as_json)


def champion_member(run: Run) -> int:
    """The champion's index in the last population; in runs without a record of it, the first member with its genes."""
    assert run.result is not None
    if "champion_member" in run.result:
        return int(run.result["champion_member"])
    return next(n for n, strategy in enumerate(run.population) if strategy == run.champion)


def master(run: Run, most: int) -> MasterTournament | None:
    """At most `most` recorded champions, evenly spread, against each other; None if there are fewer than two."""
    import numpy as np

    from pigevo.figures.matrices import master_tournament_data

    numbers = list(run.champions)
    if len(numbers) < 2:
        return None
    chosen = [numbers[n] for n in np.unique(np.linspace(0, len(numbers) - 1, most).round().astype(int))]
    return master_tournament_data(chosen, [run.champions[number] for number in chosen])


def pressure(run: Run) -> JsonObject | None:
    """The pressure of the run's selection alone; None if it keeps a memory, or needs code that may not run."""
    from pigevo.evolution.operators import remembers
    from pigevo.evolution.selection_pressure import selection_pressure

    try:
        settings = run.settings
    except CodeNotRun as error:
        remark(f"pigevo: the selection is not measured: {error}")
        return None
    chosen, plan = settings.choices["selection"], settings.plan
    if remembers(plan.selection):
        return None
    measured = selection_pressure(plan.selection, plan.waves[0].grid, SIZE, POPULATIONS)
    return {"name": chosen.label, "size": SIZE, **asdict(measured)}


def gains(lineage: Lineage) -> list[JsonObject]:
    """The mean gain in a generation by each operator, and the effects of crossover and mutation on children.

    `better` and `worse` are the shares of children that the operator improved or worsened by more than rounding.
    """
    import numpy as np

    from pigevo.evolution.lineage import OPERATORS

    recorded = lineage.recorded[1:]
    brought = np.array([generation.gains for generation in recorded]).reshape(-1, len(OPERATORS))
    children = np.concatenate([np.empty((0, 2)), *(generation.children for generation in recorded)])
    rows = []
    for n, name in enumerate(OPERATORS):
        row: JsonObject = {"operator": name, "mean": float(brought[:, n].mean()) if len(brought) else None}
        if name in ("crossover", "mutation") and len(children):
            effects = children[:, n - 1]
            row |= {"better": float((effects > ROUNDING).mean()), "worse": float((effects < -ROUNDING).mean())}
            row |= {"best": float(effects.max()), "worst": float(effects.min())}
        rows.append(row)
    return rows


def describe_lineage(record: JsonObject) -> str:
    """The lineage as text."""
    line, every = record["line"], -(-len(record["line"]) // MOST_LISTED)
    steps = sorted({*range(0, len(line), every), len(line) - 1})
    first = line[0]["generation"]
    lines = [
        f"{record['run']}: the champion's line, from nearest parent to nearest parent, back to generation {first}",
        *(["  (there a member without parents joined the population)"] if first else []),
        "",
        "  generation    member    against the optimum",
        *(f"  {line[n]['generation']:>10,}    {line[n]['member']:>6,}    {line[n]['value']:>19.4f}" for n in steps),
        "",
        f"  mean gain of a generation by each operator, in {len(record['generations']) - 1:,} recorded generations",
        f"  {'operator':9}  {'mean':>9}  {'better':>7}  {'worse':>7}  {'best child':>10}  {'worst child':>11}",
        *(_row(row) for row in record["gains"] if row["mean"]),
        "",
        f"  {_meeting(record)}",
    ]
    if record["champions"]:
        n, earlier = len(record["champions"]), len(record["earlier_wins"])
        lines += wrapped(
            f"Of {n} champions, each against each, an earlier one beats a later one in {earlier} of "
            f"{n * (n - 1) // 2} pairs; {counted(record['cycles'], 'cycle')} of three."
        )
    if record["selection"]:
        lines += ["", *_pressure(record["selection"])]
    lines += [f"{name:11}{record[name]}" for name in ("picture", "tournament") if name in record]
    return "\n".join(lines)


def _row(row: JsonObject) -> str:
    more = ""
    if "better" in row:
        better, worse = (f"{100 * row[name]:5.1f} %" for name in ("better", "worse"))
        more = f"  {better}  {worse}  {row['best']:+10.4f}  {row['worst']:+11.4f}"
    return f"  {row['operator']:9}  {row['mean']:+9.5f}{more}"


def _pressure(selection: JsonObject) -> list[str]:
    """The intensity and the takeover time of the run's selection, each beside the textbook value."""
    intensity, takeover = selection["textbook_intensity"], selection["textbook_takeover"]
    by_textbook = "" if intensity is None else f" ({intensity:.3f} by the textbook)"
    took = "never takes over"
    if selection["takeover"] is not None:
        took = f"takes over after {selection['takeover']:.1f} generations"
        took += f" ({takeover})" if takeover is not None else ""
        took += f", in {percent(1 - selection['lost'])} of the populations" if selection["lost"] else ""
    return [
        f"  {selection['name']} by itself, in a population of {selection['size']} whose scores are known exactly:",
        f"  its intensity is {selection['intensity']:.3f}{by_textbook}, and the best {took}.",
    ]


def _meeting(record: JsonObject) -> str:
    """A sentence about the last generation that has a common ancestor of the whole last population."""
    ancestors = zip(record["generations"], record["ancestors"], strict=True)
    common = [generation for generation, count in ancestors if count <= 1]
    if common:
        return f"All lines of the last population go through one member of generation {max(common):,}."
    return f"The lines of the last population go back to {record['ancestors'][0]:,} members of the first."
