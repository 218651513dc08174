"""A mutation that cannot be made again: it takes its luck from a place that no run controls."""

import numpy as np


def coins(genomes, context):
    """Flip genes with numpy's own random numbers, which `pigevo check` finds."""
    return genomes ^ (np.random.random(genomes.shape) < context.rate).astype(np.uint8)
