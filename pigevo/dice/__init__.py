"""Random numbers as a function of a counter, never a state.

The generator is Philox4x64-10 (Salmon, Moraes, Dror & Shaw, "Parallel random numbers:
as easy as 1, 2, 3", SC 2011), in numpy's own implementation; its compiled twin is in
`pigevo.simulation`.  It maps a key of two words and a counter of four to four random words:

    key = (seed, stream)      counter = (block, part, pair, generation)

A *part* is a game of a match, or one of several draws of an operator.  So any draw can be
repeated alone, independently of earlier draws and of the number of threads.  Block 0 is not
used, because numpy increments the counter before it draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.random import Philox

from pigevo.core.arrays import Bytes, Floats, Ints, Words
from pigevo.core.checked_values import LARGEST_SEED
from pigevo.core.portable_math import log, log1m
from pigevo.errors import InputError, unknown

STREAM_VERSION = 1  # incremented whenever a stream gives different numbers than before; every record contains it

STREAMS = {"population": 1, "selection": 2, "crossover": 3, "mutation": 4, "dice": 5, "validation": 6}

Key = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]
"""Counter and key: part, pair, generation, seed, and the stream's number."""

CLOSE = 1e-9
"""Logarithms computed by different processors differ by far less than this; results closer to an integer than this are
computed again by the portable logarithm."""


_IDLE: list[Philox] = []
"""Generators that nobody uses: to make one takes longer than most draws."""

_NO_WORDS = np.zeros(4, np.uint64)


