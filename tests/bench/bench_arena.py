"""Simulated games per second, beside a plain loop over OpenSpiel's states in the same run.

Run by `make bench`.  The figures are in `extra_info`: `games/s`, and for one thread
`times OpenSpiel`, the ratio to OpenSpiel's loop with the same strategies.
"""

import random
import time

import pytest

import pigevo
from pigevo.threads import available_cores

PIG = pigevo.Pig(target=100)
PAIRS = {
    "hold_at 20 v 25": (pigevo.hold_at(PIG, 20), pigevo.hold_at(PIG, 25)),
    "two random strategies": (pigevo.random_strategy(PIG, seed=0), pigevo.random_strategy(PIG, seed=1)),
}
GAMES = 400_000
ROLL, STOP = 0, 1


def openspiel_games_per_second(a, b, games=200):
    """A plain loop: the state asks the strategies and the dice, action by action."""
    pyspiel = pytest.importorskip("pyspiel")
    board = pyspiel.load_game("pig", {"winscore": PIG.target, "horizon": 100_000})
    rng = random.Random(1)
    rolls = [p.roll.tolist() for p in (a, b)]
    begin = time.process_time()
    for _ in range(games):
        state = board.new_initial_state()
        scores, total, player = [0, 0], 0, 0
        while not state.is_terminal():
            if state.is_chance_node():
                side = rng.randrange(6)  # outcome 0 is the 1
                state.apply_action(side)
                if side == 0:
                    total, player = 0, 1 - player
                else:
                    total += side + 1
            elif scores[player] + total < PIG.target and rolls[player][scores[player]][scores[1 - player]][total]:
                state.apply_action(ROLL)
            else:
                state.apply_action(STOP)
                scores[player] += total
                total, player = 0, 1 - player
    return games / (time.process_time() - begin)


@pytest.mark.parametrize("paired", [False, True], ids=["own dice", "paired dice"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", PAIRS)
def test_games_per_second(benchmark, name, workers, paired):
    if workers > available_cores():
        pytest.skip("one core")
    a, b = PAIRS[name]

    def play():
        return pigevo.play_match(a, b, games=GAMES, workers=workers, paired=paired)

    play()  # compiles
    benchmark.pedantic(play, rounds=10)
    rate = GAMES / benchmark.stats.stats.min
    benchmark.extra_info["games/s"] = round(rate)
    if workers == 1:
        plain = openspiel_games_per_second(a, b)
        benchmark.extra_info["OpenSpiel games/s"] = round(plain)
        benchmark.extra_info["times OpenSpiel"] = round(rate / plain)


def test_matches_of_a_judge_per_second(benchmark):
    """All pairs of 40 strategies, 100 games each: the lanes go from one match to the next."""
    from pigevo.dice import Draw
    from pigevo.evolve.judges.games import Games
    from pigevo.evolve.verdict import every_pair

    judge = Games(PIG, 1, games=100)
    rows = pigevo.CubeGrid(PIG, 1).to_rows(Draw(1, "population").bits(40, pigevo.CubeGrid(PIG, 1).genes))
    pairs = every_pair(40)
    judge(rows, pairs, Draw(1, "dice"))
    benchmark.pedantic(judge, args=(rows, pairs, Draw(1, "dice")), rounds=10)
    benchmark.extra_info["games/s"] = round(100 * len(pairs) / benchmark.stats.stats.min)
