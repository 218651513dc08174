"""Small calls of the kernels that certify a solution, so that they are compiled while one is found."""

from __future__ import annotations

import numpy as np

from pigevo.games import Pig
from pigevo.three_player.certificate import certify
from pigevo.three_player.strategy import Strategy

TASK = {
    f"{__name__}:check": [
        "pigevo.three_player.evaluation_kernels.evaluate_orbits",
        "pigevo.three_player.certificate_kernels.respond_orbits",
    ]
}
"""For `pigevo.compiled.cache`."""


def check() -> None:
    """The certificate of a small strategy."""
    strategy = Strategy.from_function(Pig(2), lambda a, b, c, k: 1)
    certify(strategy, np.zeros((3, 3, 3, 3)))
