"""Simulated players who hold at one value and slip, their turns alone."""

from dataclasses import dataclass

import numpy as np

from pigevo.dice import Die
from pigevo.games.game import GAMES
from pigevo.people import RecordedTurn
from pigevo.people.habits import SLIPS


def game_of(name, **options):
    entry = GAMES[name]
    return entry.bind(entry.completed(entry.check(options, "game")))


@dataclass(frozen=True)
class Player:
    value: int
    early: float
    late: float

    @staticmethod
    def drawn(joint, draw):
        """One from a prior over hold values and slips."""
        place = min(int(np.searchsorted(np.cumsum(joint), draw.uniforms(1)[0])), joint.size - 1)
        value, slips = divmod(place, len(SLIPS) ** 2)
        return Player(value + 1, float(SLIPS[slips // len(SLIPS)]), float(SLIPS[slips % len(SLIPS)]))

    def changed(self, joint, draw):
        """The same slips, another value."""
        return Player(Player.drawn(joint, draw).value, self.early, self.late)

    def rolls(self, total, chance):
        return chance >= self.early if total < self.value else chance < self.late

    def turns(self, game, draw, most=99):
        """The turns of a game that it plays alone."""
        score, number, turns = 0, 0, []
        dice, chances = (
            draw.rolls(Die.of(game.die, game.bust)),
            iter(draw.at(part=99, pair=draw.pair).uniforms(5_000).tolist()),
        )
        while score < game.target and number < most:
            number, rolls = number + 1, [next(dice)]
            while rolls[-1] and score + sum(rolls) < game.target and self.rolls(sum(rolls), next(chances)):
                rolls.append(next(dice))
            banked = sum(rolls) if rolls[-1] else 0
            turns.append(RecordedTurn("x", number, score, 0, len(rolls), banked, tuple(rolls)))
            score += banked
        return turns
