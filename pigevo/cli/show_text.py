"""The text of `pigevo show`: decisions at typical places, quality, and the costliest places; or one pair of scores."""

from __future__ import annotations

from collections.abc import Sequence

from pigevo.cli.output import terminal_width, wrapped
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import clipped, percent, ranges_of, table
from pigevo.figures.character import SHOWN_RANGES, does_in_words, holds_table, place_in_words, range_in_words, tendency

REGIONS_IN_WORDS = (
    "last turns: a player has three quarters of the target; level: elsewhere, scores within a tenth of the target"
)
NOTES = (
    "points: percentage points of win probability against the optimum that wrong decisions there cost, exactly;",
    "together: how much less it wins than the optimum would in its place;",
    "turns there: how many of its turns in a game begin at these scores (own against opponent's)",
)
LONGEST = 30  # characters of a name in the head of a table
SMALL = 1e-9  # figures below this are rounding errors


def describe(record: JsonObject) -> str:
    """The results of `pigevo show` as text."""
    strategies, beside = record["strategies"], record["beside"]
    first = strategies[0]
    lines = [
        f"{first['name']} in {first['game']}",
        "",
        *holds_table(strategies, terminal_width()),
        "",
        *wrapped(tendency(first), ""),
        "",
    ]
    for strategy in strategies:
        lines += _figures(strategy, beside if strategy is first else None)
    lines += _dearest(first["name"], record["loss"])
    if record.get("picture"):
        lines += ["", f"picture           {record['picture']}"]
    elif record.get("why"):
        lines += ["", f"no picture: {record['why']}"]
    return "\n".join(lines)


def _dearest(name: str, loss: JsonObject | None) -> list[str]:
    """A table of where a strategy loses most against the optimum, in percentage points; empty if it loses nothing."""
    if loss is None:
        return ["", "where it loses most is not known: the game has too many states"]
    if loss["total"] <= SMALL:
        return []
    by_region = _by_region(clipped(name, LONGEST), loss["regions"], loss["total"])
    rest = loss["total"] - sum(place["cost"] for place in loss["places"])
    rows = [
        (f"  {place_in_words(place['at'])}", _points(place["cost"]), often_in_words(place["turns"]), _wrong(place))
        for place in loss["places"]
    ]
    rows += [("  all other scores", _points(rest), "", "")] if rest > SMALL else []
    rows.append(("  together", _points(loss["total"]), "", ""))
    heads = (f"where {clipped(name, LONGEST)} loses most", "points", "turns there", "decides wrongly")
    return [
        *by_region,
        "",
        *table(heads, rows, "<><<", terminal_width(), indent=""),
        *(line for note in (*NOTES, *([REGIONS_IN_WORDS] if by_region else [])) for line in wrapped(note, "", "  ")),
    ]


def _points(cost: float) -> str:
    return f"{100 * cost:.4f}"


def _by_region(name: str, regions: Sequence[JsonObject], total: float) -> list[str]:
    """A table of the loss by regions of scores, with the costliest decision of each."""
    if not regions:
        return []
    rows = []
    for region in sorted(regions, key=lambda region: -region["cost"]):
        at = region["turn_total"]
        does = f"rolls at {at}" if region["rolls"] else does_in_words(at)
        decision = f"{does}, {place_in_words(region['at'])} ({_points(region['decision_cost'])})"
        rows.append((f"  {region['name']}", _points(region["cost"]), percent(region["cost"] / total), decision))
    heads = (f"what {name} loses", "points", "share", "its costliest decision")
    return ["", *table(heads, rows, "<>><", terminal_width(), indent="")]


def _wrong(place: JsonObject) -> str:
    """The wrong decisions at a place, from the smallest turn total on, such as `rolls at 21 to 24, holds at 30`."""
    parts = [does_in_words(0)] if 0 in place["holds"] else []
    for does in sorted(("rolls", "holds"), key=lambda does: place[does][:1]):
        totals = [total for total in place[does] if total or does == "rolls"]
        ranges = [range_in_words(*ends) for ends in ranges_of(totals)]
        more = f" and {len(ranges) - SHOWN_RANGES} more ranges" if len(ranges) > SHOWN_RANGES else ""
        parts += [f"{does} at {', '.join(ranges[:SHOWN_RANGES])}{more}"] if ranges else []
    return "; ".join(parts)


