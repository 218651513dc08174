"""Replacements: who of the survivors stays in the next generation, beside the children."""
