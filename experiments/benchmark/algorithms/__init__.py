"""The reference algorithms: each file of this folder registers its own."""

from __future__ import annotations

from pigevo.core.registry import Registry

ALGORITHMS = Registry("algorithm", given=1, package=__name__)
"""Classes or functions of a `pigevo.experiments.benchmark.protocol.Problem`, by name."""
