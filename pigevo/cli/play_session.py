"""Games of a person at a terminal or a pipe: reads answers, shows steps, reviews choices, saves games.

The opponent may adapt to the person: then its beliefs, its play and their value are shown, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import cached_property

import click

from pigevo.cli import play_text as text
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import counted
from pigevo.dice import Draw
from pigevo.exact.solve import optimal
from pigevo.people.adapting import (
    Account,
    Belief,
    BestResponses,
    GamePlan,
    account,
    first_belief,
    learned,
    plan,
    played_strategy,
)
from pigevo.people.game_in_progress import Adviser, Event, Judge, Played, Review, events, review
from pigevo.people.record_files import Register
from pigevo.people.recorded_games import recorded_game
from pigevo.simulation.stepwise import Position
from pigevo.strategies import Strategy

MOST_ANSWERS = 100  # the number of answers without a valid choice after which a question is not repeated

ROLL, HOLD, HINT, ODDS, LEAVE = ("r", "roll", ""), ("h", "hold"), ("?", "hint"), ("o", "odds"), ("q", "quit")


class Adaptive:
    """The beliefs and plans of an adapting opponent over the games of a session.

    Args:
        responses: the best responses to choose from.
        cap: the limit of its cost in a game, in win probability.
        seed: the seed of the draws that decide whether it plays the response.
    """

    def __init__(self, responses: BestResponses, cap: float, seed: int) -> None:
        self._responses, self._cap, self._draw = responses, cap, Draw(seed, "selection")
        self._beliefs: list[Belief] = [first_belief(responses.game)]
        self._plans: list[tuple[GamePlan, bool]] = []

    @property
    def optimum(self) -> Strategy:
        """The optimum, under the opponent's own name."""
        return played_strategy(None, self._responses)

    @property
    def introduction(self) -> str:
        """The text before the first game."""
        return f"It learns where you hold. Adapting to you costs it at most {self._cap:g} wins a game, in expectation."

    def opponent_of_game(self, number: int, seat: int) -> Judge:
        """The judge of the strategy that it plays in a game; `seat` is the person's."""
        chosen = plan(self._beliefs[-1], self._responses, 1 - seat, self._cap)
        responds = float(self._draw.at(part=number).uniforms(1)[0]) < chosen.share
        self._plans.append((chosen, responds))
        return Judge(played_strategy(chosen.answer if responds else None, self._responses))

    def learn(self, played: Played) -> None:
        """Learn from the turns of a game, also of one that the person has left."""
        players = ("person", "other") if played.seat == 0 else ("other", "person")
        turns = recorded_game("", players, played.turns).turns_of("person")
        self._beliefs.append(learned(self._beliefs[-1], turns))

    @property
    def _account(self) -> Account:
        return account([plan for plan, _ in self._plans], self._beliefs[-1])

    def summary(self) -> list[str]:
        """A summary of its beliefs, its play, and their value."""
        belief = self._beliefs[-1]
        if not belief.decisions:
            return ["", "You have decided nothing, so it has learned nothing."]
        low, high = belief.interval
        worth, games = self._account, counted(len(self._plans), "game")
        return [
            "",
            "What it believed before each game, and what it played:",
            "  game  you hold at        best response to  with  played",
            *(self._row(number) for number in range(len(self._plans))),
            f"Now it believes that you hold at {belief.value} (95 %: {low} to {high}), after "
            f"{counted(belief.turns, 'turn')} with {counted(belief.decisions, 'decision')}.",
            f"If so, adapting is worth {worth.gain:+.4f} games in {games} (95 %: {worth.low:+.4f} to "
            f"{worth.high:+.4f}), beyond what the optimum wins in expectation.",
            f"Whatever you do, it wins at most {worth.most_loss:.4f} games fewer than the optimum is sure of, in "
            f"expectation: its limit is {self._cap:g} a game.",
        ]

    def _row(self, number: int) -> str:
        before, (chosen, responds) = self._beliefs[number], self._plans[number]
        (low, high), value = before.interval, before.value if before.decisions else "?"
        response = "-" if chosen.to is None else f"hold_at:{chosen.to}"
        held = f"{value:>3} ({low} to {high})"
        return (
            f"  {number + 1:4d}  {held:17}  {response:16}  {chosen.share:.2f}  {'response' if responds else 'optimum'}"
        )

    def record(self) -> JsonObject:
        """The summary as plain values."""
        games = [
            {
                "believed": _belief_record(before), "answers": chosen.to, "share": chosen.share,
                "most_loss": chosen.most_loss, "gain": chosen.gain, "played": "response" if responds else "optimum",
            }
            for (chosen, responds), before in zip(self._plans, self._beliefs, strict=False)
        ]  # fmt: skip
        believed = _belief_record(self._beliefs[-1])
        return {"cap": self._cap, "games": games, "believed": believed, "account": asdict(self._account)}


