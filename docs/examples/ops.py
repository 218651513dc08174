"""Operators of one's own: each is a function of data and a context, and what follows the context are its options."""

import numpy as np


def mixed(first, second, context, share: float = 0.5):
    """A child takes each gene from its second parent with probability `share`.

    Genes of both parents come as zeros and ones of shape (children, genes), and go out as the children's.
    """
    from_second = context.draw.uniforms(first.size).reshape(first.shape) < share
    return np.where(from_second, second, first)


def only_up(genomes, context):
    """A mutation that only turns holds into rolls; `context.rate` is the setting `mutation`."""
    changed = genomes.copy()
    changed.reshape(-1)[context.draw.positions(genomes.size, context.rate)] = 1
    return changed
