"""Stop by the first of several rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from pigevo.core.checked_values import Filled
from pigevo.errors import InputError, unknown
from pigevo.evolution.operators import State
from pigevo.evolution.plan import Evaluated, Plan, StopRule
from pigevo.evolution.registries import STOPS

EXAMPLE = "[no_progress:100,evaluations:20000]"
NO_PARTS = ("any", "none")


def _settled(options: dict[str, Any]) -> dict[str, Any]:
    for word in options["rules"]:
        rule_of(word)
    return options


@STOPS.register(name="any", complete=_settled)
@dataclass(frozen=True)
class AnyOf(StopRule):
    """The run ends with the first generation with which one of several stop rules would end it.

    Args:
        rules: as `name:number`, as in `no_progress:100`.
    """

    rules: Annotated[Sequence[str], Filled(EXAMPLE)] = ("evaluations:100000", "games:10000000")

    @cached_property
    def parts(self) -> tuple[StopRule, ...]:
        """The rules."""
        return tuple(map(rule_of, self.rules))

    def check(self, plan: Plan) -> None:
        """Each of them must have a meaning."""
        for rule in self.parts:
            rule.check(plan)

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Whether one of them ends it."""
        return any(rule.ends(generation, _own(n, remembered)) for n, rule in enumerate(self.parts))

    def remember(self, generation: Evaluated, remembered: State) -> State:
        """What each of them remembers."""
        return {
            f"rule{n}_{name}": array
            for n, rule in enumerate(self.parts)
            for name, array in rule.remember(generation, _own(n, remembered)).items()
        }


def rule_of(word: str) -> StopRule:
    """The rule that a word says, as in `no_progress:100`.

    Raises:
        InputError: there is no such rule, or its number is missing or wrong.
    """
    name, _, text = word.partition(":")
    if name not in STOPS or name in NO_PARTS:
        raise unknown("stop rule", name, [known for known in STOPS if known not in NO_PARTS])
    entry = STOPS[name]
    (option,) = entry.options
    try:
        number = json.loads(text)
    except ValueError as error:
        raise InputError(f"stop.rules has {word!r}: write a rule with its number, as in {EXAMPLE}.") from error
    rule: StopRule = entry.bind(entry.check({option: number}, f"stop.rules: {name}"))
    return rule


def _own(n: int, remembered: State) -> State:
    """What the rule at a place of the list remembers."""
    return {name.removeprefix(f"rule{n}_"): array for name, array in remembered.items() if name.startswith(f"rule{n}_")}
