"""Stop rules, which can end a run before the last generation of its plan."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from pigevo.core.checked_values import Filled, JsonObject, Within
from pigevo.core.registry import Registry
from pigevo.errors import InputError, unknown
from pigevo.evolution.operators import Remembered, remembers
from pigevo.evolution.plan import Evaluated, Plan, StopRule

STOPS = Registry("stop rule", 1)


def as_stop_rule(rule: Callable[[Evaluated], bool]) -> StopRule:
    """Return an instance of a stop rule class unchanged, or wrap a plain function in such an instance."""
    inner = rule.func if isinstance(rule, functools.partial) else rule  # an instance that was passed from Python
    return inner if isinstance(inner, StopRule) else _Plain(rule)


class _Plain(StopRule):
    """A stop rule that is a plain function."""

    def __init__(self, function: Callable[[Evaluated], bool]) -> None:
        self._function = function

    def ends(self, generation: Evaluated, remembered: Remembered) -> bool:
        """Return the result of the function."""
        return self._function(generation)


def refuse_moving_scores(plan: Plan, rule: str) -> None:
    """Refuse a rule that compares scores of several generations if these scores are not comparable.

    If members play each other, their mean score is the same however good they are.  Against past champions, or anything
    else that a fitness remembers, scores can fall while all members improve.
    """
    fitness = plan.names.get("fitness", "this fitness")
    if plan.fitness.plays.relative:
        why = f"with {fitness} members play each other, so their scores do not measure progress"
    elif remembers(plan.fitness):
        why = f"{fitness} measures members by what it remembers, such as past champions, which changes during a run"
    else:
        return
    others = "stop=evaluations or stop=games" if _may_play_games(plan) else "stop=evaluations"
    raise InputError(
        f"stop={rule} compares scores, but {why}: choose {others}, or a fitness without "
        f"{'matches between members' if plan.fitness.plays.relative else 'memory'}, such as fitness=panel."
    )


def _may_play_games(plan: Plan) -> bool:
    """Whether the fitness simulates games; whether a user's own does is not known in advance."""
    return bool(plan.fitness.plays.games) or "fitness" in plan.user_code


@STOPS.register(name="none")
@dataclass(frozen=True)
class Never(StopRule):
    """The run has all its generations: `generations` of them, or those of its waves."""

    def ends(self, generation: Evaluated, remembered: Remembered) -> bool:
        """Return False."""
        return False


@STOPS.register(name="evaluations")
@dataclass(frozen=True)
class Evaluations(StopRule):
    """The run ends with the generation in which the number of evaluated strategies reaches a limit.

    Args:
        evaluations: the limit, counted as in `result.json`: each newly made strategy counts once. The last generation
            is evaluated completely.
    """

    evaluations: Annotated[int, Within(1, 10**15)] = 100_000

    def ends(self, generation: Evaluated, remembered: Remembered) -> bool:
        """Whether the limit is reached, this generation included."""
        return generation.state.evaluations + generation.state.fresh >= self.evaluations


@STOPS.register(name="games")
@dataclass(frozen=True)
class PlayedGames(StopRule):
    """The run ends with the first generation that begins after a number of simulated games.

    The games that find the champion among the members of this last generation are additional.

    Args:
        games: the number of games, counted as in `metrics.csv`.
    """

    games: Annotated[int, Within(1, 10**15)] = 10_000_000

    def check(self, plan: Plan) -> None:
        """Refuse a fitness of pigevo that plays no games."""
        if not _may_play_games(plan):
            raise InputError(
                f"stop=games would never end the run, since {plan.names['fitness']} plays no games: "
                f"choose stop=evaluations."
            )

    def ends(self, generation: Evaluated, remembered: Remembered) -> bool:
        """Whether the number of games is reached."""
        return generation.state.games >= self.games


BEST, SINCE = "best", "since"


