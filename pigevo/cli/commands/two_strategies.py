"""Commands about two strategies: `duel`, `explain` and `fair-test`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pigevo.cli.options import (
    EPILOG,
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
from pigevo.cli.output import terminal_width, wrapped
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import level, percent
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.tournaments import MOST_TEST_GAMES

if TYPE_CHECKING:
    from pigevo.exact import Choice, Decision, Equations, WinProbability
    from pigevo.tournaments import FairTest

MOST_UNKNOWNS = 12  # of a matrix that `explain` prints: the columns of a wide terminal

DIFFERENCE = "difference (Neller & Presser 2010): the optimum's win probability minus the strategy's, each moving first"

SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@purpose("Look at a strategy")
@click.command(epilog=EPILOG)
@click.argument("a")
@click.argument("b")
@limits_functions
@game_options
@click.option("--games", type=click.IntRange(1), help="Also simulate this number of games.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the simulation.")
@json_option
def duel_command(a: str, b: str, game: Game, games: int | None, seed: int, as_json: bool) -> None:
    """Compute the win probability of strategy A against strategy B."""
    if games is None:
        refuse_void("without --games nothing is simulated", "seed")
    record = duel(a, b, game_of_words([a, b], game), games, seed)
    show(record, describe_duel(record), as_json)


def duel(a: str, b: str, game: Game, games: int | None, seed: int) -> JsonObject:
    """A against B: the exact figures, and those of a simulated match if `games` is given."""
    first, second = read_pair(a, b, game)
    from pigevo import optimal, win_probability  # compiled code is imported when the words have been checked

    p = win_probability(first, second)
    seats = ("stalemate_first", "stalemate_second", "draw_first", "draw_second")
    exact = picked(p, "first", "second", "overall", *seats, "error")
    best = optimal(game).strategy
    record: JsonObject = {
        "a": first.name,
        "b": second.name,
        "game": str(game),
        "exact": exact,
        "difference_from_optimal": [
            {"name": strategy.name, "difference": difference(win_probability(best, strategy), game.draw)}
            for strategy in (first, second)
        ],
    }
    if games is not None:
        from pigevo import play_match

        match = play_match(first, second, games=games, seed=seed)
        counts = picked(match, "wins", "losses", "stalemates", "draws", "unfinished", "win_rate")
        record["match"] = {"games": games, "seed": seed, **counts, "interval": list(match.interval(0.95))}
    return record


def difference(best: WinProbability, draw: float = 0.5) -> float:
    """The optimum's win probability minus that of a strategy, each when it moves first against the other.

    If a draw is worth a half, it is twice the strategy's loss compared with a half (Neller & Presser 2010).
    """
    strategy_first = 1.0 - best.second - best.stalemate_second + (2 * draw - 1) * best.draw_second
    return float(best.first - strategy_first)


def describe_duel(record: JsonObject) -> str:
    """The record of `duel` as text."""
    exact = record["exact"]
    lines = [
        f"{record['a']} against {record['b']} in {record['game']}",
        "",
        f"  moving first   {exact['first']:.6f}",
        f"  moving second  {exact['second']:.6f}",
        f"  overall        {exact['overall']:.6f}   exact win probability of {record['a']}",
    ]
    if exact["stalemate_first"] or exact["stalemate_second"]:
        lines.append(f"  stalemate      {(exact['stalemate_first'] + exact['stalemate_second']) / 2:.6f}")
    if exact["draw_first"] or exact["draw_second"]:
        lines.append(f"  draw           {(exact['draw_first'] + exact['draw_second']) / 2:.6f}")
    if match := record.get("match"):
        low, high = match["interval"]
        lines += wrapped(
            f"{match['win_rate']:.6f}   of {match['games']:,} games, seed {match['seed']}; "
            f"95 % interval {low:.4f} to {high:.4f}",
            "  simulated      ",
            " " * 28,
        )
        if match["stalemates"]:
            lines.append(f"  stalemates     {match['stalemates']} games that neither player can end; nobody wins")
        if match["unfinished"]:
            lines.append(f"  unfinished     {match['unfinished']} games, given up as too long; they count for nobody")
    lines += [
        "",
        *wrapped(DIFFERENCE, "  ", "    "),
    ]
    rows = record["difference_from_optimal"]
    widest = max(len(row["name"]) for row in rows)
    lines += [f"    {row['name']:{widest}s} {row['difference']:z.6f}" for row in rows]
    return "\n".join(lines)


@purpose("Look at a strategy")
@click.command(epilog=EPILOG)
@click.argument("strategies", nargs=-1, metavar="[A [B]]")
@click.option("--own", type=int, required=True, help="Banked score of A, who is to move.")
@click.option("--opponent", type=int, required=True, help="Banked score of the opponent.")
@click.option(
    "--turn",
    type=int,
    help="Turn total: explain A's decision there, to roll or to hold (at 0, where it is allowed, to pass).",
)
@place_options
@click.option(
    "--rolled", type=int, help="With --turn: A's number of rolls in this turn, in games where decisions depend on it."
)
@limits_functions
@game_options
@json_option
def explain_command(
    strategies: tuple[str, ...], own: int, opponent: int, turn: int | None, rolled: int | None, at: dict[str, int],
    game: Game, as_json: bool,
) -> None:  # fmt: skip
    """Explain one pair of scores by its equations, or one decision.

    Without strategies both players play optimally.
    """
    wanted = 2 if turn is None else 1
    strategies = strategies or ("optimal",) * wanted
    if len(strategies) != wanted:
        raise InputError(
            "explain takes two strategies, A B, for the equations of a pair of scores, and one, A, with --turn; "
            "or none, for the optimum."
        )
    if turn is None and rolled is not None:
        raise InputError("--rolled belongs to a decision: give --turn with it.")
    game = game_of_words(strategies, game)
    if turn is None:
        first, second = read_pair(strategies[0], strategies[1], game)
        from pigevo import explain_scores

        equations = explain_scores(first, second, own, opponent, **at)
        show(equations.as_json, describe_equations(equations), as_json)
    else:
        player = read_strategy(strategies[0], game)
        from pigevo import explain_turn

        decision = explain_turn(player, own, opponent, turn, rolled, **at)
        show(decision.as_json, describe_decision(decision), as_json)


def describe_equations(solved: Equations) -> str:
    """The equations as text."""
    letters = max(map(len, solved.meaning))
    lines = [
        f"{solved.a} against {solved.b} in {solved.game}",
        "",
        *(f"  {letter:{letters}}  {meaning}" for letter, meaning in solved.meaning.items()),
        "",
        *(f"  {equation}" for equation in solved.equations),
    ]
    if solved.known:
        lines += ["", "known from the exact engine"]
        lines += [f"  {name} = {value:.6f}" for name, value in solved.known.items()]
    lines += ["", "coefficients, unknowns and constants", *_matrix(solved)]
    names = [unknown.name for unknown in solved.unknowns]
    width = max(map(len, names))
    lines += ["", "solution"]
    lines += [f"  {name:{width}} = {x:.6f}" for name, x in zip(names, solved.values.tolist(), strict=True)]
    return "\n".join(lines)


def _matrix(solved: Equations) -> list[str]:
    n, width = len(solved.unknowns), max(len(unknown.name) for unknown in solved.unknowns)
    rows = zip(solved.matrix.tolist(), solved.unknowns, solved.constants.tolist(), strict=True)
    lines = [
        f"  [{' '.join(f'{x:7.4f}' if x else '      0' for x in row)} ] [{unknown.name:{width}}]   [{constant:7.4f} ]"
        for row, unknown, constant in rows
    ]
    if n <= MOST_UNKNOWNS and len(lines[0]) <= (terminal_width() or len(lines[0])):
        return lines
    return [f"  a matrix of {n} by {n} with {int((solved.matrix != 0).sum())} entries other than 0: --json prints it"]


def describe_decision(decision: Decision) -> str:
    """The decision as text."""
    place = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in decision.place.items())
    wait = "hold" if decision.place["total"] else "pass"
    does = f"it {_does(decision.rolls, wait)}; the optimum {_does(decision.optimum_rolls, wait)}"
    lines = [f"{decision.strategy} in {decision.game}, at {place}: {does}", ""]
    width = max(len(_pair_name(choice)) for choice in decision.choices)
    lines.append(f"  {'':{width}}  roll      {wait}      better")
    rows = (f"  {_pair_name(choice):{width}}  {_figures(choice, wait)}" for choice in decision.choices)
    return "\n".join([*lines, *rows])


def _does(rolls: float, wait: str) -> str:
    return {0.0: "passes" if wait == "pass" else "holds", 1.0: "rolls"}.get(
        rolls, f"rolls with a chance of {rolls:.4g}"
    )


def _pair_name(choice: Choice) -> str:
    return f"{choice.playing} against {'itself' if choice.playing == choice.against else choice.against}"


def _figures(choice: Choice, wait: str) -> str:
    if choice.hold is None or choice.gain is None:
        return f"{choice.roll:.6f}  -         roll, as it must"
    by = "" if choice.better == "either" else f" by {abs(choice.gain):.6f}"
    return f"{choice.roll:.6f}  {choice.hold:.6f}  {wait if choice.better == 'hold' else choice.better}{by}"


@purpose("Many strategies")
@click.command(epilog=EPILOG)
@click.argument("a")
@click.argument("b")
@click.option("--confidence", type=SHARE, default=0.95, show_default=True, help="Confidence level of the interval.")
@click.option(
    "--power", type=SHARE, default=0.8, show_default=True, help="The probability that the games separate A and B."
)
@click.option("--games", type=click.IntRange(2), help="Number of games to play, even, instead of the computed one.")
@click.option("--within", type=SHARE, metavar="DISTANCE",
              help="Play as many games as bring a win rate within this distance of a half, such as .025.")  # fmt: skip
@click.option("--most", type=click.IntRange(0), default=MOST_TEST_GAMES, show_default=True,
              help="Play no games if more than this number are needed.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the games.")
@limits_functions
@game_options
@json_option
def fair_test_command(
    a: str, b: str, confidence: float, power: float, games: int | None, within: float | None, most: int, seed: int,
    game: Game, as_json: bool,
) -> None:  # fmt: skip
    """Compute how many games separate A and B, and play them.

    It ends with a verdict.
    """
    if games is not None:
        refuse_void("--games is the number of games to play", "most")
    game = game_of_words([a, b], game)
    first, second = read_pair(a, b, game)
    from pigevo.tournaments import fair_test

    test = fair_test(first, second, confidence, power, games, seed, most=most, within=within)
    show(test.as_json, describe_fair_test(test), as_json)


def describe_fair_test(test: FairTest) -> str:
    """The test as text."""
    lines = [
        f"{test.a} against {test.b} in {test.game}",
        "",
        f"  exact    {test.overall:.6f}: {test.first:.6f} moving first, {test.second:.6f} second",
    ]
    if test.decided < 1 - 1e-9:
        lines.append(f"  decided  {test.decided:.6f} of the games; of these {test.a} wins {test.share:.6f}")
    if test.needed is None:
        lines.append("  needed   they are level: no number of games tells them apart")
    else:
        lines.append(
            f"  needed   {test.needed:,} games tell them apart with {level(test.confidence)} confidence "
            f"and a power of {level(test.power)}"
        )
    match = test.match
    if match is None:
        return "\n".join([*lines, "  played   none: raise --most, or give a number of --games"])
    power = f", a power of {percent(test.power_at)}" if test.needed else ""
    lines.append(f"  played   {test.games:,} games, seed {test.seed}{power}: {match.wins:,} won, {match.losses:,} lost")
    if test.low is None or test.high is None:
        return "\n".join([*lines, "  found    nothing: nobody has won a game"])
    contains = "contains" if test.holds else "does not contain"
    lines.append(
        f"  found    {match.wins / (match.wins + match.losses):.6f}, interval {test.low:.4f} to {test.high:.4f}, "
        f"which {contains} the exact figure"
    )
    verdict = f"{test.better} is better" if test.better else "open: the interval contains a half"
    return "\n".join([*lines, f"  verdict  {verdict}"])
