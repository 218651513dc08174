"""Games of people: the printed record of Exeter 2017, and simulated games, with and without slips."""

import pigevo
from pigevo.dice import Draw
from pigevo.games.game import GAMES
from pigevo.people import People, Person, Played, events, recorded_game
from pigevo.simulation.stepwise import play_turns

SMALL = {"target": 20, "cap": 40, "turns": 3, "draw": 0.4, "heads": 0.6}
"""Each game takes the options that it has."""


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
    """Games between two strategies, which take turns at moving first."""
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
        return 1 - early if k < rule(i, j) else late

    return pigevo.Strategy.from_function(game, chance, "slipping", mixed=True)


def turns_by(game, value, early, late, seed):
    """The turns in a game of a player who holds at a value, with slips."""
    player = slipping(game, lambda i, j: value, early, late)
    return turns_of(played(player, pigevo.hold_at(game, game.target // 3), seed=seed))


def game_of(name, **options):
    entry = GAMES[name]
    return entry.bind(entry.completed(entry.check(options, "game")))
