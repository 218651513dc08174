"""`pigevo show A [B]`: what a strategy does, and where it loses most, in words and in a picture."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import EPILOG, game_of_words, game_options, json_option, read_strategy, show
from pigevo.cli.output import PLACE, picture_file
from pigevo.core.memory import refuse_more
from pigevo.errors import InputError
from pigevo.figures import FORMATS
from pigevo.games import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pigevo.core.arrays import Floats
    from pigevo.strategies import Strategy

VIEWS = ("all", "map", "slices", "surface", "difference", "costs", "none")
BEST = "optimal"
PER_CELL = 48
"""Bytes for each cell of a strategy: how often play comes there in both seats, and what is made of it."""


class Scores(click.ParamType[Any]):
    """Two scores, written `OWN,OPPONENT` or `OWN:OPPONENT`."""

    name = "own,opponent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """The two numbers."""
        try:
            own, opponent = (int(part) for part in str(value).replace(":", ",").split(","))
        except ValueError:
            self.fail("write it as two whole numbers, --at OWN,OPPONENT, such as --at 70,85 or --at 70:85", param, ctx)
        return own, opponent


@click.command(epilog=EPILOG)
@click.argument("a")
@click.argument("b", required=False)
@game_options
@click.option("--at", type=Scores(), help="Show the choices at this pair of scores, turn total by turn total.")
@click.option("--picture", type=click.Choice(VIEWS), help="What to draw; all by default.")
@click.option("--figures", "--as", "figures", type=click.Choice(FORMATS),
              help="Format of the picture; png by default. --as is its former name.")  # fmt: skip
@click.option("--to", type=click.Path(dir_okay=False, path_type=Path),
              help=f"The picture's file, .png, .pdf or .svg; by default in {PLACE}.")  # fmt: skip
@click.option("--title", help="Above the picture.")
@click.option("--dpi", type=click.IntRange(20, 600), default=100, show_default=True, help="Dots per inch of a png.")
@json_option
def command(a: str, b: str | None, game: Game, at: tuple[int, int] | None, as_json: bool, **drawn: Any) -> None:
    """What a strategy does, beside another one or the optimum, and where it loses most, in words and a picture."""
    game = game_of_words([a, b] if b else [a], game)
    refuse_more(PER_CELL * game.cells, f"a look at a strategy for {game}", "choose a smaller target or cap")
    first, second = read_strategy(a, game), read_strategy(b or BEST, game)
    from pigevo.figures.character import describe, describe_choices  # compiled code, which help need not wait for

    if at is not None:
        choices = choices_of(first, second, *at)
        show(choices, describe_choices(choices), as_json)
        return
    costs = costs_of(first)
    if drawn["picture"] == "none":
        record = looked_at(first, second, costs)
    else:
        file = picture_file(drawn["to"], drawn["figures"], [strategy.name for strategy in _drawn(first, second)])
        figure, why = picture(first, second, costs, **drawn)
        record = looked_at(first, second, costs) | {"picture": None, "why": why}
        if figure is not None:
            from pigevo.figures.axes import save_figure

            record["picture"] = str(save_figure(file, figure, drawn["dpi"]))
    show(record, describe(record), as_json)


def costs_of(strategy: Strategy) -> Floats | None:
    """What each decision costs a strategy against the optimum; None if the game has too many states to tell."""
    from pigevo.exact import decision_costs

    try:
        costs: Floats = decision_costs(strategy)
    except InputError:
        return None
    return costs


def looked_at(first: Strategy, second: Strategy, costs: Floats | None) -> dict[str, Any]:
    """What the two strategies do, how good they are, how much they differ, and what the first loses by its `costs`.

    Returns:
        `strategies`, a `Character` of each (of one where they are the same); `beside`, a `Beside` or None; and `loss`,
        where the first loses most against the optimum, a `Loss`, or None if the game has too many states to tell.
    """
    from pigevo.exact import dearest_places
    from pigevo.figures.character import beside_data, character_data

    same = first == second
    characters = [asdict(character_data(strategy)) for strategy in _drawn(first, second)]
    beside = None if same else asdict(beside_data(first, second))
    loss = None if costs is None else asdict(dearest_places(first, costs=costs))
    return {"strategies": characters, "beside": beside, "loss": loss}


def picture(
    first: Strategy,
    second: Strategy,
    costs: Floats | None,
    picture: str | None,
    title: str | None,
    figures: str | None,
    to: Path | None,
    **_: object,
) -> tuple[Figure | None, str]:
    """Draw them.

    Returns:
        The figure, None where no picture makes sense and none was asked for; and why it does not.
    """
    from pigevo.figures.axes import figure_of
    from pigevo.figures.portrait import plot_portrait, portrait_data

    if picture in (None, "all") and (numbers := formula_of(first)) is not None:
        from pigevo.figures.sticking import plot_sticking, sticking_data

        axes = plot_sticking(sticking_data(*numbers))
        if title:
            axes.set_title(title)
        return figure_of(axes), ""
    try:
        data = portrait_data(_drawn(first, second), costs)
        return figure_of(plot_portrait(data, picture or "all", title or "")), ""  # type: ignore[arg-type]
    except InputError as error:
        if picture or figures or to:
            raise
        return None, str(error)


def formula_of(strategy: Strategy) -> tuple[float, float] | None:
    """The power and the divisor of a strategy that is a `stick_formula`; None of any other."""
    from pigevo.strategies import STRATEGIES

    name, colon, _ = strategy.name.partition(":")
    if name != "stick_formula" or not colon:
        return None
    try:
        entry, numbers = STRATEGIES.spelled(strategy.name)
    except InputError:  # a name of the user's own
        return None
    numbers = entry.completed(numbers)
    same = entry.function(strategy.game, **numbers) == strategy
    return (numbers["power"], numbers["divisor"]) if same else None


def choices_of(a: Strategy, b: Strategy, own: int, opponent: int) -> dict[str, Any]:
    """What each choice of `a` at a pair of scores is worth against `b`."""
    from pigevo.exact import choices_at

    found = choices_at(a, b, own, opponent)
    rows = [{**asdict(one), "loses": one.loses} for one in found]
    return {"a": a.name, "b": b.name, "game": str(a.game), "own": own, "opponent": opponent, "choices": rows}


def _drawn(first: Strategy, second: Strategy) -> list[Strategy]:
    return [first] if first == second else [first, second]
