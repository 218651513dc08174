"""The compiled loops over genes: coins of crossovers, flips of mutators, and moves of the roll/hold boundary.

Genes flip at the positions of `Draw.positions`, which are found in the same pass: the gap before each flip is
`log(1 - u) / log(1 - p)`, rounded down.  The logarithm of a mantissa m is `2 artanh z` with
`z = (m - 1) / (m + 1)`, to which the exponent times `log 2` is added; the series for `artanh` ends with `z^13`, with an
error below 1e-11.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import COINS, choose_bytes
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.dice import CLOSE, Key
from pigevo.simulation.lane_kernels import philox_block


@kernel()
def choose_by_coins(first: Bytes, of_first: Ints, second: Bytes, of_second: Ints, key: Key, children: Bytes) -> None:
    """Fill child n from its two parents by the bits of random words: 1 takes the gene of the second parent.

    The words are generated where they are used, because reading them from memory would be as slow.

    Args:
        first, second: genomes, shape (m, genes), contiguous.
        of_first, of_second: indices of the parents in them, shape (n,).
        key: what identifies the random words, which have a bit for each gene of all children, in order.
        children: the array to fill, shape (n, genes), contiguous.
    """
    genes, size = children.shape[1], children.size
    a, b, out = first.reshape(-1), second.reshape(-1), children.reshape(-1)
    part, pair, generation, seed, stream = key
    child, end, x, y = -1, 0, 0, 0  # the current child, its end, and the offsets of its parents
    for block in range(-(-size // (4 * COINS))):
        words = philox_block(np.uint64(block + 1), part, pair, generation, seed, stream)
        for number in range(4):
            begin = (4 * block + number) * COINS
            if begin + COINS <= end:
                choose_bytes(a, x + begin, b, y + begin, words[number], out, begin)
                continue
            for gene in range(begin, min(begin + COINS, size)):
                if gene == end:
                    child, end = child + 1, end + genes
                    x, y = (of_first[child] - child) * genes, (of_second[child] - child) * genes
                coin = (words[number] >> np.uint64(gene - begin)) & np.uint64(1)
                out[gene] = b[y + gene] if coin else a[x + gene]


AT_ONCE = 1024
"""Number of gaps that are computed together, so that the arrays fit into the first-level cache."""

LN2 = float.fromhex("0x1.62e42fefa39efp-1")
SQRT_HALF_BITS = int(np.sqrt(0.5).view(np.int64))
"""The bits of the square root of 1/2: mantissas lie between it and twice its value."""

UNIT = float.fromhex("0x1p-53")

_3, _5, _7, _9, _11, _13 = (1 / n for n in range(3, 15, 2))


@kernel(error_model="numpy")
def _gaps(first: int, key: Key, scale: float, gaps: Floats, rest: Floats, mantissas: Floats, twos: Floats) -> int:
    """Fill `gaps` from the words from number `first` on; the other arrays are work space of the same length.

    `first` and the length are multiples of 4.

    Returns:
        The number of gaps so close to a whole number that this logarithm may round them to the wrong one.
    """
    part, pair, generation, seed, stream = key
    bits, mantissa_bits = rest.view(np.int64), mantissas.view(np.int64)
    for n in range(0, len(gaps), 4):
        words = philox_block(np.uint64((first + n) // 4 + 1), part, pair, generation, seed, stream)
        for number in range(4):
            rest[n + number] = 1.0 - np.float64(np.int64(words[number] >> np.uint64(11))) * UNIT
    for n in range(len(gaps)):
        exponent = (bits[n] - SQRT_HALF_BITS) >> 52
        mantissa_bits[n] = bits[n] - (exponent << 52)
        twos[n] = np.float64(exponent)
    close = 0
    for n in range(len(gaps)):
        z = (mantissas[n] - 1.0) / (mantissas[n] + 1.0)
        s = z * z
        more = (((((s * _13 + _11) * s + _9) * s + _7) * s + _5) * s + _3) * s
        gap = (twos[n] * LN2 + 2.0 * (z + z * more)) * scale
        close += 1 if abs(gap - np.rint(gap)) <= CLOSE * gap else 0
        gaps[n] = gap
    return close


@kernel()
def flip_after_gaps(key: Key, count: int, scale: float, genes: Bytes) -> bool:
    """Flip the genes at the positions that `Draw.positions` returns for the same words, or none.

    Args:
        key: what identifies the random words from which the `u` are made.
        count: number of words.
        scale: `1 / log(1 - p)`, where p below 1 is the probability that a gene flips.
        genes: all genes, shape (n,), contiguous.

    Returns:
        Whether the genes were flipped; False if rounding might change a gap, or there are too few words.
    """
    gaps, rest, mantissas, twos = np.empty(AT_ONCE), np.empty(AT_ONCE), np.empty(AT_ONCE), np.empty(AT_ONCE)
    flipped, count_of_flips, gene = np.empty(count, np.int64), 0, np.int64(-1)
    for first in range(0, count, AT_ONCE):
        if _gaps(first, key, scale, gaps, rest, mantissas, twos):
            return False
        for gap in gaps[: count - first]:
            gene += 1 + np.int64(gap)
            if gene >= len(genes):
                _flip(genes, flipped[:count_of_flips])
                return True
            flipped[count_of_flips] = gene
            count_of_flips += 1
    return False


@kernel(borrows=True)
def _flip(genes: Bytes, flipped: Ints) -> None:
    for gene in flipped:
        genes[gene] ^= np.uint8(1)


@kernel()
def read_holds(genes: Bytes, numbers: Ints, holds: Ints) -> None:
    """Find the first slice of the turn total that holds, for every genome and plane; the number of slices if none does.

    Where no gene decides, the start of a turn rolls and all other slices hold, by the rules of the game.

    Args:
        genes: genes of the genomes, shape (n, rows, lanes).
        numbers: the row of each plane and slice, -1 if no row exists, shape (planes, slices).
        holds: the array to fill, shape (n, planes, lanes).
    """
    slices = numbers.shape[1]
    for n in range(holds.shape[0]):
        for plane in range(holds.shape[1]):
            for lane in range(holds.shape[2]):
                first = slices
                for k in range(slices):
                    row = numbers[plane, k]
                    if (genes[n, row, lane] == 0) if row >= 0 else (k > 0):
                        first = k
                        break
                holds[n, plane, lane] = first


@kernel()
def write_holds(holds: Ints, numbers: Ints, genes: Bytes) -> None:
    """Make every genome roll below its boundary and hold from there on.

    Args:
        holds: the first slice that holds, shape (n, planes, lanes).
        numbers: the row of each plane and slice, -1 if no row exists, shape (planes, slices).
        genes: the array to fill, shape (n, rows, lanes).
    """
    for n in range(holds.shape[0]):
        for plane in range(holds.shape[1]):
            for k in range(numbers.shape[1]):
                row = numbers[plane, k]
                if row >= 0:
                    for lane in range(holds.shape[2]):
                        genes[n, row, lane] = 1 if k < holds[n, plane, lane] else 0


@kernel()
def first_hold(genes: Bytes, numbers: Ints, plane: int, lane: int) -> int:
    """The first slice of the turn total that holds at one plane and lane, or the number of slices if none does."""
    for k in range(numbers.shape[1]):
        row = numbers[plane, k]
        if (genes[row, lane] == 0) if row >= 0 else (k > 0):
            return k
    return int(numbers.shape[1])


@kernel()
def plane_of(patch: Ints, strides: Ints, number: int) -> tuple[int, int]:
    """The plane of column `number` of a patch, and its slice along the last axis before the lanes.

    A column consists of the pairs of scores of a patch that differ only in their lane.

    Args:
        patch: the first slice along each axis and the one after the last; the last axis is that of the lanes.
        strides: by how much the number of a plane grows with a slice of each axis but the last.
        number: the number of the column, counted with the last of the patch's axes changing first.
    """
    plane, near = 0, 0
    for axis in range(len(strides) - 1, -1, -1):
        width = patch[axis, 1] - patch[axis, 0]
        at = patch[axis, 0] + number % width
        number //= width
        plane += at * strides[axis]
        if axis == len(strides) - 1:
            near = at
    return plane, near


@kernel(borrows=True)
def columns_in(patch: Ints) -> int:
    """The number of columns of a patch (see `plane_of`)."""
    count = 1
    for axis in range(len(patch) - 1):
        count *= patch[axis, 1] - patch[axis, 0]
    return count


@kernel()
def move_boundary(genes: Bytes, numbers: Ints, plane: int, lane: int, origin: int, by: int, past: int) -> None:
    """Move the boundary of one plane and lane to `by` slices after its old slice, or after `origin`, in place.

    Args:
        genes: genes of a genome, shape (rows, lanes).
        numbers: the row of each plane and slice of the turn total, -1 if no row exists, shape (planes, slices).
        plane, lane: the plane and the lane whose boundary moves.
        origin: the slice from which `by` is counted; with -1 it is counted from the first hold.
        by: slices along the turn total; negative means earlier, but never before the first slice.
        past: number of slices, from the new boundary on, that must hold: those that one roll can reach.
    """
    first, slices = first_hold(genes, numbers, plane, lane), numbers.shape[1]
    new = max((first if origin < 0 else origin) + by, 0)
    for k in range(first, min(new, slices)):
        if numbers[plane, k] >= 0:
            genes[numbers[plane, k], lane] = 1
    for k in range(new, min(max(new + past, first), slices)):
        if numbers[plane, k] >= 0:
            genes[numbers[plane, k], lane] = 0


@kernel()
def move_boundaries(
    genes: Bytes, members: Ints, numbers: Ints, strides: Ints, patches: Ints, by: Ints, levels: Ints, slopes: Ints,
    edge: int, past: int,
) -> None:  # fmt: skip
    """Move the boundary of some genomes, each in its own patch, in place.

    Args:
        genes: genes of all genomes, shape (n, rows, lanes).
        members: which of them change, shape (m,).
        numbers: the row of each plane and slice of the turn total, -1 if no row exists, shape (planes, slices).
        strides: by how much the number of a plane grows with a slice of each axis but that of the lanes.
        patches: the first slice along each axis and the one after the last, shape (m, axes, 2).
        by: slices along the turn total; negative means earlier, shape (m,).
        levels: the pair of scores from whose boundary `by` is counted, in slices, shape (m, axes); with -1 it is
            counted from each pair's own boundary.
        slopes: the points by which the origin rises with a slice along the axis of lanes, and falls with one along the
            axis before, shape (m, 2).
        edge: points in a slice of the turn total.
        past: number of slices, from the new boundary on, that must hold: those that one roll can reach.
    """
    d = len(strides)
    for n in range(len(members)):
        genome, patch, level = genes[members[n]], patches[n], levels[n]
        for boundary in range(strides[-1]):
            start = -1
            if level[0] >= 0:
                # Read before anything moves: the patch contains this pair, too.
                start = first_hold(genome, numbers, boundary + np.sum(level[:d] * strides), level[d])
            for number in range(columns_in(patch)):
                plane, near = plane_of(patch, strides, number)
                for lane in range(patch[d, 0], patch[d, 1]):
                    origin = -1
                    if start >= 0:
                        rise = (lane - level[d]) * slopes[n, 0] - (near - level[d - 1]) * slopes[n, 1]
                        origin = max(0, start + rise // edge)
                    move_boundary(genome, numbers, plane + boundary, lane, origin, by[n], past)


@kernel()
def copy_patches(
    children: Bytes, members: Ints, parents: Bytes, chosen: Ints, numbers: Ints, strides: Ints, patches: Ints
) -> None:
    """Give some children the genes of a parent, each in its own patch, in place.

    Args:
        children: genes of all children, shape (n, rows, lanes).
        members: which of them change, shape (m,).
        parents: genes of the parents, shape (p, rows, lanes).
        chosen: the parent of each of `members`, shape (m,).
        numbers: the row of each plane and slice of the turn total, -1 if no row exists, shape (planes, slices).
        strides: by how much the number of a plane grows with a slice of each axis but that of the lanes.
        patches: the first slice along each axis and the one after the last, shape (m, axes, 2).
    """
    d = len(strides)
    for n in range(len(members)):
        child, parent, patch = children[members[n]], parents[chosen[n]], patches[n]
        for number in range(columns_in(patch)):
            begin = plane_of(patch, strides, number)[0]
            for plane in range(begin, begin + strides[-1]):
                for row in numbers[plane]:
                    if row >= 0:
                        child[row, patch[d, 0] : patch[d, 1]] = parent[row, patch[d, 0] : patch[d, 1]]
