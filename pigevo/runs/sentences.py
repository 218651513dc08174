"""What a finished run found, in two sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SMALLEST_LOSS = 0.0005
"""A loss that shows when it is told in points with one decimal."""


def sentences(record: Mapping[str, Any]) -> tuple[str, str]:
    """What the champion wins, beside what random search finds; and how the population fared.

    Args:
        record: the content of `result.json`.
    """
    return _champion(record), _population(record)


def with_cubes(size: str) -> str:
    """Cubes of one size, as a sentence goes on with them."""
    return " with single cells" if size == "1" else f" with cubes of {size}"


def _champion(record: Mapping[str, Any]) -> str:
    won = f"The champion wins {_percent(record['champion']['overall'])} against the optimal strategy"
    searches = (record["baseline"] or {}).get("random_search", ())
    if not searches:
        return f"{won}; 50 % is the best there is."
    first, *others = searches
    found = f"one that wins {_percent(first['by_matches'])}"
    for other in others:
        own = f"{_percent(other['by_matches'])}{with_cubes(other['cubes'])}, the champion's own"
        found += f"{with_cubes(first['cubes'])}, and {own}"
    return (
        f"{won}; 50 % is the best there is. Random search, {_drawn(first, record)} and the same matches, finds {found}."
    )


def _drawn(search: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    whole = search["strategies"] >= record["evaluations"]
    return "with as many strategies" if whole else f"with {search['strategies']:,} strategies"


def _population(record: Mapping[str, Any]) -> str:
    lost = record["peak_mean"] - record["last_mean"]
    when = f"in generation {record['peak_generation']} of {record['generations']}"
    if lost < SMALLEST_LOSS:
        return f"The population was best {when}, and has kept what it found."
    won = _percent(record["peak_mean"])
    return f"The population was best {when}, when it won {won} on average; it has lost {100 * lost:.1f} points since."


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
