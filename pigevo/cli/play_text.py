"""The display of a game in a terminal with 60 columns: plain lines, without colours and without overwriting."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from pigevo.cli.output import text_width
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import clipped, counted, visible
from pigevo.exact.choices import Choice
from pigevo.games import Game
from pigevo.people.game_in_progress import MOST_TURNS, SIZES, Event, Judged, Odds, Played, Review, odds_of
from pigevo.simulation.stepwise import Position, Thrown, Turn
from pigevo.strategies import Strategy

LONGEST_NAME = 26
MOST_LISTED = 12  # the number of costliest choices that a review lists

LONGEST_ANSWER = 9
SEEN = 5e-5  # the smallest cost that two decimals of a percentage point show

KEYS = "r or Enter rolls, h holds, ? hint, o odds, q leaves"


def short(name: str, most: int = LONGEST_NAME) -> str:
    """A name or an answer, shortened to leave room on its line."""
    return clipped(visible(name), most)


def folded(line: str) -> str:
    """A text wrapped to the width of a screen."""
    width = text_width(60)
    if len(line) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False)


_REPLIES = {"second": "the player who moves second has a last turn", "other": "the other player has a last turn"}


def opening(game: Game, name: str, seed: int) -> list[str]:
    """The text before the first game."""
    wins = f"{game.target} points win" if game.target else f"the higher score after {game.turns} turns each wins"
    if game.must_hold:
        wins = f"a player who holds with {game.target} points or more wins"
    if game.reply:
        wins = f"at {game.target} points {_REPLIES[game.reply]}, and the higher score wins"
    odds, begins = odds_of(Position(game, 0, 1, 0, 0, rolls=(1,))), odds_of(Position(game, 0, 1, 0, 0))
    safe = f" (the first of a turn {_gains(begins)})" if game.first_effective_throws != game.effective_throws else ""
    falls = f", {_percent(odds.falls)} the whole score" if odds.falls else ""
    return [
        f"{game}: you against {name}",
        f"A roll adds {_gains(odds)}{safe}, or loses the turn ({_percent(odds.ends)}{falls}); holding banks the turn "
        f"total; {wins}.",
        KEYS,
        f"--seed {seed} plays these dice again",
    ]


def game_begins(number: int, games: int, seat: int) -> list[str]:
    """The head of a game."""
    which = f"Game {number + 1} of {games}: you" if games > 1 else "You"
    return ["", f"{which} move {'second' if seat else 'first'}."]


def event_lines(event: Event, game: Game, seat: int, name: str) -> list[str]:
    """The lines about a step; `question` asks for decisions."""
    if isinstance(event, Turn):
        return [_person_ended(event, game) if event.player == seat else _other_ended(event, game, name)]
    position = event.position if isinstance(event, Thrown) else event
    if isinstance(position, Position) and position.player == seat and not position.rolls:
        asked_before = isinstance(event, Thrown) and position.is_choice
        return (
            [] if asked_before else ["", f"Your turn {position.turn}: you {position.own}, {name} {position.opponent}"]
        )
    return []


def question(position: Position) -> str:
    """The question for a choice, on the line of the answer."""
    if not position.rolls:
        return "  roll, or hold to pass? "
    total = f"  {_die(position.rolls[-1], position.game)} total {position.total}, "
    return f"{total}score {position.own + position.total} if banked; roll or hold? "


def odds_lines(position: Position) -> list[str]:
    """The odds of a roll."""
    odds = odds_of(position)
    chances = [f"{_percent(odds.ends)} to lose the turn"]
    if odds.falls:
        chances.append(f"{_percent(odds.falls)} to lose all")
    if odds.wins:
        chances.append(f"{_percent(odds.wins)} to win")
    return [f"    a roll: {', '.join(chances)}"]


def hint(choices: Sequence[Choice]) -> list[str]:
    """The values of rolling and holding against the opponent, and against the optimum."""
    width = max(8, *(len(short(choice.against)) for choice in choices))
    lines = [f"  {'against':{width}}  roll    hold    better"]
    for choice in choices:
        by = "" if choice.gain is None or choice.better == "either" else f" by {_points(abs(choice.gain))}"
        name = f"{short(choice.against):{width}}"
        lines.append(f"  {name}  {choice.roll:.4f}  {choice.hold or 0.0:.4f}  {choice.better}{by}")
    return lines


def advised(name: str, roll: float, sentence: str) -> list[str]:
    """The adviser's decision."""
    does = {0.0: "hold", 1.0: "roll"}.get(roll, f"roll with {_percent(roll)}, or hold")
    return [f"  {visible(name)} would {does}."] + ([f"  {sentence}"] if sentence else [])


def game_ended(played: Played, name: str, left: str) -> list[str]:
    """How a game ended."""
    yours, theirs = played.scores
    sentences = {
        "won": f"You win by {yours} to {theirs}.",
        "lost": f"{name} wins by {theirs} to {yours}.",
        "draw": f"A draw at {yours}.",
        "stalemate": "A stalemate: you have both passed, and nobody wins.",
        "unfinished": f"The game is unfinished: {left or f'{MOST_TURNS:,} turns are the most'}.",
    }
    return ["", sentences[played.result]]


