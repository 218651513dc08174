"""The benchmark: algorithms ask for results of pairs, within a budget, and the exact referee judges their champions.

`protocol` says what an algorithm is, and `algorithms` has the reference algorithms.  `instances` are the tasks, `zeros`
the best that their genomes can do.  `trial` is one algorithm on one instance with one seed: it plays or solves what is
asked, and judges.  `tasks` are many of them for worker processes, and `entrant_process` is where a user's algorithm
works.  `bench` runs them in a folder and writes tables, pictures and the records that IOHanalyzer reads; `results`
summarises them and has reference results beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr

_HOMES = {
    "bench": ["benchmark"],
    "instances": ["Instance", "instance"],
    "protocol": ["REFERENCE", "Algorithm", "Make", "Problem", "Question"],
    "results": ["reference_beside"],
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
    from .results import reference_beside as reference_beside
    from .trial import (
        Trial as Trial,
    )
    from .trial import (
        try_out as try_out,
    )
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
