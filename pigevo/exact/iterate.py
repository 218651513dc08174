"""Iterated best response: each strategy the best answer to the one before."""

from __future__ import annotations

from collections.abc import Iterator

from pigevo.exact.solve import Solution, best_response
from pigevo.strategies import Strategy


def iterated_best_response(start: Strategy, rounds: int = 50) -> Iterator[Solution]:
    """The best response to `start`, the best response to that, and so on.

    It ends when a response is the strategy that it answers: a fixed array, which is an
    equilibrium with itself.

    Args:
        start: what the first round answers.
        rounds: how many rounds at the most.

    Yields:
        The solution of each round, its values those against the round before.
    """
    for _ in range(rounds):
        answer = best_response(start)
        yield answer
        if answer.strategy == start:
            return
        start = answer.strategy
