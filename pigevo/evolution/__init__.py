"""Evolution: genomes, operators, selection, waves and the generation loop, in a DEAP toolbox."""

from pigevo.evolution.plan import Plan

__all__ = ["Plan"]
