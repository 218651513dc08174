"""The logbook of a run, kept with DEAP: a row of figures for each recorded generation, champions, and a hall of fame.

The figures of strategies are the referee's, which a run does not see unless its fitness is `exact_vs_optimal`; those of
`measured` are the run's own.

A member that is the best of many by a sample is both good and lucky, so its score is too high
on average: the winner's curse.  A run whose fitness plays games has no information on the size
of this error.  The function `measured` finds it: it compares the score with the score from
exact win probabilities against the same opponents.

Diversity measures how much members differ, gene by gene and in their play.  Most genes decide states that play seldom
or never reaches.  Two measures ignore these genes:

- the diversity by behaviour of a population is the chance that two of its members decide differently in a state; each
  state is weighted by the expected number of decisions in it when the optimum plays itself;
- two strategies play alike if they decide the same in every state that either of them reaches against the optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from deap import tools

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.checked_values import JsonObject
from pigevo.core.intervals import share_interval
from pigevo.errors import InputError
from pigevo.evolution import operator_calls
from pigevo.evolution.deap_adapter import Individual
from pigevo.evolution.diversity import behavioural_diversity, diversity, entropy, visits_by_gene
from pigevo.evolution.evaluation import Evaluation, referee
from pigevo.evolution.lineage import GAINS, Lineage
from pigevo.evolution.loop import Generation, true_scores
from pigevo.evolution.operators import Context, Outcome
from pigevo.evolution.plan import Plan, State
from pigevo.evolution.selection import outcomes
from pigevo.games import Game
from pigevo.strategies import CubeGrid, Members, Strategy
from pigevo.strategies.grid import packed_decisions, unpacked_decisions

COLUMNS = (
    "generation", "wave", "cube_size", "evaluations", "games", "best", "mean", "worst", "diversity", "seconds",
)  # fmt: skip

HALL_SIZE = 10  # the size of the hall of fame: the best strategies of all recorded generations, by the referee


BEHAVIOUR = "behaviour"
FURTHER = ("entropy", BEHAVIOUR)  # columns that follow the columns of every run and are part of no digest

MEASURED = ("measured", "measured_low", "measured_high", "measured_games", "luck", "elites_luck")
"""Columns from `measured`, after those of every run; `luck` and `elites_luck` only if the fitness has true scores."""

DIGEST_COLUMN = "digest"  # the last column: a hash of the whole state
ELITE_SHARE = 0.1  # the share of a population that counts as its elites, including the champion

MOST_ELITES = 10


@dataclass(frozen=True)
class Champion:
    """The best member of a generation by the run's own fitness: its genome on a grid, packed to eight genes a byte."""

    generation: int
    grid: CubeGrid
    bits: bytes

    @staticmethod
    def of(plan: Plan, state: State, member: int) -> Champion:
        """The member of a generation with this index."""
        bits = np.packbits(state.genomes[member]).tobytes()
        return Champion(state.generation, plan.waves[state.wave].grid, bits)

    @property
    def strategy(self) -> Strategy:
        """The strategy of the genome."""
        genome = np.unpackbits(np.frombuffer(self.bits, np.uint8), count=self.grid.genes)
        return self.grid.strategy(genome, f"generation {self.generation}")


@dataclass(frozen=True)
class Logbook:
    """The records of a run, with DEAP: for each recorded generation a row of `COLUMNS` and the state's digest.

    Members of the hall of fame are arrays of decisions, packed to bits; champions are those of recorded generations.
    """

    rows: tools.Logbook = field(default_factory=tools.Logbook)
    hall: tools.HallOfFame = field(default_factory=lambda: tools.HallOfFame(HALL_SIZE, similar=np.array_equal))
    champions: list[Champion] = field(default_factory=list)
    lineage: Lineage = field(default_factory=Lineage)

    def record(self, generation: Generation, seconds: float, more: Mapping[str, object] | None = None) -> JsonObject:
        """Add a generation: its row to the log, and its best members to the hall of fame."""
        state, values = generation.state, generation.exact
        further = {"entropy": entropy(state.genomes)}
        if generation.plan.behaviour:
            further[BEHAVIOUR] = behavioural_diversity(state.genomes, visits_by_gene(generation.grid))
        row = {
            "generation": state.generation,
            "wave": state.wave + 1,
            "cube_size": generation.grid.label,
            "evaluations": state.evaluations,
            "games": state.games,
            **_STATISTICS.compile(values),
            "diversity": diversity(state.genomes),
            "seconds": round(seconds, 3),
            **further,
            **(more or {}),
            DIGEST_COLUMN: state.digest,
        }
        self.rows.record(**row)
        self.enter(generation.grid, state.genomes, values)
        return row

    def best_of(self, game: Game) -> tuple[tuple[Strategy, float], ...]:
        """The hall of fame as strategies, the best first, each with its win probability by the referee."""
        best = []
        for number, member in enumerate(self.hall, start=1):
            roll = game.from_layout(unpacked_decisions(game, np.asarray(member))).astype(np.bool_)
            strategy = Strategy(game, roll, f"number {number} of the hall of fame")
            best.append((strategy, float(member.fitness.values[0])))
        return tuple(best)

    def add_champion(self, generation: Generation) -> None:
        """Add the champion of a generation."""
        self.champions.append(Champion.of(generation.plan, generation.state, generation.best))

    def enter(self, grid: CubeGrid, genomes: Bytes, values: Floats) -> None:
        """Add those of the strategies to the hall of fame that are good enough, by their figures `values`."""
        best: dict[bytes, Individual] = {}  # copies must not crowd out others
        bar = self.hall[-1].fitness.values[0] if len(self.hall) == HALL_SIZE else -np.inf
        for n in np.argsort(-values, kind="stable"):
            if values[n] <= bar:  # the hall is full, and the following ones are no better
                break
            packed = packed_decisions(grid, genomes[n])
            best.setdefault(packed.tobytes(), Individual.of(packed, float(values[n])))
            if len(best) == HALL_SIZE:
                break
        self.hall.update(list(best.values()))


