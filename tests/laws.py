"""The p-values of what was drawn under the law that it should follow.  Seeds are fixed; a law fails below p = `RARE`."""

import numpy as np
from scipy import stats

RARE = 1e-4


def fits(counts, chances):
    """Of counts, by chi-square: cells expected fewer than five times are pooled, impossible ones must be empty."""
    counts, chances = np.asarray(counts), np.asarray(chances, dtype=float)
    due = chances / chances.sum() * counts.sum()
    assert not counts[due == 0].any()
    rare = due < 5
    seen, due = np.append(counts[~rare], counts[rare].sum()), np.append(due[~rare], due[rare].sum())
    assert (due > 0).sum() > 1, "there is one possible outcome only: compare it directly"
    return stats.chisquare(seen[due > 0], due[due > 0]).pvalue


def tossed(coins, chance=0.5):
    """Of an array of 0 and 1: the number of ones is binomial."""
    return stats.binomtest(int(np.sum(coins)), np.size(coins), chance).pvalue


def neighbours(bits):
    """Of a matrix of fair coins: whether those side by side, below each other, and 64 apart, are independent."""
    return min(tossed(one) for one in (bits[:, 1:] ^ bits[:, :-1], bits[1:] ^ bits[:-1], bits[:, 64:] ^ bits[:, :-64]))
