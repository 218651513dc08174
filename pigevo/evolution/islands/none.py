"""No islands: one population."""

from __future__ import annotations

from pigevo.evolution.migration import Islands
from pigevo.evolution.registries import ISLANDS


@ISLANDS.register(name="none")
class OnePopulation(Islands):
    """The population is one, in which everyone can meet and mate with everyone."""

    def __init__(self) -> None:
        super().__init__(count=1)
