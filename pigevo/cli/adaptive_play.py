"""An opponent of `pigevo play` that adapts to the person: what it believes and plays, and what it says of that."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pigevo.core.text import counted
from pigevo.dice import Draw
from pigevo.people.adapting import Account, Answers, Plan, account, plan, played_strategy
from pigevo.people.belief import Belief, first_belief, learned
from pigevo.people.game_in_progress import Judge, Played
from pigevo.people.recorded_games import recorded_game
from pigevo.strategies import Strategy


class Adaptive:
    """What the opponent believes and has planned over the games of a sitting.

    Args:
        answers: the best responses that it chooses from.
        cap: what a game may cost it at most, in win probability.
        seed: of the draws that decide whether it plays the response.
    """

    def __init__(self, answers: Answers, cap: float, seed: int) -> None:
        self._answers, self._cap, self._draw = answers, cap, Draw(seed, "selection")
        self._beliefs: list[Belief] = [first_belief(answers.game)]
        self._plans: list[tuple[Plan, bool]] = []

    @property
    def optimum(self) -> Strategy:
        """What it plays where it does not respond, under its own name."""
        return played_strategy(None, self._answers)

    @property
    def introduced(self) -> str:
        """What is said before the first game."""
        return f"It learns where you hold, and it risks at most {self._cap:g} a game by that, in expectation."

    def opponent_of_game(self, number: int, seat: int) -> Judge:
        """The judge of what it plays in a game in which the person has this seat."""
        chosen = plan(self._beliefs[-1], self._answers, 1 - seat, self._cap)
        responds = float(self._draw.at(part=number).uniforms(1)[0]) < chosen.share
        self._plans.append((chosen, responds))
        return Judge(played_strategy(chosen.answer if responds else None, self._answers))

    def learn(self, played: Played) -> None:
        """Take the turns of a game, also of one that the person has left."""
        players = ("person", "other") if played.seat == 0 else ("other", "person")
        turns = recorded_game("", players, played.turns).turns_of("person")
        self._beliefs.append(learned(self._beliefs[-1], turns))

    @property
    def _account(self) -> Account:
        return account([one for one, _ in self._plans], self._beliefs[-1])

    def summary(self) -> list[str]:
        """What it believed, what it did, and what that was worth."""
        belief = self._beliefs[-1]
        if not belief.decisions:
            return ["", "You have decided nothing, so it has learned nothing."]
        low, high = belief.interval
        found, games = self._account, counted(len(self._plans), "game")
        return [
            "",
            "What it believed before each game, and what it played:",
            "  game  you hold at        best response to  with  played",
            *(self._row(number) for number in range(len(self._plans))),
            f"Now it believes that you hold at {belief.value} (95 %: {low} to {high}), after "
            f"{counted(belief.turns, 'turn')} with {counted(belief.decisions, 'decision')}.",
            f"If so, adapting is worth {found.gain:+.4f} games in {games} (95 %: {found.low:+.4f} to "
            f"{found.high:+.4f}), beyond what the optimum wins in expectation.",
            f"Whatever you do, it wins at most {found.most_loss:.4f} games fewer than the optimum is sure of, in "
            f"expectation: its limit is {self._cap:g} a game.",
        ]

    def _row(self, number: int) -> str:
        before, (chosen, responds) = self._beliefs[number], self._plans[number]
        (low, high), value = before.interval, before.value if before.decisions else "?"
        to = "-" if chosen.to is None else f"hold_at:{chosen.to}"
        held = f"{value:>3} ({low} to {high})"
        return f"  {number + 1:4d}  {held:17}  {to:16}  {chosen.share:.2f}  {'response' if responds else 'optimum'}"

    def record(self) -> dict[str, Any]:
        """The same as plain values."""
        games = [
            {
                "believed": _belief_record(before), "answers": chosen.to, "share": chosen.share,
                "most_loss": chosen.most_loss, "gain": chosen.gain, "played": "response" if responds else "optimum",
            }
            for (chosen, responds), before in zip(self._plans, self._beliefs, strict=False)
        ]  # fmt: skip
        believed = _belief_record(self._beliefs[-1])
        return {"cap": self._cap, "games": games, "believed": believed, "account": asdict(self._account)}


def _belief_record(belief: Belief) -> dict[str, Any]:
    low, high = belief.interval
    return {"value": belief.value, "low": low, "high": high, "turns": belief.turns, "decisions": belief.decisions}
