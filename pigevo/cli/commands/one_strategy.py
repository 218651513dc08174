"""Commands about one strategy: `reach`, `show` and `turns`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import (
    EPILOG,
    STATE_OPTIONS,
    NewFile,
    game_of_words,
    game_options,
    json_option,
    limits_functions,
    picked,
    place_options,
    purpose,
    read_pair,
    read_strategy,
    refuse_void,
    show,
)
from pigevo.cli.output import PICTURES, name_with_run, picture_file, refuse_picture, save_picture
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import require_memory
from pigevo.core.text import counted
from pigevo.errors import InputError
from pigevo.figures import FORMATS
from pigevo.games import Game
from pigevo.storage.files import telling_replaced

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pigevo.core.arrays import Floats
    from pigevo.exact import DistinctStates
    from pigevo.strategies import Strategy

VIEWS = ("all", "map", "slices", "surface", "difference", "costs", "none")
BEST = "optimal"
MOST_GAMES = 10**15  # the largest number of games for `reach`
SHOWN_BYTES, VISITED_BYTES = 56, 80
"""Bytes of memory for each cell of a strategy, for `show` and for `reach`."""


def two_scores(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Two scores, written `OWN,OPPONENT` or `OWN:OPPONENT`."""
    if value is None:
        return None
    try:
        own, opponent = (int(part) for part in value.replace(":", ",").split(","))
    except ValueError:
        hint = "write it as two whole numbers, --at OWN,OPPONENT, such as --at 70,85 or --at 70:85"
        raise click.BadParameter(hint, param_hint="'--at'") from None
    return own, opponent


@purpose("Look at a strategy")
@click.command(epilog=EPILOG)
@click.argument("a")
@click.argument("b", required=False)
@limits_functions
@game_options
@click.option("--at", callback=two_scores, metavar="OWN,OPPONENT",
              help="Show the choices at this pair of scores for each turn total.")  # fmt: skip
@click.option("--picture", type=click.Choice(VIEWS), help="What to draw; all by default.")
@click.option("--figures", "--as", "figures", type=click.Choice(FORMATS),
              help="Format of the picture; png by default. --as is the old name of this option.")  # fmt: skip
@click.option("--to", type=NewFile("picture.png"),
              help=f"The picture's file, .png, .pdf or .svg; by default in {PICTURES}.")  # fmt: skip
@click.option("--title", help="Title above the picture.")
@click.option("--dpi", type=click.IntRange(20, 600), default=100, show_default=True, help="Dots per inch of a png.")
@json_option
def show_command(
    a: str, b: str | None, game: Game, at: tuple[int, int] | None, picture: str | None, figures: str | None,
    to: Path | None, title: str | None, dpi: int, as_json: bool,
) -> None:  # fmt: skip
    """Show a strategy beside another, and where it loses most.

    In words and in a picture; by default beside the optimum.
    """
    if at is not None or picture == "none":
        void = ("figures", "to", "title", "dpi", *(["picture"] if picture != "none" else []))
        refuse_void(f"{'--picture none' if at is None else '--at'} draws no picture", *void)
    game = game_of_words([a] if b is None else [a, b], game)
    require_memory(SHOWN_BYTES * game.cells, f"a look at a strategy for {game}", "choose a smaller target or cap")
    first, second = read_pair(a, BEST if b is None else b, game)
    from pigevo.cli.show_text import describe, describe_choices  # compiled code, not imported for help

    if at is not None:
        choices = choices_of(first, second, *at)
        show(choices, describe_choices(choices), as_json)
        return
    costs = costs_of(first)
    if picture == "none":
        record = comparison_of(first, second, costs)
    else:
        drawn = zip((a, b or BEST), _drawn(first, second), strict=False)
        names = [name_with_run(word, strategy.name) for word, strategy in drawn]
        file = picture_file(to, figures, names, first.game)
        figure, why = draw(first, second, costs, picture, title, figures, to)
        record = comparison_of(first, second, costs) | {"picture": None, "why": why}
        if figure is not None:
            from pigevo.figures.axes import save_figure

            with telling_replaced(file):
                record["picture"] = str(save_figure(file, figure, dpi))
    show(record, describe(record), as_json)


