"""The benchmark: algorithms that ask who wins and are told, judged by the exact referee while they spend a budget.

`pigevo.benchmark.protocol` says what an algorithm is; `pigevo.benchmark.algorithms` has the reference algorithms.
"""
