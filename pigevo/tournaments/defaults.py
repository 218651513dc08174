"""What a tournament takes unless it is told otherwise."""

LENGTH = 100
"""Games of a match in round robins and knockouts."""

TIMES = 1000
"""Round robins, and brackets of knockouts, that are drawn."""

SECONDS = 10.0
"""Processor time that each function of a Python file may take."""

MOST_GAMES = 10_000_000
"""Games of a fair test at most."""