@dataclass(frozen=True)
class Draw:
    """The random numbers of one counter, by Philox (Salmon et al. 2011): the same at every draw.

    An operator gets its own as `context.draw`.

    Args:
        seed: the run's seed, from 0 to 2^63 - 1.
        stream: their purpose, one of `STREAMS`: `dice`, `mutation`, ...
        generation: the number of the generation.
        pair: the number of the pair of members.
        part: 0 for the first draw in a call; further draws need 1, 2, ... because they would repeat the same numbers.

    Raises:
        InputError: the seed is outside its range, or there is no stream of this name.

    Example:
        >>> from pigevo.dice import Draw
        >>> draw = Draw(1, "mutation")
        >>> draw.bits(2, 3).shape, bool((draw.uniforms(9) == Draw(1, "mutation").uniforms(9)).all())
        ((2, 3), True)
        >>> bool(draw.uniforms(1)[0] == draw.at(part=1).uniforms(1)[0])
        False
    """

    seed: int
    stream: str
    generation: int = 0
    pair: int = 0
    part: int = 0

    def __post_init__(self) -> None:
        is_integer = isinstance(self.seed, int | np.integer) and not isinstance(self.seed, bool)
        if not is_integer or not 0 <= self.seed <= LARGEST_SEED:
            raise InputError(f"seed must be an integer from 0 to {LARGEST_SEED}, not {self.seed!r}.")
        if self.stream not in STREAMS:
            raise unknown("stream", self.stream, STREAMS)

    def at(self, *, pair: int = 0, part: int = 0) -> Draw:
        """The draw for a pair and part of the same generation; what is not given is 0, whatever it is in this draw."""
        return Draw(self.seed, self.stream, self.generation, pair, part)

    @property
    def key(self) -> Key:
        """Counter and key as arguments of compiled code."""
        part, pair, generation, seed = map(np.uint64, (self.part, self.pair, self.generation, self.seed))
        return part, pair, generation, seed, np.uint64(STREAMS[self.stream])

    def words(self, count: int, block: int = 0) -> Words:
        """`count` random 64-bit words after `block` blocks of four; a longer draw starts with the shorter one."""
        counter = np.array([block, self.part, self.pair, self.generation], dtype=np.uint64)
        key = np.array([self.seed, STREAMS[self.stream]], dtype=np.uint64)
        try:
            generator = _IDLE.pop()
        except IndexError:  # others draw meanwhile
            generator = Philox(0)
        generator.state = {
            "bit_generator": "Philox", "state": {"counter": counter, "key": key}, "buffer": _NO_WORDS,
            "buffer_pos": len(_NO_WORDS), "has_uint32": 0, "uinteger": 0,
        }  # fmt: skip
        words: Words = generator.random_raw(count)
        _IDLE.append(generator)
        return words

    def uniforms(self, count: int) -> Floats:
        """Uniform numbers from the 2^53 multiples of 2^-53 in [0, 1)."""
        return (self.words(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def normals(self, count: int) -> Floats:
        """Standard normal numbers by the polar method (Marsaglia & Bray 1964), identical on every processor."""
        tries = count + 8
        # Points of a square that lie in the unit circle. If they are too few, a longer draw begins with the same ones.
        while True:
            points = 2.0 * self.uniforms(2 * tries).reshape(-1, 2) - 1.0
            square = points[:, 0] * points[:, 0] + points[:, 1] * points[:, 1]
            inside = np.flatnonzero((square > 0) & (square < 1))[:count]
            if len(inside) == count:
                normals: Floats = points[inside, 0] * np.sqrt(-2.0 * log(square[inside]) / square[inside])
                return normals
            tries *= 2

    def bits(self, *shape: int) -> Bytes:
        """Fair zeros and ones."""
        size = int(np.prod(shape))
        raw = self.words(-(-size // 64)).astype("<u8").view(np.uint8)
        return np.unpackbits(raw, count=size, bitorder="little").reshape(shape)

    def permutation(self, count: int) -> Ints:
        """A random permutation of `0 .. count - 1`: the order that sorts as many random words."""
        return np.argsort(self.words(count), kind="stable")

    def positions(self, size: int, probability: float) -> Ints:
        """The sorted positions, out of `size`, of independent events of the given `probability`.

        The gaps between successes of a Bernoulli process are geometric, so the cost
        grows with the number of successes and not with `size`.
        """
        if probability <= 0 or size == 0:
            return np.empty(0, dtype=np.int64)
        if probability >= 1:
            return np.arange(size, dtype=np.int64)
        count = gaps_to_draw(size, probability)
        while True:
            positions = _positions_of_successes(self.uniforms(count), probability, size)
            if positions[-1] >= size:
                return positions[: np.searchsorted(positions, size)]
            count *= 2

    def rolls(self, die: Die) -> Iterator[int]:
        """An endless iterator over the points of rolls; 0 is a bust."""
        done, count = 0, 16
        # A block is four words. The count doubles, so that a long game takes few calls.
        while True:
            for word in self.words(count, block=done // 4).tolist():
                yield from die.read(word)
            done += count
            count *= 2


@dataclass(frozen=True)
class Die:
    """The distribution of one roll as a table of equally likely slots, and how rolls are read from words.

    A random word is a fraction `w / 2^64`.  For a fair die, whose slots have one result
    each, the fraction's digits in base `slots` are the rolls: if the word is multiplied by
    the number of slots, the upper word of the product is a slot, and the lower one is the
    fraction for the next roll.  Eight, four or two rolls are read from a word, as many as keep
    `slots^rolls` within 2^24, so that any sequence of rolls has its probability to within
    a factor of 1 +- 2^-40.

    For other dice it is an alias table (Walker 1977, Vose 1991): a slot has its own points if
    the lower word is below the slot's cut, and its alias points otherwise.  Two rolls are read
    from a word, one from all of it, the next from its lower half; probabilities are met
    to within 2^-32 times the number of slots.

    Args:
        own: points of each slot, 0 for a bust.
        alias: the points of the remainder of each slot.
        cut: where the remainder starts in units of 2^-32, from 0 to 2^32.
    """

    own: Ints
    alias: Ints
    cut: Words

    @staticmethod
    @lru_cache(maxsize=64)
    def of(gains: tuple[tuple[int, float], ...], bust: float) -> Die:
        """The table of a die with these gains and this bust probability."""
        own = np.array([0, *(points for points, _ in gains)], dtype=np.int64)
        weights = np.array([bust, *(p for _, p in gains)]) * len(own)
        alias = own.copy()
        cut = np.full(len(own), 2**32, dtype=np.uint64)
        if np.allclose(weights, 1, rtol=0, atol=1e-12):
            return Die(own, alias, cut)
        # Vose's method. Weights are in slots: 1 fills a slot. A result with less fills a part of its own slot, and a
        # result with more gives the rest from its weight. In the end every result has 1 left, but for rounding.
        small = [s for s in range(len(own)) if weights[s] < 1]
        large = [s for s in range(len(own)) if weights[s] >= 1]
        while small and large:
            poor, rich = small.pop(), large[-1]
            cut[poor] = round(weights[poor] * 2**32)
            alias[poor] = own[rich]
            weights[rich] -= 1 - weights[poor]
            if weights[rich] < 1:
                small.append(large.pop())
        return Die(own, alias, cut)

    @property
    def is_fair(self) -> bool:
        """Whether every slot has only one result."""
        return bool((self.cut == 2**32).all())

    @property
    def rolls_per_word(self) -> int:
        """How many rolls are read from 64 random bits."""
        slots = len(self.own)
        return max(n for n in (2, 4, 8) if n == 2 or (self.is_fair and slots**n <= 2**24))

    def read(self, word: int) -> list[int]:
        """The points of the rolls of one random word, in their order; 0 is a bust."""
        rolls = []
        for _ in range(self.rolls_per_word):
            slot, fraction = divmod(word * len(self.own), 2**64)
            rolls.append(int((self.own if fraction >> 32 < self.cut[slot] else self.alias)[slot]))
            # For a die with aliases the fraction is used up by the cut: the next roll is read from the lower half.
            word = fraction if self.is_fair else (word << 32) % 2**64
        return rolls


def gaps_to_draw(size: int, probability: float) -> int:
    """A number of geometric gaps whose sum very probably exceeds `size`; the caller doubles it if not."""
    mean = size * probability
    return int(mean + 6 * np.sqrt(mean) + 16)


def _positions_of_successes(uniforms: Floats, probability: float, size: int) -> Ints:
    """The positions of successes; positions from `size` on only show that the end was passed."""
    with np.errstate(over="ignore", invalid="ignore"):  # an infinite gap is beyond every position
        # A gap is the integer part of log(1 - u) / log(1 - p). Two processors' logarithms can give different ones only
        # near an integer; there the portable logarithm decides.
        gaps = np.log1p(-uniforms) / np.log1p(-probability)
        close = np.flatnonzero(np.abs(gaps - np.rint(gaps)) <= CLOSE * gaps)
        if close.size:
            gaps[close] = log1m(uniforms[close]) / log1m(probability)
    return np.cumsum(np.minimum(gaps, size).astype(np.int64) + 1) - 1
