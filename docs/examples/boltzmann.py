"""A selection of one's own in which each member meets one other, as in a knockout."""

import numpy as np


def boltzmann(scores, context, temperature: float = 0.1, opponents: int = 1):
    """Half of the members survive, drawn with weights exp(score / temperature)."""
    luck = -np.log(-np.log(context.draw.uniforms(len(scores))))
    return np.argsort(-(scores / temperature + luck))[: len(scores) // 2]
