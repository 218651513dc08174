"""The faces of results: win probabilities, matches, tournaments, and what three players win."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.web.notebook.parts import WIDE, card, paragraph, table

if TYPE_CHECKING:
    from pigevo.exact import WinProbability
    from pigevo.simulation.match import Match
    from pigevo.three_player.solution import ThreeSolution
    from pigevo.tournaments.result import Ranked, Tournament

MOST_DRAWN = 200
"""Strategies of the largest matrix that is drawn."""

NEXT_TO_NOTHING = 0.0005
"""A share of a mixture that shows as nothing."""


def chances_face(p: WinProbability) -> dict[str, str]:
    """Both seats, with stalemates and draws where there are any."""
    pairs = [
        ("wins", p.first, p.second),
        ("stalemate", p.stalemate_first, p.stalemate_second),
        ("draw", p.draw_first, p.draw_second),
    ]
    rows = [
        (name, f"{first:.6f}", f"{second:.6f}", f"{(first + second) / 2:.6f}")
        for name, first, second in pairs if name == "wins" or first or second
    ]  # fmt: skip
    known = f"Each is right to {p.error:.2g}." if p.error else ""
    return card("Win probability, exact", table(("", "moving first", "moving second", "overall"), rows),
                paragraph(known))  # fmt: skip


def match_face(match: Match) -> dict[str, str]:
    """How many games ended how, and the win rate with its interval."""
    low, high = match.interval(0.95)
    counts = {
        "wins": match.wins,
        "losses": match.losses,
        "draws": match.draws,
        "stalemates": match.stalemates,
        "unfinished": match.unfinished,
    }
    rows = [(name, f"{count:,}") for name, count in counts.items() if count or name in ("wins", "losses")]
    return card(
        f"A match of {match.games:,} games",
        table(("", "games"), rows),
        paragraph(f"Win rate {match.win_rate:.4f}, 95 % interval {low:.4f} to {high:.4f}."),
    )


def tournament_face(found: Tournament) -> dict[str, str]:
    """The ranking beside the matrix."""
    from pigevo.figures.axes import figure_of
    from pigevo.figures.tournament import plot_tournament

    how = "exact win probabilities" if found.games is None else f"{found.games:,} games a pair, 95 % intervals"
    order = "Who beats a strategy beats all that it beats." if found.transitive else (
        f"{len(found.cycles):,} times three strategies beat each other in a circle."
    )  # fmt: skip
    shares = sorted(((one.share, one.name) for one in found.ranking if one.share > NEXT_TO_NOTHING), reverse=True)
    mixture = ", ".join(f"{name} {share:.3f}" for share, name in shares[:5])
    rows = [(place, *_ranked(one)) for place, one in enumerate(found.ranking, start=1)]
    failed = [f"{file} did not play: {why}" for file, why in found.failed[:5]]
    return card(
        f"{len(found.names):,} strategies in {found.game}: {how}",
        table(("rank", "strategy", "mean", "beats", "loses", "rating"), rows, "see .ranking"),
        paragraph(order, f"Nash mixture: {mixture}{', ...' if len(shares) > 5 else ''}."),
        *map(paragraph, failed),
        picture=figure_of(plot_tournament(found.names, found.overall)) if len(found.names) <= MOST_DRAWN else None,
        width=WIDE,
    )


def three_face(solution: ThreeSolution) -> dict[str, str]:
    """What each seat wins, and where choices are mixed."""
    first, second, third = (f"{value:.6f}" for value in solution.value)
    known = vars(solution).get("certificate")  # as long to compute as the solution; so if it was, already
    gain = f"By leaving it nobody gains more than {known.gain:.2g} at any state." if known else (
        "Its method exploitability() says how much a player could gain by leaving it."
    )  # fmt: skip
    states = [(*map(str, state), f"{chance:.6f}") for state, chance in solution.mixed]
    head = ("mover needs", "next needs", "third needs", "turn total", "rolls")
    return card(
        f"An equilibrium of {solution.game} for three players",
        table(("", "first", "second", "third"), [("wins, exactly", first, second, third)]),
        paragraph(f"Orbits without a pure equilibrium: {len(solution.without_pure)}.", gain),
        table(head, states, "see .mixed") if states else "",
    )


def _ranked(one: Ranked) -> tuple[str, str, int, int, str]:
    mean = f"{one.mean:.6f}"
    if one.low is not None and one.high is not None:
        mean = f"{one.mean:.4f} ({one.low:.4f} to {one.high:.4f})"
    return one.name, mean, one.beats, one.loses, f"{one.rating:+.3f}"
