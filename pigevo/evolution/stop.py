"""Stop rules: with which generation a run ends before its plan does."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from pigevo.core.checked_values import Filled, Within
from pigevo.core.registry import Registry
from pigevo.errors import InputError, unknown
from pigevo.evolution.operators import State, remembers
from pigevo.evolution.plan import Evaluated, Plan, StopRule

STOPS = Registry("stop rule", 1)


def as_stop_rule(made: Any) -> StopRule:
    """An instance of a class of stop rules as it is, a plain function as the only method of one."""
    inner = made.func if isinstance(made, functools.partial) else made  # an instance that Python handed over
    return inner if isinstance(inner, StopRule) else _Plain(made)


class _Plain(StopRule):
    def __init__(self, function: Callable[[Evaluated], bool]) -> None:
        self._function = function

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """What the function says."""
        return self._function(generation)


def refuse_moving_scores(plan: Plan, rule: str) -> None:
    """Refuse a rule that compares scores of several generations where they are not of one measure.

    Members who meet score against each other, however good all are; and against past champions, or whatever else a
    fitness remembers, scores fall while all get better.
    """
    fitness = plan.names.get("fitness", "this fitness")
    if plan.fitness.plays.members:
        why = f"those of {fitness} are of members who meet each other, half a win on average in every generation"
    elif remembers(plan.fitness):
        why = f"what {fitness} remembers, such as past champions, changes by what it measures them"
    else:
        return
    raise InputError(
        f"stop={rule} compares scores, and {why}: choose stop=evaluations or stop=games, or a fitness without "
        f"{'meetings' if plan.fitness.plays.members else 'memory'}, such as fitness=panel."
    )


@STOPS.register(name="none")
@dataclass(frozen=True)
class Never(StopRule):
    """The run is as long as `generations`, or its waves, say."""

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Never."""
        return False


@STOPS.register(name="evaluations")
@dataclass(frozen=True)
class Evaluations(StopRule):
    """The run ends with the generation by which so many strategies have been evaluated, as `result.json` counts them.

    Args:
        evaluations: how many, each newly made strategy once; the last generation is evaluated whole.
    """

    evaluations: Annotated[int, Within(1, 10**15)] = 100_000

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Whether they have, this generation included."""
        return generation.state.evaluations + generation.state.fresh >= self.evaluations


@STOPS.register(name="games")
@dataclass(frozen=True)
class PlayedGames(StopRule):
    """The run ends with the first generation before which so many games have been simulated, as `metrics.csv` counts.

    Those that find the champion among the members of this last generation come on top.

    Args:
        games: how many.
    """

    games: Annotated[int, Within(1, 10**15)] = 10_000_000

    def check(self, plan: Plan) -> None:
        """The fitness must play games; of the user's own, only playing shows it."""
        if not plan.fitness.plays.games and "fitness" not in plan.own:
            raise InputError(
                f"stop=games would never end the run, since {plan.names['fitness']} plays no games: "
                f"choose stop=evaluations."
            )

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Whether they have."""
        return generation.state.games >= self.games


BEST, SINCE = "best", "since"


@STOPS.register(name="no_progress")
@dataclass(frozen=True)
class NoProgress(StopRule):
    """The run ends when the best score by its own fitness has not risen for so many generations.

    Where there are waves, scores and generations count anew in the last of them, and no earlier one is ended.

    Args:
        generations: without a score above all before.
    """

    generations: Annotated[int, Within(1, 10**9)] = 100

    def check(self, plan: Plan) -> None:
        """All generations must have one measure."""
        refuse_moving_scores(plan, "no_progress")

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Whether the best score is too old."""
        since = int(self.remember(generation, remembered)[SINCE][0])
        return generation.number - max(since, _begin(generation.plan)) >= self.generations

    def remember(self, generation: Evaluated, remembered: State) -> State:
        """The best score so far, and the generation that first had it; the last wave begins without any."""
        best = generation.final_scores.max(keepdims=True)
        if BEST in remembered and best[0] <= remembered[BEST][0]:
            of_before = generation.number > _begin(generation.plan) >= remembered[SINCE][0]
            if not (of_before and len(generation.plan.waves) > 1):
                return remembered
        return {BEST: best, SINCE: np.array([generation.number])}


def _begin(plan: Plan) -> int:
    """The generation with which the last wave begins."""
    return plan.generations - plan.waves[-1].generations


@STOPS.register(name="target")
@dataclass(frozen=True)
class Target(StopRule):
    """The run ends with the first generation whose best member reaches a score by the run's own fitness.

    It is a win probability against the optimum only with `fitness=exact_vs_optimal`: no other run sees the referee.
    Where games are played, a lucky member reaches it too.

    Args:
        score: the target, in the fitness's own measure.
    """

    score: Annotated[float, Within(-(10**15), 10**15)] = 0.49

    def check(self, plan: Plan) -> None:
        """All generations must have one measure."""
        refuse_moving_scores(plan, "target")

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Whether the best member reaches it."""
        return float(generation.final_scores.max()) >= self.score


EXAMPLE = "[no_progress:100,evaluations:20000]"
NO_PARTS = ("any", "none")


def _checked_rules(options: dict[str, Any]) -> dict[str, Any]:
    for word in options["rules"]:
        rule_of(word)
    return options


@STOPS.register(name="any", complete=_checked_rules)
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
        return any(rule.ends(generation, _memory_of(n, remembered)) for n, rule in enumerate(self.parts))

    def remember(self, generation: Evaluated, remembered: State) -> State:
        """What each of them remembers."""
        return {
            f"rule{n}_{name}": array
            for n, rule in enumerate(self.parts)
            for name, array in rule.remember(generation, _memory_of(n, remembered)).items()
        }


def rule_of(word: str) -> StopRule:
    """The rule that a word says, as in `no_progress:100`."""
    name, _, text = word.partition(":")
    if name.endswith(".py"):
        raise InputError(f"stop.rules has {word!r} and takes pigevo's rules: write one of your own that asks all, as "
                         "stop=FILE.py:NAME.")  # fmt: skip
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


def _memory_of(n: int, remembered: State) -> State:
    """What the rule at a place of the list remembers."""
    return {name.removeprefix(f"rule{n}_"): array for name, array in remembered.items() if name.startswith(f"rule{n}_")}
