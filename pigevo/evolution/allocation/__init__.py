"""Allocation of games to candidates: how many each plays, in rounds (`pigevo.evolution.game_allocation`)."""