def costs_of(strategy: Strategy) -> Floats | None:
    """The cost of each of a strategy's decisions against the optimum; None if the game has too many states."""
    from pigevo.exact import decision_costs

    try:
        costs: Floats = decision_costs(strategy)
    except InputError:
        return None
    return costs


def comparison_of(first: Strategy, second: Strategy, costs: Floats | None) -> JsonObject:
    """A comparison of two strategies: play, quality, differences, and the first one's losses by `costs`.

    Returns:
        `strategies`, a `Character` of each (one if they are the same); `beside`, a `Beside` or None; and `loss`, a
        `Loss` with the places where the first loses most against the optimum, or None if the game has too many states.
    """
    from pigevo.exact import dearest_places
    from pigevo.figures.character import beside_data, character_data

    same = first == second
    characters = [asdict(character_data(strategy)) for strategy in _drawn(first, second)]
    beside = None if same else asdict(beside_data(first, second))
    loss = None if costs is None else asdict(dearest_places(first, costs=costs))
    return {"strategies": characters, "beside": beside, "loss": loss}


def draw(
    first: Strategy, second: Strategy, costs: Floats | None, view: str | None, title: str | None,
    figures: str | None, to: Path | None,
) -> tuple[Figure | None, str]:  # fmt: skip
    """Draw the strategies.

    Returns:
        The figure, or None if no picture is possible and none was requested; and the reason.
    """
    from pigevo.figures.axes import figure_of
    from pigevo.figures.portrait import plot_portrait, portrait_data

    if view in (None, "all") and (numbers := formula_of(first)) is not None:
        from pigevo.figures.strategy_curves import plot_sticking, sticking_data

        axes = plot_sticking(sticking_data(*numbers))
        if title:
            axes.set_title(title)
        return figure_of(axes), ""
    try:
        data = portrait_data(_drawn(first, second), costs)
        return figure_of(plot_portrait(data, view or "all", title or "")), ""  # type: ignore[arg-type]
    except InputError as error:
        if view or figures or to:
            raise
        return None, str(error)


def formula_of(strategy: Strategy) -> tuple[float, float] | None:
    """The power and the divisor of a strategy that is a `stick_formula`; None for any other."""
    from pigevo.strategies import STRATEGIES

    name, colon, _ = strategy.name.partition(":")
    if name != "stick_formula" or not colon:
        return None
    try:
        entry, numbers = STRATEGIES.spelled(strategy.name)
    except InputError:  # a user's own name
        return None
    numbers = entry.completed(numbers)
    same = entry.function(strategy.game, **numbers) == strategy
    return (numbers["power"], numbers["divisor"]) if same else None


def choices_of(a: Strategy, b: Strategy, own: int, opponent: int) -> JsonObject:
    """The values of the choices of `a` at a pair of scores against `b`."""
    from pigevo.exact import choices_at

    choices = choices_at(a, b, own, opponent)
    rows = [{**asdict(choice), "loses": choice.loses} for choice in choices]
    return {"a": a.name, "b": b.name, "game": str(a.game), "own": own, "opponent": opponent, "choices": rows}


def _drawn(first: Strategy, second: Strategy) -> list[Strategy]:
    return [first] if first == second else [first, second]