def _belief_record(belief: Belief) -> JsonObject:
    low, high = belief.interval
    return {"value": belief.value, "low": low, "high": high, "turns": belief.turns, "decisions": belief.decisions}


class Sitting:
    """Games between a person and a strategy.

    Args:
        judge: the exact values of choices against the opponent.
        draw: the dice; game number n uses part n, as in a match.
        tell: prints a text, with or without an end of line.
        odds: whether the odds of each roll are shown from the start.
        register: the file of the games, if they are saved.
        adviser: a strategy that hints also show, if any.
        adaptive: chooses the opponent of each game, if it adapts to the person.
    """

    def __init__(
        self, judge: Judge, draw: Draw, tell: Callable[..., None], odds: bool, register: Register | None,
        adviser: Adviser | None = None, adaptive: Adaptive | None = None,
    ) -> None:  # fmt: skip
        self._judge, self._draw, self._tell, self._odds, self._register = judge, draw, tell, odds, register
        self._adviser, self._adaptive = adviser, adaptive
        self._typed, self._are_echoed = typed_answers()
        self._name = text.short(judge.opponent.name)
        self._end_reason = ""

    def play(self, games: int, seat: int | None = None) -> JsonObject:
        """Play games until the person leaves; `seat` is the person's: 0, 1 or alternating. Returns a record of them."""
        opponent, register = self._judge.opponent, self._register
        self._lines(text.opening(opponent.game, self._name, self._draw.seed))
        if self._adaptive is not None:
            self._lines([self._adaptive.introduction])
        games_played: list[tuple[Played, Review | None]] = []
        for number in range(games):
            if self._register is not None and not self._register.has_room:
                self._end_reason = f"{self._register.path} has no room for another game"
                self._lines([f"{self._end_reason}."])
                break
            games_played.append(self._game(number, games, number % 2 if seat is None else seat))
            if self._end_reason:
                break
        if len(games_played) > 1:
            self._lines(text.summed(games_played))
        if self._adaptive is not None:
            self._lines(self._adaptive.summary())
        saved = None if self._register is None or self._register is register else str(self._register.path)
        if saved:
            self._lines([f"Saved in {saved}, which pigevo people reads."])
        record = text.as_record(opponent, self._draw.seed, games_played, saved)
        return record if self._adaptive is None else record | {"adapting": self._adaptive.record()}

    def _game(self, number: int, games: int, seat: int) -> tuple[Played, Review | None]:
        """One game with its review; an interrupted game is kept, too."""
        self._lines(text.game_begins(number, games, seat))
        if self._adaptive is not None:
            self._judge = self._adaptive.opponent_of_game(number, seat)
        opponent, happened = self._judge.opponent, list[Event]()
        try:
            for event in events(opponent, seat, self._draw.at(part=number), self._decide):
                happened.append(event)
                self._lines(text.event_lines(event, opponent.game, seat, self._name))
        except KeyboardInterrupt as stop:
            ended = self._register and Played.of(opponent, seat, happened).turns
            where = f", and its turns are in {self._register.path}" if self._register and ended else ""
            raise KeyboardInterrupt(f"interrupted: the game is unfinished{where}.") from stop
        finally:
            played = Played.of(opponent, seat, happened)
            if self._register is not None:
                self._register = self._register.write(played)
        if self._adaptive is not None:
            self._adaptive.learn(played)
        self._lines(text.game_ended(played, self._name, self._end_reason))
        reviewed = review(played, self._judge) if played.choices else None
        if reviewed is not None:
            self._lines(text.reviewed(reviewed, self._name))
        return played, reviewed

    def _decide(self, position: Position) -> bool | None:
        """Whether the person rolls; None if the person leaves, or the input ends."""
        if self._odds:
            self._lines(text.odds_lines(position))
        for _ in range(MOST_ANSWERS):
            self._tell(text.question(position), end="")
            answer = next(self._typed, None)
            if answer is None:
                self._tell("")
                self._end_reason = "the input has ended"
                return None
            word = answer.lower()
            self._tell("" if self._are_echoed else _WORD_OF_ANSWER.get(word, text.short(word, text.LONGEST_ANSWER)))
            if word in ROLL or word in HOLD:
                return word in ROLL
            if word in LEAVE:
                self._end_reason = "you leave"
                return None
            self._lines(self._answered(word, position))
        self._end_reason = f"no choice among {MOST_ANSWERS} answers"
        return None

    def _answered(self, word: str, position: Position) -> list[str]:
        if word in HINT:
            hint, adviser = text.hint([judge.choice(position) for judge in self._judges]), self._adviser
            if adviser is None:
                return hint
            return [*hint, *text.advised(adviser.strategy.name, adviser.roll(position), adviser.sentence)]
        if word in ODDS:
            self._odds = not self._odds
            return text.odds_lines(position) if self._odds else ["odds are hidden"]
        return [text.KEYS]

    @cached_property
    def _judges(self) -> list[Judge]:
        """The judges of the opponent and of the optimum; only the optimum's if the opponent adapts.

        Hints by its own judge would reveal what it plays.
        """
        best = optimal(self._judge.opponent.game).strategy
        if self._adaptive is not None:
            return [Judge(best)]
        return [self._judge] if self._judge.opponent == best else [self._judge, Judge(best)]

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._tell(text.folded(line))


