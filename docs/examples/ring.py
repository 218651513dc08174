"""A selection of one's own: everyone meets two others, on a ring that is shuffled each time."""

import numpy as np

import pigevo


class Ring(pigevo.Selection):
    """Each member meets its two neighbours on a shuffled ring; the better half survives."""

    def pairs(self, size, context):
        """Who meets whom: indices of shape (size, 2)."""
        order = context.draw.permutation(size)
        return np.stack([order, np.roll(order, 1)], axis=1)

    def __call__(self, scores, context):
        """The indices of the survivors; ties go by luck, from another part of the same draw."""
        best_first = np.lexsort((context.draw.at(part=1).uniforms(len(scores)), -scores))
        return best_first[: len(scores) // 2]
