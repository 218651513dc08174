"""Tables of decisions as operators see them, and as the engine and the arena read them."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Bools, Bytes


def layout(tables: Bools) -> Bytes:
    """Decisions as the exact engine and the arena read them; nothing is copied that was laid out so before.

    Args:
        tables: decisions as a fitness is handed them, shape (n, own, opponent, turn total).

    Returns:
        The same as bytes of shape (n, own, turn total, opponent), contiguous.
    """
    return np.ascontiguousarray(tables.transpose(0, 1, 3, 2)).view(np.uint8)
