"""Games that somebody who follows a rule plays against a strategy, and small games of every kind."""

import pigevo
from pigevo.dice import Draw
from pigevo.games.game import GAMES
from pigevo.people import Played, events

SMALL = {
    "pig": {"target": 20}, "piglet": {"target": 6, "heads": 0.6}, "two_dice": {"target": 30}, "big_pig": {"target": 40},
    "progressive": {"target": 20}, "pass_the_pigs": {"target": 30}, "ten_rounds": {"turns": 3, "cap": 40, "draw": 0.4},
}  # fmt: skip


def small(name, **more):
    entry = GAMES[name]
    return entry.bind(entry.completed(entry.check(SMALL.get(name, {}) | more, "game")))


def opponents(game):
    """One that holds early, the optimum, and one that leaves some decisions to chance."""
    half = pigevo.hold_at(game, 7).roll.astype(float) * 0.5
    half[game.beginning] = 1.0
    return [pigevo.hold_at(game, 8), pigevo.optimal(game).strategy, pigevo.Strategy(game, half, "half")]


def follow(strategy):
    return lambda place: bool(strategy.roll[place.cell])


def play(opponent, decide, seed=0, number=0, seat=0):
    return Played.of(opponent, seat, events(opponent, seat, Draw(seed, "dice", part=number), decide))
