"""The strategies that the page comes with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pigevo.exact import optimal
from pigevo.games import Pig
from pigevo.strategies import Strategy, hold_at, load_strategy, roll_to_win, score
from pigevo.strategies.rules import parse_rule

GAME = Pig()
CHAMPION = Path(__file__).with_name("champion.npz")
"""What `python -m pigevo experiment=coevolve seed=1 fitness.exploring_starts=0` hands over."""

RULES = {
    "one": "multiple(25)",
    "two": "multiple(24); race either>=72",
    "three": "22+(j-i)/7; race 2*own+opponent>=178",
    "four": "21+(j-i)/7; race own+2*opponent>=194 or leaves<=13",
}
"""The best rules by how many numbers a person must remember, as the study `rules` has found them."""

PUBLISHED = "21+(j-i)/8; race either>=71"


@dataclass(frozen=True)
class PageStrategy:
    """A strategy with what is said of it.

    Args:
        id: its name in addresses and files, in small letters, digits and hyphens.
        title: its name on the page.
        sentence: how it plays, for somebody who does not know it.
        source: where it comes from.
        strategy: itself.
        rule: as it is typed, without `rule:`, if it is one.
    """

    id: str
    title: str
    sentence: str
    source: str
    strategy: Strategy
    rule: str = ""


def shown_strategies() -> Iterator[PageStrategy]:
    """All of them; the first three are the opponents that are offered first."""
    yield PageStrategy(
        "optimal", "The optimum", "No strategy beats it: computed exactly, for every score.",
        "Neller & Presser 2004; solved by pigevo", optimal(GAME).strategy,
    )  # fmt: skip
    yield PageStrategy(
        "hold-at-20", "Hold at 20", "Banks as soon as a turn is worth 20, whatever the scores.",
        "Neller & Presser 2004", hold_at(GAME, 20),
    )  # fmt: skip
    yield PageStrategy(
        "champion", "The evolved champion", "Evolved from random strategies by playing only against its own ancestors.",
        "python -m pigevo experiment=coevolve seed=1 fitness.exploring_starts=0", load_strategy(CHAMPION),
    )  # fmt: skip
    for number, text in RULES.items():
        yield _rule(f"rule-{number}", f"The {number}-number rule", text, "pigevo study rules")
    yield _rule("keep-pace", "Keep pace, end race", PUBLISHED, "Neller & Presser 2010")
    yield PageStrategy(
        "score-20", "Score 20", "Rolls while it is not ahead; once ahead it banks at 20.",
        "Exeter 2016, section 3.4.5", score(GAME, 20),
    )  # fmt: skip
    yield PageStrategy(
        "hold-at-25", "Hold at 25", "Banks as soon as a turn is worth 25: the best of its kind against the optimum.",
        "Neller & Presser 2004", hold_at(GAME, 25),
    )  # fmt: skip
    yield PageStrategy(
        "roll-to-win", "Roll to win", "Never banks before it has won: the bravest, and nearly the worst.",
        "Exeter 2017, section 3.3.6", roll_to_win(GAME),
    )  # fmt: skip


def _rule(id: str, title: str, text: str, source: str) -> PageStrategy:
    rule = parse_rule(text)
    return PageStrategy(id, title, rule.sentence, source, rule.strategy(GAME), rule.text)


@dataclass(frozen=True, eq=False)
class Film:
    """A run as the page shows it.

    Args:
        record: the film itself, of plain values.
        champion: the strategy of its last frame.
    """

    record: dict[str, Any]
    champion: Strategy
