"""The views of records in a notebook: one function for each class, found by the name of the record's class.

A view is HTML with figures for which `repr` has no room, and a picture where useful. All names in it are escaped.
Nothing here needs a display, and parts that would take long are omitted with a note.
"""

from __future__ import annotations

import base64
import io
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import CHANGES_OF_PROCESS
from pigevo.core.text import ends_of, for_shell, percent, with_interval
from pigevo.errors import InputError
from pigevo.web.html import Html, data_uri, join, tag

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pigevo.exact import Solution, WinProbability
    from pigevo.figures.character import Character, Hold
    from pigevo.runs.load import Run
    from pigevo.simulation.match import Match
    from pigevo.strategies import Strategy
    from pigevo.sweeps.load import Sweep
    from pigevo.three_player.solver import ThreeSolution
    from pigevo.tournaments.result import RankedStrategy, Tournament

MOST_ROWS = 20  # the largest number of rows of a table; of further rows only the number is given

MOST_CELLS = 8_000_000
"""The number of cells up to which a strategy is drawn and solved automatically: Pig to 200, in about a second."""

MOST_DRAWN = 200  # the number of strategies up to which a matrix is drawn
MOST_RUNS = 500  # the number of runs up to which a sweep's results are read automatically, in a second or two
MOST_FAILURES = 5  # the number of failures listed, of a tournament or a sweep
DPI = 72  # dots per inch of a picture, enough beside a table

NARROW, WIDE = "26em", "36em"
"""The width of a picture, if there is room."""

_BESIDE = "display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start"
_REST = "flex:1 1 24em;min-width:0;overflow-x:auto"


def view_of(record: object) -> dict[str, str]:
    """A record's view: `text/html`, and `image/png` in base 64 if there is a picture."""
    view = next(VIEWS[kind.__name__] for kind in type(record).__mro__ if kind.__name__ in VIEWS)
    try:
        return view(record)
    except InputError as error:  # for example a changed folder; a notebook would show the whole traceback
        return _card(repr(record), _paragraph(str(error)))


def _card(title: str, *parts: Html, picture: Figure | None = None, width: str = NARROW) -> dict[str, str]:
    content = [tag("strong", title), *parts]
    image = None if picture is None else png(picture)
    if image is None:
        return {"text/html": tag("div", content, class_="pigevo")}
    look = f"width:{width};max-width:100%;height:auto"
    panes = [tag("img", alt=title, src=data_uri(image), style=look), tag("div", content, style=_REST)]
    alone = base64.b64encode(image).decode()
    return {"text/html": tag("div", panes, class_="pigevo", style=_BESIDE), "image/png": alone}


def png(figure: Figure) -> bytes | None:
    """A figure as PNG; None if the user's matplotlib settings prevent drawing."""
    content = io.BytesIO()
    with CHANGES_OF_PROCESS, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of letters that the font lacks
        try:
            figure.savefig(content, format="png", dpi=DPI)
        except RuntimeError:  # for example `text.usetex` in a `matplotlibrc`, without LaTeX
            return None
    return content.getvalue()


def _paragraph(*sentences: str) -> Html:
    """A paragraph of plain sentences, without empty ones; empty if there are none."""
    text = join(" ".join(sentence for sentence in sentences if sentence))
    return tag("p", Html(text.replace(" %", "&nbsp;%"))) if text else Html()


def _table(head: Sequence[str], rows: Iterable[Sequence[object]], rest: str = "") -> Html:
    """A table of the first `MOST_ROWS` rows, each named by its first cell; `rest` says where all rows are."""

    def row(kind: str, cells: Sequence[object]) -> Html:
        first, *values = map(str, cells)
        return tag("tr", tag("th", first, style="text-align:left"), [tag(kind, cell) for cell in values])

    listed = list(rows)
    lines = [*([row("th", head)] if any(head) else []), *(row("td", cells) for cells in listed[:MOST_ROWS])]
    left = len(listed) - MOST_ROWS
    more = _paragraph(f"and {left:,} more{f': {rest}' if rest else ''}") if left > 0 else ""
    return join([tag("table", lines, style="white-space:nowrap"), more])


def _strategy(strategy: Strategy) -> dict[str, str]:
    from pigevo.figures.character import character_data, tendency

    if strategy.game.cells > MOST_CELLS:
        cells = f"A strategy of {strategy.game.cells:,} cells takes a while to solve and to draw"
        return _card(repr(strategy), _paragraph(f"{cells}: pigevo show does both."))
    character = character_data(strategy)
    picture, why = _map(strategy)
    return _card(
        f"{character.name} in {character.game}",
        _paragraph(tendency(asdict(character)), _fares(character)),
        _seats(("wins against the optimum, exactly", character.first, character.second, character.overall)),
        _holds(character.holds),
        _paragraph(_gaps(character), why),
        picture=picture,
    )


