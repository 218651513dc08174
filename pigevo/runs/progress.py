"""Long work that shows itself: bars beside the log, off when not on a terminal."""

from __future__ import annotations

import functools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tqdm import tqdm

from pigevo.evolution.loop import State
from pigevo.threads import hearing

RECENT = 20
"""Generations over which the rate of games is taken."""


_followers: list[Callable[[int], object]] = []


@contextmanager
def followed(hear: Callable[[int], object]) -> Iterator[None]:
    """Inside, `hear` is called with the generation that a run stands at, whenever it has gone on."""
    _followers.append(hear)
    try:
        yield
    finally:
        _followers.remove(hear)


class Moment(NamedTuple):
    """What a run had done at a time."""

    time: float
    evaluations: int
    games: int


class RunBar:
    """The bar of a run: generations a second and the time left, games a second, and the last recorded row.

    Args:
        state: where the run stands.
        total: its generations.
    """

    def __init__(self, state: State, total: int) -> None:
        self._bar = tqdm(initial=state.generation, total=total, unit="gen", disable=None, dynamic_ncols=True)
        self._figures = ""
        self._tell(state)
        self._past = deque([Moment(time.perf_counter(), state.evaluations, state.games)], maxlen=RECENT)

    def __enter__(self) -> RunBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def show(self, row: Mapping[str, Any]) -> None:
        """Put a recorded row beside the bar."""
        self._figures = f"cubes {row['cube_size']}  best {row['best']:.4f}  mean {row['mean']:.4f}"

    def step(self, state: State) -> None:
        """One generation more."""
        self._tell(state)
        if self._bar.disable:
            return
        self._past.append(Moment(time.perf_counter(), state.evaluations, state.games))
        self._bar.set_postfix_str(f"{pace(self._past)}  {self._figures}", refresh=False)
        self._bar.update()

    def _tell(self, state: State) -> None:
        for hear in _followers:
            hear(state.generation)


def pace(past: Sequence[Moment]) -> str:
    """Games a second, or strategies judged where no games are played, between the first moment and the last."""
    first, last = past[0], past[-1]
    played = last.games - first.games
    done, unit = (played, "games") if played else (last.evaluations - first.evaluations, "evaluations")
    return f"{tqdm.format_sizeof(done / max(last.time - first.time, 1e-9))} {unit}/s"


def tracked(what: str, total: int | None = None) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """A bar over other long work; as that of a run, off when not on a terminal."""
    return functools.partial(tqdm, desc=what, total=total, disable=None, dynamic_ncols=True, leave=False)


@contextmanager
def bar_of_judging(what: str, pairs: int, games: int) -> Iterator[None]:
    """A bar over the pairs that are judged inside, or over their games, if each plays any."""
    total, unit = (pairs * games, " games") if games else (pairs, " evaluations")
    bar = tqdm(desc=what, total=total, unit=unit, unit_scale=True, disable=None, dynamic_ncols=True, leave=False)
    with bar, hearing(bar.update):
        yield
