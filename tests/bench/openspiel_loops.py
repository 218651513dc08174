"""Two plain loops over the states of OpenSpiel's `pig`, with strategies of pigevo."""

from __future__ import annotations

import random
import re

ROLL, STOP = 0, 1
SCORES = re.compile(r"Scores: (\d+) (\d+), Turn total: (\d+)")


def plain_loop(state, rolls, rng, target):
    """One game as OpenSpiel's examples play it: the state tells the scores and the outcomes of chance."""
    while not state.is_terminal():
        if state.is_chance_node():
            sides, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(sides, chances)[0])
            continue
        first, second, total = map(int, SCORES.search(str(state)).groups())
        player = state.current_player()
        own, other = (first, second) if player == 0 else (second, first)
        state.apply_action(ROLL if own + total < target and rolls[player][own][other][total] else STOP)


def lean_loop(state, rolls, rng, target):
    """One game in which the state is asked as little as possible: scores are kept beside it, sides are known."""
    scores, total, player = [0, 0], 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            side = rng.randrange(6)  # number 0 is the 1
            state.apply_action(side)
            total += side + 1
            if side == 0:
                total, player = 0, 1 - player
        elif scores[player] + total < target and rolls[player][scores[player]][scores[1 - player]][total]:
            state.apply_action(ROLL)
        else:
            state.apply_action(STOP)
            scores[player] += total
            total, player = 0, 1 - player


def playing(loop, a, b, games):
    """A call that plays so many games of `a`, who moves first, against `b`."""
    import pyspiel

    target = a.game.target
    board = pyspiel.load_game("pig", {"winscore": target, "horizon": 100_000})
    rng, rolls = random.Random(1), [p.roll.tolist() for p in (a, b)]

    def play():
        for _ in range(games):
            loop(board.new_initial_state(), rolls, rng, target)

    return play


LOOPS = {"plain loop": plain_loop, "lean loop": lean_loop}
