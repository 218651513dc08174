"""A mutation that grows rarer: it remembers how many generations it has seen."""

import numpy as np

import pigevo


class Cooling(pigevo.Mutation):
    """Flips genes with a probability that halves every `half` generations."""

    def __init__(self, half: int = 50):
        self.half = half

    def remember(self, genomes, context):
        """Arrays by name, which the next call finds in `context.state`; a checkpoint holds them, too."""
        return {"seen": context.state.get("seen", np.zeros(1)) + 1}

    def __call__(self, genomes, context):
        """The genomes, shape (n, genes), with some genes flipped."""
        seen = float(context.state.get("seen", np.zeros(1))[0])
        changed = genomes.copy()
        changed.reshape(-1)[context.draw.positions(genomes.size, context.rate * 0.5 ** (seen / self.half))] ^= 1
        return changed
