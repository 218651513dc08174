"""Fitness: what decides who is better."""
