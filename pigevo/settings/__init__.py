"""The settings of a run: the schema of conf/, composed by Hydra and checked, as one frozen value."""
