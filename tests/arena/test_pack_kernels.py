"""The compiled packing of decisions against numpy's."""

import numpy as np
import pytest

from pigevo.arena.pack_kernels import pack_rows


@pytest.mark.parametrize("target", [1, 2, 7, 8, 9, 20, 63, 64, 65, 100])
def test_asked_rows_are_packed_like_numpy_packs_them(target):
    rows = np.random.default_rng(target).integers(0, 2, (target,) * 3, dtype=np.uint8)
    packed = np.packbits(rows, axis=2)
    decisions = np.zeros(packed.size, np.uint8)
    pack_rows(rows, packed.shape[2], decisions)
    own, k = np.indices((target, target))
    asked = own + k < target
    found = np.unpackbits(decisions.reshape(packed.shape), axis=2)[:, :, :target]
    assert np.array_equal(found[asked], rows[asked])
