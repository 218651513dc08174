"""A small game to sit at, and what a person types."""

SMALL = "--target 20 --seed 7"


def lines(*answers):
    return "".join(f"{answer}\n" for answer in answers)
