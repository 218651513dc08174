"""Mutations: changes of genomes, for all children at once."""