def _figures(strategy: JsonObject, beside: JsonObject | None) -> list[str]:
    lines = [
        strategy["name"],
        *wrapped(
            f"{strategy['overall']:.6f}   against the optimum, exactly: {strategy['first']:.6f} moving first, "
            f"{strategy['second']:.6f} second",
            "  wins            ",
            " " * 29,
        ),
    ]
    value = strategy["exploitability"]
    if value is not None:
        value = max(value, 0.0) if value > -SMALL else value
        lines.append(f"  exploitability  {value:z.6f}   its best response wins {strategy['best_response']:.6f}")
    else:
        lines.append(f"  best response   {strategy['best_response']:.6f}   is what it wins against the strategy")
    if beside is not None:
        seats = f"exactly: {beside['first']:.6f} moving first, {beside['second']:.6f} second"
        shares = f"{percent(beside['decisions'])} of its decisions in play, {percent(beside['cells'])} of all cells"
        lines += wrapped(
            f"{beside['other']}: decides differently in {shares}, and wins {beside['overall']:.6f} against it, {seats}",
            "  beside          ",
            " " * 18,
        )
    if strategy["chance"]:
        lines.append(f"  chance          decides in {percent(strategy['chance'])} of its cells")
    if not strategy["gap_places"]:
        return [*lines, "  gaps            none: above the total at which it first holds it always holds"]
    return [
        *lines,
        *wrapped(
            f"at {percent(strategy['gap_places'])} of the scores it rolls again above a hold, so that `first holds at` "
            f"misleads; this concerns {percent(strategy['gap_decisions'])} of its decisions in play",
            "  gaps            ",
            " " * 18,
        ),
    ]


def describe_choices(record: JsonObject) -> str:
    """The choices at one pair of scores, as text."""
    rows = record["choices"]
    lines = [
        f"{record['a']} against {record['b']} in {record['game']}, {record['own']} against {record['opponent']}",
        "",
    ]
    cells = []
    for row in rows:
        gain, (wait, waits) = row["roll"] - row["hold"], ("hold", "holds") if row["total"] else ("pass", "passes")
        better = "same" if abs(gain) < SMALL else "roll" if gain > 0 else wait
        does = {0.0: waits, 1.0: "rolls"}.get(row["chance"], f"rolls {100 * row['chance']:.0f} %")
        loses = f"{row['loses']:.6f}" if row["loses"] > SMALL else "-"
        values = f"{row['roll']:.6f}", f"{row['hold']:.6f}"
        cells.append((str(row["total"]), does, *values, better, loses, often_in_words(row["visits"])))
    heads = ("turn total", "it does", "rolling", "holding", "better", "loses", "how often in a game")
    lines += table(heads, cells, "><<<<<<", terminal_width())
    if not rows:
        lines.append("  there is no choice: the first roll ends the game")
    wins = f"win probabilities of {record['a']} if it plays as usual after this one choice"
    played = "both play optimally" if record["a"] == record["b"] == "optimal" else f"{record['a']} plays {record['b']}"
    often = f"how often: turn totals that arise when {played}, whoever moves first"
    never = f"never: when {played}, no game reaches it"
    worth = "rolling and holding (at 0 a pass)" if any(row["total"] == 0 for row in rows) else "rolling and holding"
    notes = (line for note in (f"{worth}: {wins}", f"{often}; {never}") for line in wrapped(note, "", "  "))
    return "\n".join([*lines, "", *notes])


def often_in_words(often: float) -> str:
    """How often something happens in a game, such as `1.250 times`, `1 in 340` or `never`."""
    if often >= 0.01:
        return f"{often:.3f} times"
    return f"1 in {1 / often:,.0f}" if often > 1e-12 else "never"
