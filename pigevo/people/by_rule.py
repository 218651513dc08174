"""How well a person keeps to a rule: the errors of players who were asked to play by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pigevo.core.intervals import share_interval
from pigevo.games import Game
from pigevo.people.recorded_games import RecordedTurn
from pigevo.strategies.rules import parse_rule


@dataclass(frozen=True)
class RuleErrors:
    """What a player did who was asked to play by a rule.

    Args:
        rule: its text.
        decisions: how often the player could roll or hold, in turns whose dice are recorded and whose scores are known.
        early: how often the player held where the rule rolls.
        late: how often the player rolled where the rule holds.
        left_out: turns without dice, or without the opponent's score.
        low, high: the interval (95 %) of the share of errors, as if each decision were an error with the same chance,
            whatever came before (Clopper & Pearson); None without a decision.
    """

    rule: str
    decisions: int
    early: int
    late: int
    left_out: int
    low: float | None
    high: float | None

    @property
    def errors(self) -> int:
        """How many decisions were not the rule's."""
        return self.early + self.late


def rule_errors(game: Game, turns: list[RecordedTurn]) -> tuple[RuleErrors, ...]:
    """The errors of one player's turns, for each rule that the player was asked to play by.

    Args:
        game: the game.
        turns: of one player.
    """
    rules = dict.fromkeys(turn.rule for turn in turns if turn.rule)
    return tuple(_errors(game, rule, [turn for turn in turns if turn.rule == rule]) for rule in rules)


def _errors(game: Game, rule: str, turns: list[RecordedTurn]) -> RuleErrors:
    roll = parse_rule(rule).strategy(game).roll
    known = [turn for turn in turns if turn.dice is not None and turn.opponent is not None]
    made = [
        (bool(roll[turn.own, turn.opponent, total]), rolled)
        for turn in known
        for total, rolled in decisions(game, turn)
    ]
    early, late = (
        sum(rule_rolls is kind and rolled is not kind for rule_rolls, rolled in made) for kind in (True, False)
    )
    low, high = share_interval(early + late, len(made)) if made else (None, None)
    return RuleErrors(rule, len(made), early, late, len(turns) - len(known), low, high)


def decisions(game: Game, turn: RecordedTurn) -> Iterator[tuple[int, bool]]:
    """The turn totals at which a player could roll or hold, each with whether the player rolled.

    Args:
        game: the game, in which the first roll of a turn is no choice unless passing is allowed.
        turn: with its dice.
    """
    total = 0
    for number in range(len(turn.dice or ()) + 1):
        rolled = number < len(turn.dice or ())
        if (total or game.allow_pass) and turn.own + total < game.target:
            yield total, rolled
        if rolled and turn.dice:
            if not turn.dice[number]:
                return
            total += turn.dice[number]
