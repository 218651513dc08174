"""The benchmark: algorithms ask for results of pairs, within a budget, and the exact referee judges their champions.

`protocol` says what an algorithm is, and `algorithms` has the reference algorithms.  `instances` are the
tasks, `zeros` the best that their genomes can do, `answers` plays or solves what is asked, and judges, `trial` is one
algorithm on
one instance with one seed, `bench` many of them in a folder, `statistics` summarises them, `reference` has
reference results beside them, and `output_files` writes the tables, the pictures and the records that IOHanalyzer
reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr

_HOMES = {
    "bench": ["benchmark"],
    "instances": ["Instance", "instance"],
    "reference": ["reference_beside"],
    "protocol": ["REFERENCE", "Algorithm", "Make", "Problem", "Question"],
    "trial": ["Trial", "try_out"],
}

__all__ = exported_names(_HOMES)
if TYPE_CHECKING:
    from .bench import benchmark as benchmark
    from .instances import (
        Instance as Instance,
    )
    from .instances import (
        instance as instance,
    )
    from .protocol import (
        REFERENCE as REFERENCE,
    )
    from .protocol import (
        Algorithm as Algorithm,
    )
    from .protocol import (
        Make as Make,
    )
    from .protocol import (
        Problem as Problem,
    )
    from .protocol import (
        Question as Question,
    )
    from .reference import reference_beside as reference_beside
    from .trial import (
        Trial as Trial,
    )
    from .trial import (
        try_out as try_out,
    )
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
