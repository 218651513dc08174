"""Configs: the schema of conf/, composed by Hydra, with its errors as one sentence."""