_WORD_OF_ANSWER = {
    word: words[0] if words is HINT else words[1] for words in (ROLL, HOLD, HINT, ODDS, LEAVE) for word in words
}
"""The word that is shown for an answer: `roll` for `r`, say."""


NO_LETTER = ("\x1b", "\x00", "\xe0")  # the prefixes of arrow keys and the like, on Unix and on Windows
LONGEST_LINE = 1_000  # the number of characters of a line that are read at a time; the rest is the next answer


def typed_answers() -> tuple[Iterator[str], bool]:
    """The answers on standard input, and whether the terminal already shows them.

    An answer is a key if standard input is a terminal that can send keys, and otherwise a line, as in
    `yes r | pigevo play`; the Enter key and an empty line are "". The end of the input ends the answers.
    """
    if not sys.stdin.isatty():
        return _lines(), False
    if os.environ.get("TERM") == "dumb":  # the terminal sends lines, and shows the typed text
        return _lines(), True
    return _keys(click.getchar), False


def _keys(read: Callable[[], str]) -> Iterator[str]:
    while True:
        try:
            typed = read()
        except (EOFError, OSError):  # the latter if the terminal is gone
            return
        if not typed:
            return
        if typed.startswith(NO_LETTER):
            yield "an arrow"
            continue
        for key in typed:
            if key == "\x03":
                raise KeyboardInterrupt
            if key == "\x04":
                return
            yield "" if key in "\r\n" else key


def _lines() -> Iterator[str]:
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        reconfigure(errors="replace")  # bytes that are no text are an answer without a choice, no error
    while line := sys.stdin.readline(LONGEST_LINE):
        yield line.strip()
