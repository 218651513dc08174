"""The faces of strategies: where they first hold, and what they win."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from pigevo.core.text import percent
from pigevo.figures.words import hold_in_words, place_in_words, ranges_in_words, tendency
from pigevo.web.notebook.parts import card, drawn, paragraph, table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pigevo.exact import Solution
    from pigevo.figures.character import Character, Hold
    from pigevo.strategies import Strategy

MOST_CELLS = 8_000_000
"""Cells of the largest strategy that is drawn and solved unasked: Pig to 200, in about a second."""


def strategy_face(strategy: Strategy) -> dict[str, str]:
    """What `pigevo show` says, beside the map of where it first holds."""
    from pigevo.figures.character import character_data

    if strategy.game.cells > MOST_CELLS:
        return _too_large(strategy)
    found = character_data(strategy)
    picture, why = drawn(_map, strategy)
    return card(
        f"{found.name} in {found.game}",
        paragraph(tendency(asdict(found)), _figures(found)),
        _seats(found.first, found.second, found.overall, "wins against the optimum, exactly"),
        _holds(found.holds),
        paragraph(_gaps(found), why),
        picture=picture,
    )


def solution_face(solution: Solution) -> dict[str, str]:
    """The win probabilities of a strategy that is best, beside its map."""
    from pigevo.figures.character import hold_data

    strategy = solution.strategy
    head = f"{strategy.name} in {strategy.game}"
    known = f"Each is right to {solution.error:.2g}." if solution.error else ""
    seats = _seats(solution.value, solution.second, solution.overall, "wins, exactly")
    if strategy.game.cells > MOST_CELLS:
        return card(head, seats, paragraph(known))
    picture, why = drawn(_map, strategy)
    return card(head, seats, _holds(hold_data(strategy)), paragraph(known, why), picture=picture)


def _map(strategy: Strategy) -> Figure:
    from pigevo.figures.axes import figure_of
    from pigevo.figures.portrait import plot_portrait, portrait_data

    return figure_of(plot_portrait(portrait_data([strategy]), "map"))


def _too_large(strategy: Strategy) -> dict[str, str]:
    said = f"A strategy of {strategy.game.cells:,} cells takes a while to solve and to draw: pigevo show does both."
    return card(repr(strategy), paragraph(said))


def _figures(found: Character) -> str:
    won = f"It wins {percent(found.overall)} of its games against the optimum"
    if found.best_response is None:
        return f"{won}."
    return f"{won}, and the strategy that does best against it wins {percent(found.best_response)}."


def _seats(first: float, second: float, overall: float, what: str) -> str:
    head = ("", "moving first", "moving second", "overall")
    return table(head, [(what, f"{first:.6f}", f"{second:.6f}", f"{overall:.6f}")])


def _holds(holds: tuple[Hold, ...]) -> str:
    told = [asdict(one) for one in holds]
    rows = [(one["place"], place_in_words(one["at"]), hold_in_words(one), ranges_in_words(one)) for one in told]
    columns = 4 if any(one["again"] for one in told) else 3
    head = ("", "scores", "first holds at", "rolls again at")
    return table(head[:columns], [row[:columns] for row in rows])


def _gaps(found: Character) -> str:
    if not found.gap_places:
        return ""
    return (
        f"At {percent(found.gap_places)} of the scores it rolls again above a hold, so that the map misleads there; "
        f"{percent(found.gap_decisions)} of its decisions in play are such."
    )