def _solution(solution: Solution) -> dict[str, str]:
    from pigevo.figures.character import hold_data

    strategy = solution.strategy
    head = f"{strategy.name} in {strategy.game}"
    known = f"Each is right to {solution.error:.2g}." if solution.error else ""
    seats = _seats(("wins, exactly", solution.value, solution.second, solution.overall))
    if strategy.game.cells > MOST_CELLS:
        return _card(head, seats, _paragraph(known))
    picture, why = _map(strategy)
    return _card(head, seats, _holds(hold_data(strategy)), _paragraph(known, why), picture=picture)


def _map(strategy: Strategy) -> tuple[Figure | None, str]:
    """The map of a strategy; or None and the reason why a map would be misleading."""
    from pigevo.figures.axes import figure_of
    from pigevo.figures.portrait import plot_portrait, portrait_data

    try:
        return figure_of(plot_portrait(portrait_data([strategy]), "map")), ""
    except InputError as error:
        return None, f"No picture: {error}"


def _fares(character: Character) -> str:
    won = f"It wins {percent(character.overall)} of its games against the optimum"
    return f"{won}, and the strategy that does best against it wins {percent(character.best_response)}."


def _seats(*rows: tuple[str, float, float, float]) -> Html:
    cells = [(name, *(f"{figure:.6f}" for figure in figures)) for name, *figures in rows]
    return _table(("", "moving first", "moving second", "overall"), cells)


def _holds(holds: tuple[Hold, ...]) -> Html:
    from pigevo.figures import FIRST_IN_ROUND
    from pigevo.figures.character import hold_in_words, place_in_words, ranges_in_words
    from pigevo.games.game import SECOND

    records = [asdict(hold) for hold in holds]
    rows = [
        (record["place"], place_in_words(record["at"]), hold_in_words(record), ranges_in_words(record))
        for record in records
    ]
    seat = _paragraph(FIRST_IN_ROUND) if SECOND in holds[0].at else ""
    columns = 4 if any(record["again"] for record in records) else 3
    head = ("", "scores", "first holds at", "rolls again at")
    return join([_table(head[:columns], [row[:columns] for row in rows]), seat])


def _gaps(character: Character) -> str:
    if not character.gap_places:
        return ""
    return (
        f"At {percent(character.gap_places)} of the scores it rolls again above a hold, so that the map misleads "
        f"there; this concerns {percent(character.gap_decisions)} of its decisions in play."
    )


def _win_probability(p: WinProbability) -> dict[str, str]:
    pairs = [
        ("wins", p.first, p.second),
        ("stalemate", p.stalemate_first, p.stalemate_second),
        ("draw", p.draw_first, p.draw_second),
    ]
    rows = [(name, a, b, (a + b) / 2) for name, a, b in pairs if name == "wins" or a or b]
    known = f"Each is right to {p.error:.2g}." if p.error else ""
    return _card("Win probability, exact", _seats(*rows), _paragraph(known))


def _match(match: Match) -> dict[str, str]:
    low, high = match.interval(0.95)
    names = ("wins", "losses", "draws", "stalemates", "unfinished")
    counts = {name: getattr(match, name) for name in names}
    rows = [(name, f"{count:,}") for name, count in counts.items() if count or name in ("wins", "losses")]
    rate = f"Win rate {match.win_rate:.4f}, 95 % interval {low:.4f} to {high:.4f}."
    return _card(f"A match of {match.games:,} games", _table(("", "games"), rows), _paragraph(rate))


def _tournament(tournament: Tournament) -> dict[str, str]:
    from pigevo.figures.axes import figure_of
    from pigevo.figures.matrices import plot_tournament
    from pigevo.tournaments import LEAST_SHOWN
    from pigevo.tournaments.entries import failure_texts

    games, few = tournament.games, len(tournament.names) <= MOST_DRAWN
    how = "exact win probabilities" if games is None else f"{games:,} games a pair, 95 % intervals"
    order = "If A beats B and B beats C, then A beats C." if tournament.transitive else (
        f"{len(tournament.cycles):,} times three strategies beat each other in a circle."
    )  # fmt: skip
    shares = sorted(
        ((ranked.share, ranked.name) for ranked in tournament.ranking if ranked.share > LEAST_SHOWN), reverse=True
    )
    mixture = ", ".join(f"{name} {share:.3f}" for share, name in shares[:5])
    rows = [_ranked(ranked) for ranked in tournament.ranking]
    return _card(
        f"{len(tournament.names):,} strategies in {tournament.game}: {how}",
        _table(("rank", "strategy", "mean", "beats", "loses", "rating"), rows, "see .ranking"),
        _paragraph(order, f"Nash mixture: {mixture}{', ...' if len(shares) > 5 else ''}."),
        *(_paragraph(f"Did not play: {text}.") for text in failure_texts(tournament.failed)[:MOST_FAILURES]),
        *(_paragraph(f"Passed over: {text}.") for text in failure_texts(tournament.passed_over)[:MOST_FAILURES]),
        *([_paragraph(f"Sandbox: {tournament.sandbox_gaps}.")] if tournament.sandbox_gaps else []),
        picture=figure_of(plot_tournament(tournament.names, tournament.overall)) if few else None,
        width=WIDE,
    )


