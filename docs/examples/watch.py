"""What is called with each generation of a run."""


def spread(generation, least: float = 0.001):
    """A further column, and the end of the run when all members are as good as each other."""
    found = generation.exact.std()
    return {"spread": found, "stop": found < least}