def reviewed(judged_game: Review, name: str) -> list[str]:
    """The costs of the choices."""
    total, costly = len(judged_game.judged), [choice for choice in judged_game.costly if choice.cost >= SEEN]
    lines = [
        "",
        f"Review: what you win against {name}, playing best against it afterwards (its best response); before the "
        f"first roll {_percent(judged_game.start)}.",
    ]
    expensive = sorted(costly, key=lambda choice: -choice.cost)[:MOST_LISTED]
    if expensive:
        lines.append("  turn  you  opp.  total  choice  until    cost  size")
        lines += [line for choice in costly if choice in expensive for line in _judged(choice)]
        lines.append("until: the turn total to roll until, at these scores; cost: in percentage points.")
    if costly:
        shown = f" (the {len(expensive)} dearest are shown)" if len(expensive) < len(costly) else ""
        lines.append(
            f"{len(costly)} of {counted(total, 'choice')} cost {_points(judged_game.cost)} together{shown}: "
            f"{_counted_by_size(costly)}."
        )
    else:
        lines.append(f"{counted(total, 'choice')}, and none cost anything that can be seen.")
    if judged_game.luck is not None:
        luck = f"{100 * judged_game.luck:+.2f} percentage points"
        lines.append(f"The luck of the dice, yours and the other's, was worth {luck}.")
    return lines


def summed(games: Sequence[tuple[Played, Review | None]]) -> list[str]:
    """The summary of several games."""
    results = [played.result for played, _ in games]
    counts = ", ".join(f"{results.count(kind)} {kind}" for kind in dict.fromkeys(results))
    cost = sum(review.cost for _, review in games if review is not None)
    costs = f"{_points(cost)}, {_points(cost / len(games))} a game"
    return ["", f"{len(games)} games: {counts}; your choices cost {costs}."]


def as_record(
    opponent: Strategy, seed: int, played_games: Sequence[tuple[Played, Review | None]], saved: str | None
) -> JsonObject:
    """The games as plain values."""
    games = [
        {
            "moved": "second" if played.seat else "first", "result": played.result, "scores": list(played.scores),
            "turns": [asdict(turn) for turn in played.turns],
            "review": None if review is None else _review_record(review),
        }
        for played, review in played_games
    ]  # fmt: skip
    return {"game": str(opponent.game), "opponent": opponent.name, "seed": seed, "games": games, "saved": saved}


def _review_record(judged: Review) -> JsonObject:
    choices = [
        {
            "turn": choice.position.turn, "own": choice.position.own, "opponent": choice.position.opponent,
            "total": choice.position.total, "rolled": choice.rolled, "roll": choice.choice.roll,
            "hold": choice.choice.hold, "cost": choice.cost, "size": choice.size, "until": choice.until,
            "again": choice.again,
        }
        for choice in judged.judged
    ]  # fmt: skip
    return {"start": judged.start, "end": judged.end, "cost": judged.cost, "luck": judged.luck, "choices": choices}


def _judged(choice: Judged) -> list[str]:
    position = choice.position
    line = (
        f"  {position.turn:4d}  {position.own:3d}  {position.opponent:4d}  {position.total:5d}  "
        f"{'rolled' if choice.rolled else 'held':6s}  {_until(choice):>5s}  {100 * choice.cost:6.2f}  {choice.size}"
    )
    if choice.again is None:
        return [line]
    return [line, f"          hold from {choice.until} to {choice.again - 1}, roll again above"]


def _until(choice: Judged) -> str:
    """The turn total until which to roll, in five characters."""
    game, own = choice.position.game, choice.position.own
    if choice.until is None:
        return "-"
    if game.target and not game.reply and own + choice.until >= game.size:
        return "win"
    return str(choice.until) if choice.until else "pass"


def _points(difference: float) -> str:
    """A difference of win probabilities, not negative; one that is not 0 is never shown as 0."""
    shown = "less than 0.01" if 0 < difference < SEEN else f"{100 * difference:.2f}"
    return f"{shown} percentage points"


def _counted_by_size(costly: Sequence[Judged]) -> str:
    """The number of choices of each size, the largest first: `1 blunder, 2 mistakes`."""
    sizes = [choice.size for choice in costly]
    return ", ".join(counted(sizes.count(size), size) for size in SIZES if size in sizes)


def _person_ended(turn: Turn, game: Game) -> str:
    if turn.is_pass:
        return "  you pass"
    last = turn.rolls[-1]
    die = f"  {_die(last, game)} "
    if not last:
        return die + _lost(turn)
    reached = turn.own + turn.banked >= game.size if game.target else turn.banked >= game.cap
    return f"{die}total {turn.banked}, banked at once" if reached else f"  you bank {turn.banked}"


def _other_ended(turn: Turn, game: Game, name: str) -> str:
    if turn.is_pass:
        return f"{name} passes"
    dice = " ".join(_die(points, game) for points in turn.rolls)
    return f"{name} {dice} {_lost(turn) if not turn.rolls[-1] else f'banks {turn.banked}'}"


def _lost(turn: Turn) -> str:
    if turn.banked < 0:
        return "everything is lost"
    return f"the turn is lost, but for {turn.banked}" if turn.banked else "the turn is lost"


def _die(points: int, game: Game) -> str:
    """The text for a throw: its points; if it ends the turn, its faces, or 0 if these are not numbers."""
    if points:
        return f"[{points}]"
    faces = {face[0]: None for face, throw in game.faces if throw.ends and len(face) == 1} or {"1": None}
    gains = {str(gain) for gain, _ in game.die}
    return f"[{'|'.join(face for face in faces if face.isdigit() and face not in gains) or 0}]"


def _gains(odds: Odds) -> str:
    least, most = odds.gains
    return f"{least} to {most}" if most > least else f"{most}"


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f} %"
