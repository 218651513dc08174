"""The benchmark: algorithms ask for results of pairs, within a budget, and the exact referee judges their champions.

`protocol` says what an algorithm is, and `algorithms` has the reference algorithms.  `instances` are the
tasks, `answers` plays or solves what is asked, `referee` judges outside of the budget, `trial` is one algorithm on
one instance with one seed, `bench` many of them in a folder, `statistics` summarises them, and `output_files`
writes the tables, the pictures and the records that IOHanalyzer reads.
"""

from __future__ import annotations

from pigevo.core.lazy_exports import exported_names, lazy_getattr

_HOMES = {
    "bench": ["benchmark"],
    "instances": ["Instance", "instance"],
    "protocol": ["REFERENCE", "Algorithm", "Make", "Problem", "Question"],
    "trial": ["Trial", "try_out"],
}

__all__ = exported_names(_HOMES)
__getattr__ = lazy_getattr(__name__, _HOMES)
