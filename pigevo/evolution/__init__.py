"""Evolution: genomes, operators, selection, waves and the generation loop, in a DEAP toolbox."""

from pigevo.evolution.plan import Plan, plan_from

__all__ = ["Plan", "plan_from"]
