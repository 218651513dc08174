"""The compiled packing of decisions against numpy's."""

import numpy as np
import pytest

from pigevo.games import Pig
from pigevo.simulation.pack_kernels import pack_rows
from pigevo.simulation.tables import pack
from pigevo.strategies import CubeGrid, Members


@pytest.mark.parametrize("target", [1, 8, 9, 63, 65, 100])
def test_asked_rows_are_packed_like_numpy_packs_them(target):
    random = np.random.default_rng(target)
    rows = random.integers(0, 2, (2, target + 3, target), dtype=np.uint8)
    row_of_cell = random.integers(0, target + 5, (target, target))
    tables = [np.concatenate([one, [[0] * target, [1] * target]])[row_of_cell] for one in rows]
    packed = np.packbits(tables, axis=3)
    decisions = np.zeros(packed.size, np.uint8)
    pack_rows(rows, row_of_cell, packed.shape[3], decisions)
    own, k = np.indices((target, target))
    asked = own + k < target
    found = np.unpackbits(decisions.reshape(packed.shape), axis=3)[..., :target]
    assert np.array_equal(found[:, asked], np.array(tables)[:, asked])


@pytest.mark.parametrize("may_pass", [False, True])
@pytest.mark.parametrize(("target", "size"), [(1, 1), (70, 1), (70, (1, 3, 20)), (20, 50)])
def test_members_are_packed_from_their_genes_like_their_tables(target, size, may_pass):
    grid = CubeGrid(Pig(target, allow_pass=may_pass), size)
    genomes = np.random.default_rng(target).integers(0, 2, (3, grid.genes), dtype=np.uint8)
    mine, tables = pack(Members(grid, genomes)), pack(grid.to_tables(genomes))
    assert mine[1:] == tables[1:]
    assert mine.may_pass == (may_pass and not genomes.all())
    own, k = np.indices((target, target))
    cells = [
        one.decisions[: 3 * one.size].reshape(3, target, target, -1)[:, own + k < target] for one in (mine, tables)
    ]
    bits = [np.unpackbits(one, axis=2)[:, :, :target] for one in cells]
    assert np.array_equal(*bits)