def _ranked(ranked: RankedStrategy) -> tuple[int, str, str, int, int, str]:
    mean = with_interval(ranked.mean, ranked.low, ranked.high)
    return ranked.rank, ranked.name, mean, ranked.beats, ranked.loses, f"{ranked.rating:+.3f}"


def _three_solution(solution: ThreeSolution) -> dict[str, str]:
    known = vars(solution).get("certificate")  # takes as long as the solution: shown only if computed already
    gain = f"By leaving it nobody gains more than {known.gain:.2g} at any state." if known else (
        "Its method exploitability() says how much a player could gain by leaving it."
    )  # fmt: skip
    states = [(*state, f"{chance:.6f}") for state, chance in solution.mixed]
    head = ("mover needs", "next needs", "third needs", "turn total", "rolls")
    values = ("wins, exactly", *(f"{value:.6f}" for value in solution.value))
    return _card(
        f"An equilibrium of {solution.game} for three players",
        _table(("", "first", "second", "third"), [values]),
        _paragraph(f"Orbits without a pure equilibrium: {len(solution.without_pure)}.", gain),
        _table(head, states, "see .mixed") if states else Html(),
    )


def _run(run: Run) -> dict[str, str]:
    from pigevo.runs.folder import beside_experiment
    from pigevo.runs.result import sentences

    settings, record = beside_experiment(run.settings), run.result
    words = [settings.experiment or "", *(f"{name}={value}" for name, value in settings.differences.items())]
    title = f"Run {' '.join(word for word in words if word)}"
    parts = [_so_far(run)] if record is None else [_paragraph(*sentences(record)), _result(record)]
    folder = _paragraph(f"Folder: {run.folder}" if run.folder else "")
    return _card(title, *parts, folder, picture=run.plot(), width=WIDE)


def _so_far(run: Run) -> Html:
    last = int(run.metrics["generation"][-1])
    mean = float(run.metrics["mean"][-1])
    reached = f"The run has not finished: in generation {last:,} the population wins {mean:.4f} on average."
    return _paragraph(reached, "pigevo resume continues it.")


def _result(record: JsonObject) -> Html:
    champion = record["champion"]
    last, peak = record["generations"], record["peak_generation"]
    games = f", {record['games']:,} simulated games" if record["games"] else ""
    rows = [
        ("champion, moving first", f"{champion['first']:.6f}"),
        ("champion, moving second", f"{champion['second']:.6f}"),
        ("champion, overall", f"{champion['overall']:.6f}"),
        (f"population mean, generation {peak:,}, its best", f"{record['peak_mean']:.6f}"),
        (f"population mean, generation {last:,}, the last", f"{record['last_mean']:.6f}"),
    ]
    spent = f"{last:,} generations, {record['evaluations']:,} strategies{games}, {record['seconds']:.1f} s."
    return join([_table(("win probability against the optimum", "exact"), rows), _paragraph(spent)])


def _sweep(sweep: Sweep) -> dict[str, str]:
    states = Counter(member.state for member in sweep.members)
    progress = ", ".join(f"{count:,} {state}" for state, count in states.items())
    failed = [member for member in sweep.members if member.error]
    return _card(
        f"A sweep of {len(sweep.members):,} runs: {progress}",
        _ranking(sweep),
        *(_paragraph(f"{failure.folder.name} has failed: {failure.error}") for failure in failed[:MOST_FAILURES]),
        _paragraph(f"Folder: {sweep.folder}"),
    )


def _ranking(sweep: Sweep) -> Html:
    from pigevo.sweeps.report import ranking_of

    if not sweep.finished:
        return Html()
    if len(sweep.finished) > MOST_RUNS and "runs" not in vars(sweep):
        return _paragraph(
            f"So many results take a while to read: pigevo report {for_shell(sweep.folder)} ranks the settings."
        )
    try:
        ranking = ranking_of(sweep, "champion")
    except InputError as error:  # the sentence about a damaged run
        return _paragraph(str(error))
    deviations = ("" if ranked.sd is None else f"{ranked.sd:.4f}" for ranked in ranking)
    rows = [
        (ranked.setting, ranked.runs, f"{ranked.mean:.4f}", ends_of(ranked.low, ranked.high), deviation)
        for ranked, deviation in zip(ranking, deviations, strict=True)
    ]
    head = ("setting", "runs", "champion, mean", "95 % interval", "sd")
    about = "What the champions win against the optimum, exactly; the 95 % intervals are simultaneous, of all settings."
    return join([_table(head, rows, f"pigevo report {for_shell(sweep.folder)}"), _paragraph(about)])


VIEWS: dict[str, Callable[[Any], dict[str, str]]] = {
    "Strategy": _strategy,
    "Solution": _solution,
    "WinProbability": _win_probability,
    "Match": _match,
    "Tournament": _tournament,
    "ThreeSolution": _three_solution,
    "Run": _run,
    "Sweep": _sweep,
}
"""The functions that make the view of each class."""
