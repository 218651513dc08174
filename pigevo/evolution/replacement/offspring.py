"""The two replacements that Exeter 2016 can mean (it does not say which it used)."""

from __future__ import annotations

from pigevo.core.arrays import Bytes
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import REPLACEMENTS


@REPLACEMENTS.register()
def offspring(survivors: Bytes, context: Context) -> Bytes:
    """Nobody stays: with half of the population surviving, each pair has four children."""
    return survivors[:0]


@REPLACEMENTS.register()
def survivors_and_offspring(survivors: Bytes, context: Context) -> Bytes:
    """All survivors stay, unchanged; children fill the rest."""
    return survivors
