"""`pigevo turns A`: what one turn brings, how many turns a strategy takes alone, and which total is worth most."""

from __future__ import annotations

from typing import Any

import click

from pigevo.cli.options import EPILOG, game_of_words, game_options, json_option, read_strategy, show
from pigevo.games import Game


@click.command(epilog=EPILOG)
@click.argument("strategy")
@click.option("--own", type=int, default=0, show_default=True, help="Banked score of the player.")
@click.option("--opponent", type=int, default=0, show_default=True, help="Banked score of the opponent.")
@game_options
@json_option
def command(strategy: str, own: int, opponent: int, game: Game, as_json: bool) -> None:
    """What one turn of a strategy brings, exactly, how many turns it takes to win alone, and at which total to hold."""
    record = turns(strategy, own, opponent, game_of_words([strategy], game))
    show(record, describe(record), as_json)


def turns(word: str, own: int, opponent: int, game: Game) -> dict[str, Any]:
    """The figures of turns at a pair of scores, in races of one die.

    Returns:
        `bust`, the chance that a turn brings nothing; `outcomes`, those of other points; `mean`, the mean points;
        `turns_alone`, the mean number of turns from a score of 0 while the opponent's stays (None: it never wins); and
        `holds`, for each total the chance that a turn which aims at it banks, and its mean points, to the best mean.
    """
    strategy = read_strategy(word, game)
    from pigevo.exact import mean_turns_alone, turn_outcomes

    outcomes = turn_outcomes(strategy, own, opponent)
    alone = mean_turns_alone(strategy, opponent)
    bust = outcomes.pop(0)
    return {
        "strategy": strategy.name,
        "game": str(strategy.game),
        "own": own,
        "opponent": opponent,
        "bust": bust,
        "outcomes": [{"points": points, "chance": chance} for points, chance in outcomes.items()],
        "mean": sum(points * chance for points, chance in outcomes.items()),
        "turns_alone": alone if alone < float("inf") else None,
        "holds": hold_totals(strategy.game),
    }


def hold_totals(game: Game) -> list[dict[str, float]]:
    """For each turn total, the chance that a turn which aims at it banks, and the mean points that it brings."""
    from pigevo.exact import turn_outcomes
    from pigevo.strategies import hold_at

    found: list[dict[str, float]] = []
    for total in range(1, game.target + 1):
        outcomes = turn_outcomes(hold_at(game, total))
        mean = sum(points * chance for points, chance in outcomes.items())
        found.append({"total": total, "chance": 1 - outcomes[0], "mean": mean})
    return found


def describe(record: dict[str, Any]) -> str:
    """The figures as lines to read."""
    at = f"{record['own']} to {record['opponent']}"
    lines = [f"{record['strategy']} in {record['game']}: one turn at {at}", "", "  points    chance"]
    lines += [f"  {'bust':>6}    {record['bust']:.4f}"]
    lines += [f"  {row['points']:>6}    {row['chance']:.4f}" for row in record["outcomes"] if row["chance"] > 0]
    best = [record["holds"][n] for n in best_totals(record["holds"])]
    totals = " or ".join(f"{row['total']:.0f}" for row in best)
    alone = record["turns_alone"]
    lines += [
        "",
        f"  A turn brings {record['mean']:.4f} points on average.",
        "  Alone it never wins."
        if alone is None
        else f"  Alone it takes {alone:.4f} turns to win on average, from a score of 0.",
        f"  Holding at {totals} brings most points a turn: {best[0]['mean']:.4f}.",
        "",
        "  hold at    chance to get there    points a turn",
    ]
    lines += [f"  {row['total']:>7}    {row['chance']:>19.4f}    {row['mean']:>13.4f}" for row in some(record["holds"])]
    return "\n".join(lines)


def best_totals(rows: list[dict[str, float]]) -> list[int]:
    """The rows with the most points a turn, which may be several."""
    means = [round(row["mean"], 12) for row in rows]
    return [n for n, mean in enumerate(means) if mean == max(means)]


def some(rows: list[dict[str, float]]) -> list[dict[str, float]]:
    """Every fifth row, and those around the best."""
    best = best_totals(rows)
    return [row for n, row in enumerate(rows) if (n + 1) % 5 == 0 or best[0] - 2 <= n <= best[-1] + 2][:16]