@purpose("Look at a strategy")
@click.command(epilog=EPILOG)
@click.argument("a")
@click.argument("b", required=False)
@limits_functions
@game_options
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=1000, show_default=True, help="Number of games.")
@click.option(
    "--share", "shares", type=click.FloatRange(0, 100, min_open=True), multiple=True, default=(1, 2, 5, 10, 20, 50),
    show_default=True, help="A share of the states, in percent; repeatable.",
)  # fmt: skip
@click.option("--to", type=NewFile("reach.png"), help="Draw the states by the number of games to this file.")
@json_option
def reach_command(
    a: str, b: str | None, game: Game, games: int, shares: tuple[float, ...], to: Path | None, as_json: bool
) -> None:
    """Compute the number of distinct states that a strategy reaches.

    In games against another one, or against itself.
    """
    game = game_of_words([a] if b is None else [a, b], game)
    require_memory(VISITED_BYTES * game.cells, f"a look at all states of {game}", "choose a smaller target or cap")
    refuse_picture(to)
    first, second = read_pair(a, a if b is None else b, game)
    from pigevo.exact import distinct_states

    states = distinct_states(first, second)
    record = counted_states(states, first, second, games, shares)
    if to is not None:
        from pigevo.figures.strategy_curves import plot_distinct_states

        record["picture"] = save_picture(to, plot_distinct_states({first.name: states}))
    show(record, describe_reach(record), as_json)


def counted_states(
    states: DistinctStates, a: Strategy, b: Strategy, games: int, shares: tuple[float, ...]
) -> JsonObject:
    """The figures of the command.

    Returns:
        The number of `states` in which the game is not over, and of those that play can reach (`most`); for a number
        of `games`, half of which the strategy begins, the `expected` number of distinct states and their `share`; and
        `needed`, for each share the fewest games that are expected to reach it, None if no number is enough.
    """
    return {
        "strategy": a.name,
        "opponent": b.name,
        "game": str(a.game),
        **picked(states, "states", "most"),
        "games": games,
        "expected": states.expected(games),
        "share": states.share(games),
        "needed": [{"share": share / 100, "games": states.games_for(share / 100)} for share in shares],
    }


def describe_reach(record: JsonObject) -> str:
    """The figures as lines to read."""
    states, most, share = record["states"], record["most"], 100 * record["share"]
    against = "itself" if record["opponent"] == record["strategy"] else record["opponent"]
    reach = f"{counted(record['games'], 'game')} {'reaches' if record['games'] == 1 else 'reach'}"
    lines = [
        f"{record['strategy']} against {against} in {record['game']}, which has {counted(states, 'state')}",
        "",
        f"  {reach} {record['expected']:,.1f} of them, or {share:.3f} %, on average;",
        f"  no number of games reaches more than {most:,}, or {100 * most / states:.3f} %",
        "",
        "  share of the states    games needed",
    ]
    for row in record["needed"]:
        games = "no number" if row["games"] is None else f"{row['games']:,}"
        lines.append(f"  {100 * row['share']:>14g} %    {games:>14}")
    if "picture" in record:
        lines += ["", f"  drawn in {record['picture']}"]
    return "\n".join(lines)


@purpose("Look at a strategy")
@click.command(epilog=EPILOG)
@click.argument("strategy")
@click.option("--own", type=int, default=0, show_default=True, help="Banked score of the player.")
@click.option("--opponent", type=int, default=0, show_default=True, help="Banked score of the opponent.")
@place_options
@limits_functions
@game_options
@json_option
def turns_command(strategy: str, own: int, opponent: int, at: dict[str, int], game: Game, as_json: bool) -> None:
    """Show the exact outcomes of a turn of a strategy.

    Also its mean turns to win alone while the opponent's score stays as it is, and the best total to hold at.
    """
    record = turns(strategy, own, opponent, game_of_words([strategy], game), at)
    show(record, describe_turns(record), as_json)


