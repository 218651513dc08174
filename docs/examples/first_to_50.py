"""A fitness in which members meet: only the second half of the game is looked at."""

import numpy as np

import pigevo


class Shortened(pigevo.Fitness):
    """What the first and the second of each pair win from level scores of half the target on, exactly."""

    @property
    def plays(self):
        """Members meet, and no game is simulated."""
        return pigevo.Plays(members=True)

    def __call__(self, tables, context):
        """Win probabilities of the pairs, shape (m, 2)."""
        game = context.game
        half = game.target // 2
        members = [pigevo.Strategy(game, table) for table in tables]

        def wins(a, b):
            return pigevo.state_values(members[a], members[b])[half, half, 0]

        first = [(wins(a, b) + 1 - wins(b, a)) / 2 for a, b in context.pairs]
        return np.stack([first, 1 - np.array(first)], axis=1)