@STOPS.register(name="no_progress")
@dataclass(frozen=True)
class NoProgress(StopRule):
    """The run ends when the best score by its own fitness has not risen for a number of generations.

    If there are several waves, the rule looks only at the last of them: scores and generations count anew from its
    beginning, and earlier waves are never cut short.

    Args:
        generations: the number of generations without a new best score.
    """

    generations: Annotated[int, Within(1, 10**9)] = 100

    def check(self, plan: Plan) -> None:
        """Refuse a fitness whose scores are not comparable between generations."""
        refuse_moving_scores(plan, "no_progress")

    def ends(self, generation: Evaluated, remembered: Remembered) -> bool:
        """Whether the best score is at least `generations` generations old."""
        since = int(self.remember(generation, remembered)[SINCE][0])
        return generation.number - max(since, _last_wave_begin(generation.plan)) >= self.generations

    def remember(self, generation: Evaluated, remembered: Remembered) -> Remembered:
        """The best score so far, and the first generation with it; the last wave begins without a best score."""
        best = generation.final_scores.max(keepdims=True)
        if BEST in remembered and best[0] <= remembered[BEST][0]:
            is_of_earlier_wave = generation.number > _last_wave_begin(generation.plan) >= remembered[SINCE][0]
            if not (is_of_earlier_wave and len(generation.plan.waves) > 1):
                return remembered
        return {BEST: best, SINCE: np.array([generation.number])}


def _last_wave_begin(plan: Plan) -> int:
    return plan.generations - plan.waves[-1].generations


@STOPS.register(name="target")
@dataclass(frozen=True)
class Target(StopRule):
    """The run ends with the first generation whose best member reaches a score by the run's own fitness.

    The score is a win probability against the optimum only with `fitness=exact_vs_optimal`: no other run uses the
    referee.  If the fitness plays games, a lucky member can also reach the score.

    Args:
        score: the target, in units of the fitness.
    """

    score: Annotated[float, Within(-(10**15), 10**15)] = 0.49

    def check(self, plan: Plan) -> None:
        """Refuse a fitness whose scores are not comparable between generations."""
        refuse_moving_scores(plan, "target")

    def ends(self, generation: Evaluated, remembered: Remembered) -> bool:
        """Whether the best member reaches the target."""
        return float(generation.final_scores.max()) >= self.score


EXAMPLE = "[no_progress:100,evaluations:20000]"


def _checked_rules(options: JsonObject) -> JsonObject:
    for word in options["rules"]:
        rule_of(word)
    return options


@STOPS.register(name="any", complete=_checked_rules)
@dataclass(frozen=True)
class AnyOf(StopRule):
    """The run ends as soon as one of several stop rules would end it.

    Args:
        rules: the rules, each in the form `name:number`, for example `no_progress:100`.
    """

    rules: Annotated[Sequence[str], Filled(EXAMPLE)] = ("evaluations:100000", "games:10000000")

    @cached_property
    def parts(self) -> tuple[StopRule, ...]:
        """The rules as objects."""
        return tuple(map(rule_of, self.rules))

    def check(self, plan: Plan) -> None:
        """Check each of the rules."""
        for rule in self.parts:
            rule.check(plan)

    def ends(self, generation: Evaluated, remembered: Remembered) -> bool:
        """Whether one of the rules ends the run."""
        return any(rule.ends(generation, _memory_of(n, remembered)) for n, rule in enumerate(self.parts))

    def remember(self, generation: Evaluated, remembered: Remembered) -> Remembered:
        """The states of all rules."""
        return {
            f"rule{n}_{name}": array
            for n, rule in enumerate(self.parts)
            for name, array in rule.remember(generation, _memory_of(n, remembered)).items()
        }


def rule_of(word: str) -> StopRule:
    """The rule for a text such as `no_progress:100`."""
    name, _, text = word.partition(":")
    if name.endswith(".py"):
        raise InputError(f"stop.rules has {word!r}, but takes only rules of pigevo: write your own rule that combines "
                         "several, and choose it with stop=FILE.py:NAME.")  # fmt: skip
    with_one_number = [known for known in STOPS if len(STOPS[known].options) == 1 and known != "any"]
    if name not in with_one_number:
        raise unknown("stop rule", name, with_one_number)
    entry = STOPS[name]
    (option,) = entry.options
    try:
        number = json.loads(text)
    except ValueError as error:
        raise InputError(f"stop.rules has {word!r}: write each rule with its number, as in {EXAMPLE}.") from error
    rule: StopRule = entry.bind(entry.check({option: number}, f"stop.rules: {name}"))
    return rule


def _memory_of(n: int, remembered: Remembered) -> Remembered:
    """The state of the rule at index `n` of the list."""
    return {name.removeprefix(f"rule{n}_"): array for name, array in remembered.items() if name.startswith(f"rule{n}_")}
