"""What is called with each generation of a run."""


def spread(generation):
    """A further column, and the end of the run when all members are as good as each other."""
    found = generation.exact.std()
    return {"spread": found, "stop": found < 0.001}
