"""The compiled loop of crossovers that toss a coin for each gene."""

from __future__ import annotations

from pigevo.arrays import Bytes, Words
from pigevo.bit_lanes import COINS, choose
from pigevo.compiled import kernel


@kernel()
def choose_by_coins(first: Bytes, second: Bytes, coins: Words, children: Bytes) -> None:
    """Fill `children` from `first` and `second`, all flat, by the bits of `coins`: 1 takes the second's gene."""
    whole = first.size // COINS
    for number in range(whole):
        choose(first, second, coins, number, children)
    for gene in range(whole * COINS, first.size):
        coin = (coins[whole] >> (gene % COINS)) & 1
        children[gene] = second[gene] if coin else first[gene]
