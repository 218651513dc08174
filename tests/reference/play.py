"""Games played roll by roll."""

import numpy as np

from tests.reference.rules import gains_of


def play(game, a, b, starter, rng):
    """One game; who won: 0 for a, 1 for b, None for a stalemate."""
    points = np.array([0, *(g for g, _ in gains_of(game))])
    chances = np.array([game.bust, *(p for _, p in gains_of(game))], dtype=float)
    steps = np.cumsum(chances)
    scores, rolls, player, passes = [0, 0], (a, b), starter, 0
    while True:
        own, other, total, acted = scores[player], scores[1 - player], 0, False
        while own + total < game.target and rolls[player][own, other, total]:
            acted = True
            gain = points[min(np.searchsorted(steps, rng.random(), side="right"), len(points) - 1)]
            if gain == 0:
                total = 0
                break
            total += int(gain)
        scores[player] = own + total
        if scores[player] >= game.target:
            return player
        passes = 0 if acted else passes + 1
        if passes == 2:
            return None
        player = 1 - player


def play_many(game, a, b, games, seed, starter=0):
    """(wins of a, wins of b, stalemates) of `games` games that `starter` begins."""
    rng = np.random.default_rng(seed)
    results = [play(game, a, b, starter, rng) for _ in range(games)]
    return results.count(0), results.count(1), results.count(None)
