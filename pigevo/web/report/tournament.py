"""The report of a tournament: one page to project in class, and to print."""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.text import counted, percent
from pigevo.figures.matrices import color_spread
from pigevo.tournaments.entries import failure_texts
from pigevo.tournaments.result import Tournament
from pigevo.web.html import Html, Part, note, paragraph, section, table, tag

MOST_CELLS = 24
"""The largest number of strategies whose matrix fits on a page."""

SHADES = 5
"""The number of shades for winning more often than half of the games, and as many for winning less often."""

MEANINGS = {
    "strategy": "A rule that says in every position of the game whether to roll or to hold.",
    "i, j, k": "A position: the banked score of the player, that of the opponent, and the points at risk in this turn.",
    "optimal": "The strategy that no other one beats. It is computed, and takes part to compare with.",
    "rank": (
        "1 for the largest share of wins. Strategies that win equally often share a rank, and the next one is left "
        "out: 1, 2, 2, 4. As all opponents count, a strategy may stand above one that beats it."
    ),
    "wins": "How often the strategy wins: the mean over all opponents, moving first in half of the games.",
    "beats, loses to": "The number of other strategies against which it wins more, or less, than half of the games.",
    "wins a round robin": (
        "The chance to win a league in which everyone has a match with everyone, estimated from leagues whose games "
        "are drawn by lot with the computed chances. None: it won none of these."
    ),
    "wins a knockout": (
        "The chance to win a cup in which who loses a match is out, estimated from cups that are drawn by lot."
    ),
}


def tournament_report(played: Tournament, title: str = "A tournament") -> list[Html]:
    """The parts of the report of a tournament."""
    how = "exact win probabilities" if played.games is None else f"{played.games:,} games of each pair"
    about = f"{_strategies(len(played.names))} in {played.game}, every one against every other: {how}"
    parts = [
        tag("header", tag("h1", title), tag("p", f"{about}.", class_="about")),
        section("What was found", *map(paragraph, _findings(played)), name="found"),
        section("Ranking", *_ranking(played), name="ranking"),
        section("Who beats whom", *_matrix(played), name="matrix"),
    ]
    reasons = [tag("li", text) for text in failure_texts([*played.failed, *played.passed_over], played.names)]
    failed, passed_over = reasons[: len(played.failed)], reasons[len(played.failed) :]
    if failed:
        parts.append(section("Left out", paragraph("These gave no strategy:"), tag("ul", failed), name="failed"))
    if passed_over:
        about_passed_over = paragraph("These functions and files did not take part:")
        parts.append(section("Passed over", about_passed_over, tag("ul", passed_over), name="passed"))
    meanings = {word: text for word, text in MEANINGS.items() if word != "optimal" or word in played.names}
    meant = tag("dl", [[tag("dt", word), tag("dd", text)] for word, text in meanings.items()])
    return [*parts, section("What the words mean", meant, name="words")]


def _strategies(number: int) -> str:
    return "1 strategy" if number == 1 else f"{number:,} strategies"


def _findings(played: Tournament) -> list[str]:
    best, *equal = (ranked for ranked in played.ranking if ranked.rank == 1)
    if equal:
        names = " and ".join(ranked.name for ranked in (best, *equal))
        sentences = [f"The best mean is shared by {names}: they win {percent(best.mean)} of their games."]
    else:
        sentences = [
            f"The best mean is that of {best.name}: it wins {percent(best.mean)} of its games, over all opponents."
        ]
        if best.loses:
            sentences.append(f"It loses more than half of its games against {_strategies(best.loses)}.")
    if played.games is not None:
        sentences.append(
            f"These are shares of the {played.games:,} games that each pair played: "
            "the order of strategies whose intervals overlap, and a cycle, may be luck."
        )
    if played.transitive:
        sentences.append("There is no cycle: if A beats B and B beats C, then A beats C.")
    for members, _ in played.named_cycles(1):
        count = len(played.cycles)
        a, b, c = members
        cycle = f"{a} beats {b}, which beats {c}, which beats {a}"
        sentences.append(f"There {'is a cycle' if count == 1 else f'are {count:,} cycles'} of three: {cycle}.")
    sentences += [f"{sentence}." for sentence in played.alike_in_words()]
    if played.failed:
        sentences.append(f"{counted(len(played.failed), 'entrant')} did not play, see below.")
    return sentences


def _ranking(played: Tournament) -> list[Html]:
    exact = played.games is None
    interval_head = [] if exact else ["95 % interval"]
    heads = ["strategy", "rank", "wins", *interval_head, "beats", "loses to", "wins a round robin", "wins a knockout"]
    rows: list[list[Part]] = []
    for ranked in played.ranking:
        interval = []
        if ranked.low is not None and ranked.high is not None:
            interval = [f"{percent(ranked.low)} to {percent(ranked.high)}"]
        chances = [_estimated(ranked.round_robin), _estimated(ranked.knockout)]
        numbers = [str(ranked.rank), percent(ranked.mean), *interval, str(ranked.beats), str(ranked.loses), *chances]
        rows.append([ranked.name, *numbers])
    return [table(heads, rows), note(f"Matches of round robin and knockout have {played.length:,} games.")]


def _estimated(share: float) -> str:
    """A share that was estimated from some draws, in whole percent."""
    if 0 < share < 0.005 or 0.995 < share < 1:
        return f"{'less than 1' if share < 0.5 else 'more than 99'} %"
    return f"{100 * share:.0f} %" if share else "none"


def _matrix(played: Tournament) -> list[Html]:
    """The matrix in the order of the ranking, with colours that are centred on a half."""
    best = played.ranking[:MOST_CELLS]
    order = [played.names.index(ranked.name) for ranked in best]
    shades = shades_of(played.overall)
    heads = [
        tag("th", "strategy", scope="col"),
        *(tag("th", str(ranked.rank), class_="n", scope="col") for ranked in best),
    ]
    rows = [
        tag("tr", tag("th", f"{ranked.rank} {ranked.name}", scope="row"), [
            tag("td", "" if row == column else cell_text(float(played.overall[row, column])),
                class_=f"n s{shades[row, column] + SHADES}") for column in order
        ])
        for ranked, row in zip(best, order, strict=True)
    ]  # fmt: skip
    head = tag("thead", tag("tr", heads))
    left_out = len(played.names) - len(order)
    more = f" The last {left_out:,} are not shown." if left_out else ""
    strong = 100 * color_spread(played.overall) * (1 - 1 / SHADES)
    seats = "" if played.first is None else " `matrix_first.csv` has the wins when it moves first."
    text = (
        "How often the strategy of the row wins against that of the column, in percent: the mean of moving first and "
        f"moving second.{seats} Purple and bold: more than half; orange: less; the strongest colours from "
        f"{50 + strong:.1f} up and from {50 - strong:.1f} down.{more}"
    )
    return [tag("div", tag("table", head, tag("tbody", rows), class_="matrix"), class_="wide", tabindex=0), note(text)]


def cell_text(share: float) -> str:
    """A win probability in percent without its sign, which is 0 or 100 only if it is exact."""
    return (
        f"{100 * share:.0f}"
        if share in (0, 1)
        else percent(share).removesuffix(" %").replace("less than ", "<").replace("more than ", ">")
    )


def shades_of(overall: Floats) -> Ints:
    """A shade from -5 to 5 for each pair, 0 at a half."""
    differences = overall - 0.5
    scaled = np.clip(np.abs(differences) / color_spread(overall), 0, 1) * SHADES
    return (np.sign(differences) * np.ceil(scaled - 1e-9)).astype(int)
