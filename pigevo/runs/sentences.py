"""The result of a finished run in two sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SMALLEST_LOSS = 0.0005
"""The smallest loss that is visible in percentage points with one decimal."""

ROUNDING = 1e-9


def searches_of(record: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The random searches that a finished run was compared with, from its result."""
    return record["baseline"]["random_search"] if record["baseline"] else ()


def sentences(record: Mapping[str, Any]) -> tuple[str, str]:
    """The champion's win probability compared with random search, and the population's course, as two sentences."""
    return _champion(record), _population(record)


def with_cubes(size: str) -> str:
    """The end of a sentence about cubes of one size."""
    return " with single cells" if size == "1" else f" with cubes of {size}"


def _champion(record: Mapping[str, Any]) -> str:
    won = f"The champion wins {_percent(record['champion']['overall'])} against the optimal strategy{_ceiling(record)}."
    searches = searches_of(record)
    if not searches:
        return won
    first, *others = searches
    results = f"one that wins {_percent(first['by_matches'])}"
    for other in others:
        own = f"{_percent(other['by_matches'])}{with_cubes(other['cubes'])}, the champion's own"
        results += f"{with_cubes(first['cubes'])}, and {own}"
    return f"{won} Random search, {_drawn(first, record)} and the same matches, finds {results}."


def _ceiling(record: Mapping[str, Any]) -> str:
    """The optimum's win probability against itself, the largest possible; missing in older records."""
    best = record.get("optimum_overall")
    if best is None:
        return ""
    clause = f"; {100 * best:.3g} % is the best there is"
    return clause if abs(best - 0.5) < ROUNDING else f"{clause}, as this game counts draws"


def _drawn(search: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    whole = search["strategies"] >= record["evaluations"]
    return "with as many strategies" if whole else f"with {search['strategies']:,} strategies"


def _population(record: Mapping[str, Any]) -> str:
    lost = record["peak_mean"] - record["last_mean"]
    when = f"in generation {record['peak_generation']} of {record['generations']}"
    if lost < SMALLEST_LOSS:
        return f"The population was best {when}, and has kept what it found."
    won, points = _percent(record["peak_mean"]), f"{100 * lost:.1f} percentage points"
    return f"The population was best {when}, when it won {won} on average; it has lost {points} since."


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def search_names(searches: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The label beside a curve of each random search in a record."""
    return {
        f"random search{',' + with_cubes(search['cubes']).removeprefix(' with')}, best of {search['strategies']:,}":
        search["by_matches"] for search in searches
    }  # fmt: skip
