"""The benchmark: algorithms ask for results of pairs, within a budget, and the exact referee judges their champions.

`protocol` says what an algorithm is, and `algorithms` has the reference algorithms.  `instances` are the
tasks, `zeros` the best that their genomes can do, `answers` plays or solves what is asked, and judges, `trial` is one
algorithm on
one instance with one seed, `bench` many of them in a folder, `statistics` summarises them, `reference` has
reference results beside them, and `output_files` writes the tables, the pictures and the records that IOHanalyzer
reads.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pigevo.core.lazy_exports import exported_names, lazy_getattr

_HOMES = {
    "bench": ["benchmark"],
    "instances": ["Instance", "instance"],
    "reference": ["reference_beside"],
    "protocol": ["REFERENCE", "Algorithm", "Make", "Problem", "Question"],
    "trial": ["Trial", "try_out"],
}

__all__ = exported_names(_HOMES)
if TYPE_CHECKING:
    from pigevo.benchmark.bench import benchmark as benchmark
    from pigevo.benchmark.instances import (
        Instance as Instance,
        instance as instance,
    )
    from pigevo.benchmark.protocol import (
        REFERENCE as REFERENCE,
        Algorithm as Algorithm,
        Make as Make,
        Problem as Problem,
        Question as Question,
    )
    from pigevo.benchmark.reference import reference_beside as reference_beside
    from pigevo.benchmark.trial import (
        Trial as Trial,
        try_out as try_out,
    )
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)


class _Callable(ModuleType):
    """The room itself is called, `pigevo.benchmark([MyAlgorithm])`: it has the name of what it does."""

    def __call__(self, *algorithms: Any, **options: Any) -> Any:
        return self.benchmark(*algorithms, **options)


sys.modules[__name__].__class__ = _Callable
