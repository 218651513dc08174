"""Games of people: the printed record of Exeter 2017, games between arrays, of who follows a rule, and of who slips."""

from dataclasses import dataclass

import numpy as np

import pigevo
from pigevo.dice import Die, Draw
from pigevo.games.game import GAMES
from pigevo.people import People, Person, Played, RecordedTurn, events, recorded_game
from pigevo.people.habits import SLIPS
from pigevo.simulation.stepwise import play_turns

SMALL = {"target": 20, "cap": 40, "turns": 3, "draw": 0.4, "heads": 0.6}
"""Of these every game takes what it has."""


def small(name, **more):
    return game_of(name, **({option: SMALL[option] for option in GAMES[name].options if option in SMALL} | more))


def opponents(game):
    """One that holds early, the optimum, and one that leaves some decisions to chance."""
    half = pigevo.hold_at(game, 7).roll.astype(float) * 0.5
    half[game.beginning] = 1.0
    return [pigevo.hold_at(game, 8), pigevo.optimal(game).strategy, pigevo.Strategy(game, half, "half")]


def follow(strategy):
    return lambda place: bool(strategy.roll[place.cell])


def play(opponent, decide, seed=0, number=0, seat=0):
    return Played.of(opponent, seat, events(opponent, seat, Draw(seed, "dice", part=number), decide))


FIGURE_6 = """game,player,preference,turn,rolls,banked,score
figure 6,player 2,risk loving,1,4,16,16
figure 6,player 2,,2,2,8,24
figure 6,player 2,,3,3,8,32
figure 6,player 2,,4,3,16,48
figure 6,player 2,,5,1,0,48
figure 6,player 2,,6,3,0,48
figure 6,player 2,,7,3,13,61
figure 6,player 2,,8,2,9,70
figure 6,player 2,,9,1,0,70
figure 6,player 2,,10,4,16,86
figure 6,player 2,,11,1,0,86
figure 6,player 2,,12,4,15,101
"""


def played(a, b, games=1, seed=0, dice=True, names=("ann", "bob")):
    """Games between two strategies, who move first in turn."""
    return [
        recorded_game(f"g{n}", names if n % 2 == 0 else names[::-1],
                      play_turns(*((a, b) if n % 2 == 0 else (b, a)), Draw(seed, "validation").at(part=n), 10_000), dice)
        for n in range(games)
    ]  # fmt: skip


def people(a, b, **options):
    """The same as a record of two people."""
    return People(a.game, (Person("ann", "seeking", "b", "b"), Person("bob")), tuple(played(a, b, **options)))


def turns_of(games, name="ann"):
    return [turn for game in games for turn in game.turns_of(name)]


def slipping(game, rule, early, late):
    """A player who holds at `rule(i, j)`, holds early with one chance and rolls late with another."""

    def chance(i, j, k):
        return np.where(k < rule(i, j), 1 - early, late) + np.zeros(game.shape)

    return pigevo.Strategy.from_function(game, chance, "slipping", mixed=True)


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
