"""What a strategy does, in words: the readable form of `pigevo show`, and of a strategy in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pigevo.core.text import percent

SHOWN_RANGES = 3
"""Ranges of turn totals that are listed; of more only their number is told."""

OFTEN = 0.05
"""Of the decisions in play; of which more are above a hold, no hold value describes."""

SMALL = 1e-9
"""Below which a figure is nothing but rounding."""


def describe(record: Mapping[str, Any]) -> str:
    """What `pigevo show` found, as lines to read."""
    strategies, beside = record["strategies"], record["beside"]
    first = strategies[0]
    lines = [f"{first['name']} in {first['game']}", "", *_holds(strategies), "", tendency(first), ""]
    for one in strategies:
        lines += _figures(one, beside if one is first else None)
    if record.get("picture"):
        lines += ["", f"picture           {record['picture']}"]
    elif record.get("why"):
        lines += ["", f"no picture: {record['why']}"]
    return "\n".join(lines)


def tendency(one: Mapping[str, Any]) -> str:
    """One sentence about how the scores change what a strategy does."""
    ahead, behind = (_hold(one["holds"], place) for place in ("ahead", "behind"))
    totals = {hold["first"] for hold in one["holds"] if not hold["wins"]}
    if one["chance"]:
        return f"Chance decides in {percent(one['chance'])} of its cells; they count as rolls here."
    if one["gap_decisions"] > OFTEN:
        return "It rolls again above its holds so often that no hold value describes it."
    if totals <= {None}:
        return "It never holds at these scores: it rolls until it has won."
    if len(totals) == 1:
        return f"It holds at {totals.pop()} at all of these scores, unless that wins."
    if ahead["wins"] or behind["wins"]:
        return "Where it holds depends on the scores."
    if ahead["first"] == behind["first"] is None:
        return "At these scores ahead and behind it rolls until it has won; at others it may hold."
    if ahead["first"] == behind["first"]:
        return f"At these scores it holds at {ahead['first']} both ahead and behind."
    return f"It rolls further when {'behind' if _total(behind) > _total(ahead) else 'ahead'}."


def _hold(holds: list[Mapping[str, Any]], place: str) -> Mapping[str, Any]:
    return next(hold for hold in holds if hold["place"] == place)


def _total(hold: Mapping[str, Any]) -> float:
    return float("inf") if hold["first"] is None else float(hold["first"])


def _holds(strategies: list[Mapping[str, Any]]) -> list[str]:
    """A table: where each strategy first holds, with what it does above that turn total below the table."""
    names = [one["name"] for one in strategies]
    widths = [max(len(name), len("rolls on")) + 1 for name in names]
    heads = [f"{hold['place']}, {place_in_words(hold['at'])}" for hold in strategies[0]["holds"]]
    edge = max(map(len, heads)) + 2
    head = "".join(f"{name:>{width + 2}}" for name, width in zip(names, widths, strict=True))
    lines = [f"{'first holds at':{edge}}{head}"]
    notes: list[str] = []
    for number, place in enumerate(heads):
        cells = ""
        for one, width in zip(strategies, widths, strict=True):
            hold = one["holds"][number]
            if hold["again"]:
                notes.append(f"  * {one['name']} {hold['place']}: {_again(hold)}")
            cells += f"{hold_in_words(hold):>{width + 1}}{'*' if hold['again'] else ' '}"
        lines.append(f"  {place:{edge - 2}}{cells}".rstrip())
    return [*lines, *notes]


def place_in_words(at: Mapping[str, int]) -> str:
    """The scores of a place: `50 against 50`, or in a game of turns `5 left, lead 20`."""
    if "left" not in at:
        return f"{at['own']} against {at['opponent']}"
    rest = f"{at['own']} against {at['opponent']}" if "own" in at else f"lead {at['difference']}"
    return f"{at['left']} left, {rest}"


def hold_in_words(hold: Mapping[str, Any]) -> str:
    """Where a strategy first holds at a place, as a cell of a table."""
    return "rolls on" if hold["first"] is None else "passes" if hold["first"] == 0 else str(hold["first"])


def _again(hold: Mapping[str, Any]) -> str:
    """Where a strategy rolls above the total at which it first holds."""
    ranges = _ranges(hold)
    if len(ranges) > SHOWN_RANGES:
        return f"holds at {hold['first']}, and rolls again in {len(ranges)} ranges above it, the first {ranges[0]}"
    return f"holds at {hold['first']}, and rolls again at {', '.join(ranges)}"


def ranges_in_words(hold: Mapping[str, Any]) -> str:
    """The same as a cell of a table: `20 to 29, 35`."""
    ranges = _ranges(hold)
    return f"{ranges[0]} and {len(ranges) - 1} more" if len(ranges) > SHOWN_RANGES else ", ".join(ranges)


def _ranges(hold: Mapping[str, Any]) -> list[str]:
    return [str(low) if low == high else f"{low} to {high}" for low, high in hold["again"]]


def _figures(one: Mapping[str, Any], beside: Mapping[str, Any] | None) -> list[str]:
    lines = [
        one["name"],
        f"  wins            {one['overall']:.6f}   against the optimum, exactly: {one['first']:.6f} moving first, "
        f"{one['second']:.6f} second",
    ]
    if one["exploitability"] is not None:
        value = max(one["exploitability"], 0.0) if one["exploitability"] > -SMALL else one["exploitability"]
        lines.append(f"  exploitability  {value:z.6f}   its best response wins {one['best_response']:.6f}")
    elif one["best_response"] is not None:
        lines.append(f"  best response   {one['best_response']:.6f}   is what it wins")
    if beside is not None:
        seats = f"exactly: {beside['first']:.6f} moving first, {beside['second']:.6f} second"
        otherwise = f"{percent(beside['decisions'])} of its decisions in play, {percent(beside['cells'])} of all cells"
        lines += [
            f"  beside          {beside['other']}: decides otherwise in {otherwise},",
            f"                  and wins {beside['overall']:.6f} against it, {seats}",
        ]
    if one["chance"]:
        lines.append(f"  chance          decides in {percent(one['chance'])} of its cells")
    if not one["gap_places"]:
        return [*lines, "  gaps            none: above the total at which it first holds it always holds"]
    return [
        *lines,
        f"  gaps            at {percent(one['gap_places'])} of the scores it rolls again above a hold, so that "
        "`first holds at` misleads;",
        f"                  {percent(one['gap_decisions'])} of its decisions in play are such",
    ]


def describe_choices(record: Mapping[str, Any]) -> str:
    """The choices at one pair of scores, as lines to read."""
    rows = record["choices"]
    lines = [
        f"{record['a']} against {record['b']} in {record['game']}, {record['own']} to {record['opponent']}",
        "",
        "  turn total   it does       rolling     holding     better    loses       how often in a game",
    ]
    for row in rows:
        better = "same" if abs(row["roll"] - row["hold"]) < SMALL else "roll" if row["roll"] > row["hold"] else "hold"
        does = {0.0: "holds", 1.0: "rolls"}.get(row["chance"], f"rolls {100 * row['chance']:.0f} %")
        loses = f"{row['loses']:.6f}" if row["loses"] > SMALL else "-"
        worth = f"{row['roll']:.6f}    {row['hold']:.6f}    {better}"
        lines.append(f"  {row['total']:10d}   {does:12}  {worth}      {loses:8}    {_visits(row['visits'])}")
    if not rows:
        lines.append("  there is nothing to choose: the first roll ends the game")
    wins = f"win probabilities of {record['a']}, which plays on as it does after this one choice"
    return "\n".join([*lines, "", f"rolling and holding: {wins}"])


def _visits(often: float) -> str:
    if often >= 0.01:
        return f"{often:.3f} times"
    return f"1 in {1 / often:,.0f}" if often > 1e-12 else "never"