def turns(word: str, own: int, opponent: int, game: Game, at: dict[str, int]) -> JsonObject:
    """The figures of turns at a place of the game, `at` being as in `pigevo.turn_outcomes`.

    Returns:
        `bust`, the chance that a turn rolls and scores nothing; `passes`, the chance of a pass; `outcomes`, the chances
        of other points (`-own`: the score is lost); `mean`, the mean points; `turns_alone`, the mean number of turns
        from a score of 0 while the opponent's is fixed (None: it never wins, or the game has no target); and `holds`,
        for each total, the chance that a turn that aims at it banks it, and its mean points.
    """
    strategy = read_strategy(word, game)
    from pigevo.exact import mean_turns_alone, pass_chance, turn_outcomes

    outcomes = turn_outcomes(strategy, own, opponent, **at)
    alone = mean_turns_alone(strategy, opponent, **at) if strategy.game.target else float("inf")
    passes = pass_chance(strategy, own, opponent, **at)
    bust = max(0.0, outcomes.pop(0) - passes)
    return {
        "strategy": strategy.name,
        "game": str(strategy.game),
        "own": own,
        "opponent": opponent,
        **at,
        "target": strategy.game.target or None,
        "bust": bust,
        "passes": passes,
        "outcomes": [{"points": points, "chance": chance} for points, chance in outcomes.items()],
        "mean": sum(points * chance for points, chance in outcomes.items()),
        "turns_alone": alone if alone < float("inf") else None,
        "holds": hold_totals(strategy.game),
    }


def hold_totals(game: Game) -> list[dict[str, float]]:
    """For each turn total, the chance that a turn from a score of 0 that aims at it banks, and its mean points."""
    from pigevo.exact import hold_outcomes

    rows: list[dict[str, float]] = []
    for total in range(1, (game.target or game.size) + 1):
        outcomes = hold_outcomes(game, total)
        mean = sum(points * chance for points, chance in outcomes.items())
        below = sum(chance for points, chance in outcomes.items() if points < total)
        rows.append({"total": total, "chance": 1 - below, "mean": mean})
    return rows


RARE = 0.00005  # outcomes with a smaller chance are left out of the text


def describe_turns(record: JsonObject) -> str:
    """The figures as lines to read."""
    further = [f"{name.replace('_', ' ')} {record[name]}" for name in STATE_OPTIONS if name in record]
    at = ", ".join([f"{record['own']} to {record['opponent']}", *further])
    lines = [f"{record['strategy']} in {record['game']}: one turn at {at}", "", "  points    chance"]
    lines += [f"  {'bust':>6}    {record['bust']:.4f}"]
    lines += [f"  {'pass':>6}    {record['passes']:.4f}"] if record["passes"] else []
    lines += [f"  {row['points']:>6}    {row['chance']:.4f}" for row in record["outcomes"] if row["chance"] >= RARE]
    best = [record["holds"][n] for n in best_totals(record["holds"])]
    begun = ", from a score of 0" if record["own"] else ""
    totals = " or ".join(f"{row['total']:.0f}" for row in best)
    lines += ["", f"  A turn brings {record['mean']:.4f} points on average."]
    if record["target"]:
        alone = record["turns_alone"]
        takes = "never wins" if alone is None else f"takes {alone:.4f} turns to win on average"
        lines.append(f"  Alone, from a score of 0 and with the opponent at {record['opponent']}, it {takes}.")
    lines += [
        f"  Holding at {totals} brings most points a turn{begun}: {best[0]['mean']:.4f}.",
        "",
        "  hold at    chance to get there    points a turn",
    ]
    for row in excerpt(record["holds"]):
        lines.append(f"  {row['total']:>7}    {row['chance']:>19.4f}    {row['mean']:>13.4f}")
    return "\n".join(lines)


def best_totals(rows: list[dict[str, float]]) -> list[int]:
    """The indices of the rows with the most points a turn, possibly several."""
    means = [round(row["mean"], 12) for row in rows]
    return [n for n, mean in enumerate(means) if mean == max(means)]


def excerpt(rows: list[dict[str, float]]) -> list[dict[str, float]]:
    """Every fifth row, and the rows around the best."""
    best = best_totals(rows)
    return [row for n, row in enumerate(rows) if (n + 1) % 5 == 0 or best[0] - 2 <= n <= best[-1] + 2][:16]
