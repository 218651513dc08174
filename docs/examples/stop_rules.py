"""Stop rules of one's own: a function of the generation, and a class that remembers."""

import numpy as np

import pigevo


def alike(generation, share: float = 0.01):
    """The run ends when members differ on average in less than this share of their genes from the most common ones."""
    ones = generation.genomes.mean(axis=0)
    return np.minimum(ones, 1 - ones).mean() < share


class Longest(pigevo.StopRule):
    """The run ends when one and the same genome has had the best score in `most` generations on end."""

    def __init__(self, most: int = 20):
        self.most = most

    def remember(self, generation, remembered):
        """Arrays by name, which the next call finds in `remembered`; a checkpoint holds them, too."""
        best = generation.genomes[generation.scores.argmax()]
        same = np.array_equal(best, remembered.get("best"))
        return {"best": best, "times": remembered["times"] + 1 if same else np.ones(1)}

    def ends(self, generation, remembered):
        """Whether the run ends with this generation."""
        return self.remember(generation, remembered)["times"][0] >= self.most
