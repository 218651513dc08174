"""The strategies that the page comes with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pigevo.exact import optimal
from pigevo.games import Pig
from pigevo.strategies import Strategy, hold_at, keep_pace_and_end_race, load_strategy, roll_to_win, score

GAME = Pig()
CHAMPION = Path(__file__).with_name("champion.npz")
"""What `python -m pigevo experiment=coevolve seed=1` hands over."""


@dataclass(frozen=True)
class Shown:
    """A strategy with what is said of it.

    Args:
        id: its name in addresses and files, in small letters, digits and hyphens.
        title: its name on the page.
        sentence: how it plays, for somebody who does not know it.
        source: where it comes from.
        strategy: itself.
    """

    id: str
    title: str
    sentence: str
    source: str
    strategy: Strategy


def shown_strategies() -> Iterator[Shown]:
    """All of them; the first three are the opponents that are offered first."""
    yield Shown(
        "optimal", "The optimum", "No strategy beats it: computed exactly, for every score.",
        "Neller & Presser 2004; solved by pigevo", optimal(GAME).strategy,
    )  # fmt: skip
    yield Shown(
        "hold-at-20", "Hold at 20", "Banks as soon as a turn is worth 20, whatever the scores.",
        "Neller & Presser 2004", hold_at(GAME, 20),
    )  # fmt: skip
    yield Shown(
        "champion", "The evolved champion", "Evolved from random strategies by playing only against its own ancestors.",
        "python -m pigevo experiment=coevolve seed=1", load_strategy(CHAMPION),
    )  # fmt: skip
    yield Shown(
        "keep-pace", "Keep pace, end race",
        "Holds at 21 plus an eighth of what it lacks, and rolls to win when a score comes to 71.",
        "Neller & Presser 2010", keep_pace_and_end_race(GAME),
    )  # fmt: skip
    yield Shown(
        "score-20", "Score 20", "Rolls while it is not ahead; once ahead it banks at 20.",
        "Exeter 2016, section 3.4.5", score(GAME, 20),
    )  # fmt: skip
    yield Shown(
        "hold-at-25", "Hold at 25", "Banks as soon as a turn is worth 25: the best of its kind against the optimum.",
        "Neller & Presser 2004", hold_at(GAME, 25),
    )  # fmt: skip
    yield Shown(
        "roll-to-win", "Roll to win", "Never banks before it has won: the bravest, and nearly the worst.",
        "Exeter 2017, section 3.3.6", roll_to_win(GAME),
    )  # fmt: skip
