"""`pigevo people FILE.csv`: what recorded games say about who played them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import game_options, json_option, show
from pigevo.core.text import counted, percent
from pigevo.games import Game

if TYPE_CHECKING:
    from pigevo.people import Analysis, Habits
    from pigevo.people.costs import Cost
    from pigevo.people.habits import HoldValue

MOST_TOLD = 12
"""Costly turns of a player that the readable form lists, the dearest."""

_EPILOG = """\
FILE.csv has a row for each turn, with the columns game, player, turn, rolls and banked, and, if known, preference
(averse, neutral or seeking), dice (as 4 6 1), seat, score, question_2 and question_3: docs/people.md describes them.
"""


@click.command(epilog=_EPILOG)
@click.argument("file", metavar="FILE.csv")
@game_options
@json_option
def command(file: str, game: Game, as_json: bool) -> None:
    """What games that people have played say about them."""
    from pigevo.people import analyse, read_people

    found = analyse(read_people(file, game))
    show(as_record(found), describe(found), as_json)


def as_record(found: Analysis) -> dict[str, Any]:
    """The analysis as plain values."""
    players = [{**asdict(one), "costly": [_costly(turn) for turn in one.costly]} for one in found.players]
    courses = {preference: asdict(course) for preference, course in found.by_preference.items()}
    return {"game": str(found.game), "neutral": found.neutral, "players": players, "by_preference": courses}


def _costly(one: Any) -> dict[str, Any]:
    return {"game": one.game, **asdict(one.turn), "cost": asdict(one.cost)}


def describe(found: Analysis) -> str:
    """The analysis as lines to read."""
    low, high = found.neutral
    lines = [f"{found.game}; who is neutral to risk holds at {low}" + (f" or {high}" if high > low else "")]
    for one in found.players:
        lines += ["", *_lines(one)]
    if found.by_preference:
        lines += ["", "points a turn, by stated preference"]
        lines += [
            f"  {preference:8s} {_points(course.slope)}, and {_points(course.mean_slope)} of the mean scores"
            for preference, course in found.by_preference.items()
        ]
    return "\n".join(lines)


def _lines(one: Habits) -> list[str]:
    person, refused = one.person, one.refused
    lines = [f"{person.name}: {counted(one.games, 'game')}, {counted(one.turns, 'turn')}"]
    lines += [f"  score by turn   {' '.join(map(str, scores))}" for scores in one.course.scores[:3]]
    if len(one.course.scores) > 3:
        lines.append(f"                  and of {len(one.course.scores) - 3} games more")
    lines.append(f"  slope           {_points(one.course.slope)} points a turn")
    lines.append(f"  hold value      {_hold(one.hold)}")
    answered = f"; the answers 2 and 3 are {one.answered}" if one.answered else ""
    lines.append(
        f"  preference      stated {person.preference or 'none'}, suggested {one.suggested or 'none'}{answered}"
    )
    if one.cost is None:
        lines.append(f"  cost            {refused['cost']}")
    else:
        lines.append(f"  cost            {_cost(one.cost)} in {counted(one.judged, 'turn')} against the optimum")
        dearest = sorted(one.costly, key=lambda turn: -turn.cost.mean)
        lines += [_turn_line(turn) for turn in dearest[:MOST_TOLD]]
        if len(dearest) > MOST_TOLD:
            lines.append(f"    and {counted(len(dearest) - MOST_TOLD, 'cheaper turn')} more (--json lists all)")
    if one.behind is None:
        lines.append(f"  when behind     {refused['behind']}")
    else:
        risk = {"more": "more risk", "less": "less risk", "open": "open"}[one.behind.verdict]
        lines.append(
            f"  when behind     {risk}: holds at {_hold(one.behind.behind)}, otherwise at "
            f"{_hold(one.behind.otherwise)}; p = {one.behind.p:.3f}"
        )
    if one.following is None:
        lines.append(f"  the other one   {refused['following']}")
    else:
        said = one.following
        lines.append(
            f"  the other one   {said.verdict}: correlation of rolls {said.correlation:+.2f} over "
            f"{said.turns} turns, p = {said.p:.3f}"
        )
    return lines


def _turn_line(one: Any) -> str:
    turn, cost = one.turn, one.cost
    done = f"banked {turn.banked}" if turn.banked else "lost the turn" if turn.rolls else "passed"
    sure = "" if cost.differed > 1 - 1e-9 else f", if it differed at all ({percent(cost.differed, 0)})"
    return (
        f"    {_cost(cost)}   game {one.game}, turn {turn.number}: at {turn.own} to {turn.opponent} "
        f"{counted(turn.rolls, 'roll')}, {done}{sure}"
    )


def _cost(cost: Cost) -> str:
    between = f" ({cost.least:.4f} to {cost.most:.4f})" if cost.most - cost.least > 1e-9 else ""
    return f"{cost.mean:.4f}{between}"


def _hold(value: HoldValue | None) -> str:
    if value is None:
        return "no decision to go by"
    little = f", from {counted(value.turns, 'turn')}: too few to tell much" if value.tells_little else ""
    return f"{value.value} ({value.low} to {value.high}{little})"


def _points(slope: float | None) -> str:
    return "none" if slope is None else f"{slope:.2f}"