def _statistics() -> tools.Statistics:
    statistics = tools.Statistics()
    for name, function in (("best", np.max), ("mean", np.mean), ("worst", np.min)):
        statistics.register(name, lambda values, f=function: float(f(values)))
    return statistics


_STATISTICS = _statistics()


def outcome_columns(generation: Generation) -> dict[str, float]:
    """The columns that the plan's selection fills."""
    scores = generation.evaluation.scores
    outcome = outcome_of(generation.plan, generation.state, scores, generation.exact.__getitem__)
    return {} if outcome is None else {name: float(value) for name, value in outcome.columns.items()}


def outcome_of(
    plan: Plan, state: State, scores: Floats, wins: Callable[[Ints], Floats] | None = None
) -> Outcome | None:
    """The report on a population with these scores by the plan's selection; None if the selection has no report.

    `wins` returns exact win probabilities of members, if they are known.
    """
    if not plan.selection.outcome_name:
        return None
    grid = plan.waves[state.wave].grid
    memory, draw = state.memory.get("selection", {}), plan.draw("selection", state.generation)
    context = Context(draw, grid, state.generation, scores, memory, workers=plan.workers)

    def judged(members: Ints) -> Floats:
        return referee(plan.game, Members(grid, state.genomes[members]), plan.workers)

    return operator_calls.outcome(plan, state.genomes, context, wins or judged)


def measured(plan: Plan, state: State, order: Ints, evaluation: Evaluation) -> dict[str, float]:
    """Figures of a generation's champion from its evaluation; `order` has the members from the best to the worst.

    - `measured`: the champion's score;
    - `measured_games`: the number of games behind it;
    - `measured_low`, `measured_high`: the 95 % interval for that number of games, or of sets of games, if they had not
      chosen the champion (Clopper & Pearson 1934, for a share; games against several opponents vary less);
    - `luck`: the score minus the score without luck;
    - `elites_luck`: the mean luck of the best tenth, at most ten members.

    Empty if no games are played.
    """
    if not evaluation.games or evaluation.played is None:
        return {}
    best = int(order[0])
    score, games = float(evaluation.scores[best]), int(evaluation.played[best])
    results = games // plan.fitness.plays.set_size
    figures = {"measured": score}
    if results and 0 <= score <= 1:
        low, high = share_interval(round(score * results), results)
        figures |= {"measured_low": low, "measured_high": high}
    figures["measured_games"] = games
    elites = order[: max(1, min(MOST_ELITES, round(ELITE_SHARE * len(order))))]
    truth = true_scores(plan, state, evaluation.pairs, elites)
    if truth is not None:
        luck = evaluation.scores[elites] - truth
        figures |= {"luck": float(luck[0]), "elites_luck": float(np.mean(luck))}
    return figures


RESULT_FIELDS = (
    "format", "champion", "champion_member", "optimum", "optimum_overall", "peak_mean", "peak_generation", "last_mean",
    "best_seen", "generations", "planned", "evaluations", "games", "champion_games", "measured", "seconds", "phases",
    "baseline", "digest", "versions", "begun_with", "checkout", "config_hash", "config", "files", "hash",
)  # fmt: skip
"""The fields of every run's `result.json`."""

TAKEN_COLUMNS = frozenset({*COLUMNS, *FURTHER, *MEASURED, *GAINS, DIGEST_COLUMN})
"""The columns that a run's `metrics.csv` may have without a user's own selection."""


def columns_of_plan(plan: Plan) -> frozenset[str]:
    """The columns that a run's `metrics.csv` may have without a function of generations."""
    return TAKEN_COLUMNS.union(plan.selection.outcome_columns if plan.selection.outcome_name else ())


def refuse_taken(plan: Plan) -> None:
    """Refuse a user's selection whose `outcome_name`, or one of whose columns, is no valid name or is already used."""
    chosen, owner = plan.selection, f"{plan.called('selection')} has"
    name = chosen.outcome_name
    columns: object = chosen.outcome_columns
    if not _is_name(name):
        raise InputError(f"{owner} the outcome_name {name!r}: it must be a name of letters and digits.")
    if name in RESULT_FIELDS:
        raise InputError(f"{owner} the outcome_name {name!r}, which result.json already has: choose another name.")
    if (holder := outcomes().get(name)) and not isinstance(chosen, holder):
        raise InputError(
            f"{owner} the outcome_name {name!r}, which belongs to pigevo's {holder.__name__}: choose another name, or "
            f"inherit from that class."
        )
    if not isinstance(columns, tuple) or not all(map(_is_name, columns)):
        raise InputError(
            f"{owner} outcome_columns = {columns!r}; it must be a tuple of names of letters and digits, as in "
            f'("upper", "lower").'
        )
    if taken := [column for column in columns if column in TAKEN_COLUMNS]:
        raise InputError(
            f"{owner} {taken[0]!r} in its outcome_columns, which metrics.csv already has: choose another name."
        )


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier()
