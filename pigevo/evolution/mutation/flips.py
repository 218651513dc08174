"""Mutators that flip genes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.checked_values import JsonObject, Within
from pigevo.core.portable_math import exp, log, log1m, power
from pigevo.dice import gaps_to_draw
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.operators import Context, Mutation, Remembered
from pigevo.games import Game

COMPILED_FROM = 2**13  # for fewer flips numpy is faster than loading the compiled loop


@MUTATORS.register(source="Exeter 2016, section 3.4.3", uses=("mutation",))
def bit_flip(genomes: Bytes, context: Context) -> Bytes:
    """Flip each gene independently with the rate in the context."""
    flipped = genomes if context.in_place and genomes.flags.carray else genomes.copy()
    genes = flipped.reshape(-1)
    if context.rate >= 1 or genes.size * context.rate < COMPILED_FROM or not _flip_compiled(genes, context):
        genes[context.draw.positions(genes.size, context.rate)] ^= 1
    return flipped


def _flip_compiled(genes: Bytes, context: Context) -> bool:
    """Flip the genes at `Draw.positions` in one pass; returns False, and flips none, if rounding might change them."""
    from pigevo.evolution.gene_kernels import flip_after_gaps

    count = gaps_to_draw(genes.size, context.rate)
    return bool(flip_after_gaps(context.draw.key, count, float(1 / log1m(context.rate)), genes))


Shape = Literal["exponential", "linear"]


@MUTATORS.register(source="Exeter 2016, section 3.4.3, to the letter", uses=("mutation",))
def exact_share(genomes: Bytes, context: Context) -> Bytes:
    """Flip exactly `rate * genes` genes of each genome; all sets of that many genes are equally likely.

    If this is not a whole number, the fraction is the chance that one more gene flips.  For example, 75 genes (cubes
    of 20) at a rate of 0.005 make 0.375 flips.  The mean is that of independent flips; the variance is the least
    possible.

    Args:
        genomes: zeros and ones, shape (n, genes).
        context: contains the rate, and the draw that chooses the genes.
    """
    n, genes = genomes.shape
    share = context.rate * genes
    whole = int(share)
    flips = np.zeros((n, genes), np.uint8)
    rows = np.flatnonzero(context.draw.at(part=1).uniforms(n) < share - whole)
    uniforms = context.draw.uniforms(n * (whole + 1)).reshape(whole + 1, n)
    for step, last in enumerate(range(genes - whole - 1, genes)):  # by Floyd (Bentley & Floyd 1987, CACM 30)
        if step == 1:  # step 0 chooses the additional gene, only in the genomes that have one
            rows = np.arange(n)
        if last >= 0:
            gene = (uniforms[step, rows] * (last + 1)).astype(np.int64)
            flips[rows, np.where(flips[rows, gene], last, gene)] = 1
    return genomes ^ flips


@MUTATORS.register(source="Fogarty 1989, ICGA 3", uses=("mutation",))
def scheduled(
    genomes: Bytes,
    context: Context,
    end: Annotated[float, Within(0, 1, above=True)] = 0.001,
    over: Annotated[int, Within(1, 10**9)] = 500,
    shape: Shape = "exponential",
) -> Bytes:
    """Flip each gene independently with a rate that changes from `mutation` to `end` and then stays constant.

    The children of generation 0 are mutated at the rate `mutation`, those of generation `over` and later at `end`.
    Between them the rate changes by equal factors, so that a rate of 0 stays 0, or by equal steps.

    Args:
        end: the last rate.
        over: number of generations until the rate is `end`.
        shape: exponential changes the rate by equal factors, linear by equal steps.
    """
    rate = rate_at(min(1.0, context.generation / over), context.rate, end, shape)
    return bit_flip(genomes, replace(context, rate=rate))


def rate_at(part: float, start: float, end: float, shape: Shape) -> float:
    """The rate after a fraction `part`, 0 to 1, of the way from `start` to `end`."""
    if shape == "linear":
        return (1 - part) * start + part * end
    return start if start == 0 or part == 0 else float(exp((1 - part) * log(start) + part * log(end)))


RATE, BEST = "rate", "best"
LARGEST_RATE = 0.5


@MUTATORS.register(name="one_fifth", source="Rechenberg 1973; the factor: Schwefel 1981", uses=("mutation",))
@dataclass(frozen=True)
class OneFifth(Mutation):
    """Flip each gene independently; the rate rises if more than a fifth of the children succeed, and falls if fewer do.

    A child succeeds if its score is above the best score of the members that stayed, or of the previous generation if
    no member stays.  With one parent that stays this is the published rule.  If scores come from games, success is
    partly luck.  The first rate is `mutation`.

    Args:
        success: the share of successful children above which the rate rises, and below which it falls.
        factor: the rate is multiplied by this factor when it falls, and divided by it when it rises.
        least: the rate does not fall below this number of expected flips in a genome, nor does it rise above a half.
    """

    success: Annotated[float, Within(0, 1)] = 0.2
    factor: Annotated[float, Within(0, 1, above=True)] = 0.85
    least: Annotated[float, Within(0, 10**6)] = 1.0

    def remember(self, genomes: Bytes, context: Context) -> Remembered:
        """Count the successful children of the generation that was just evaluated."""
        scores, state, stayed = context.scores, context.state, len(genomes) - context.fresh
        bar, children = scores[:stayed].max() if stayed else state.get(BEST), context.fresh - context.arrived
        rate = float(state[RATE][0]) if RATE in state else context.rate
        if RATE in state and bar is not None and children:
            succeeded = float((scores[stayed : stayed + children] > bar).mean())
            rate = rate / self.factor if succeeded > self.success else rate
            rate = rate * self.factor if succeeded < self.success else rate
        best = {} if stayed else {BEST: scores.max(keepdims=True)}
        return {RATE: np.array([self.bounded(rate, context.grid.genes)]), **best}

    def __call__(self, genomes: Bytes, context: Context) -> Bytes:
        """Flip each gene independently with the rate of this generation."""
        rate = float(context.state[RATE][0]) if RATE in context.state else context.rate
        return bit_flip(genomes, replace(context, rate=self.bounded(rate, genomes.shape[1])))

    def bounded(self, rate: float, genes: int) -> float:
        """The rate clipped so that the expected number of flips is neither too small nor too large."""
        return min(LARGEST_RATE, max(rate, self.least / max(1, genes)))


RATES = "rates"


@MUTATORS.register(name="inherited_rate", source="Bäck 1992, PPSN II; the rule: Bäck & Schütz 1996", uses=("mutation",))
@dataclass(frozen=True)
class InheritedRate(Mutation):
    """Each individual has its own mutation rate, which is inherited, mutated, and then used.

    The log-odds of a child's rate are the mean of the log-odds of its parents' rates, plus a normal random number with
    standard deviation `step`.  Each of its genes then flips independently with that rate.  The members of the first
    population, immigrants and migrants have the rate `mutation`.  A rate is at most a half.

    Args:
        step: the standard deviation of the change of log-odds from parents to child.
        least: no rate falls below this number of expected flips in a genome.
    """

    inherits = True

    step: Annotated[float, Within(0, 10)] = 0.22
    least: Annotated[float, Within(0, 10**6, above=True)] = 1.0

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """Memory for the positions that might flip if a rate is the highest possible."""
        return 24 * size * game.cells

    def __call__(self, genomes: Bytes, context: Context) -> Bytes:
        """Flip each gene independently with the rate of its genome."""
        (n, genes), flipped = genomes.shape, genomes.copy()
        rates = self._rates(context, context.parents) if len(context.parents) else self._first_rates(context, n)
        highest = float(rates.max(initial=0.0))
        flipped_genes = context.draw.positions(genomes.size, highest)
        thinned = context.draw.at(part=1).uniforms(len(flipped_genes)) * highest < rates[flipped_genes // max(1, genes)]
        flipped.reshape(-1)[flipped_genes[thinned]] ^= 1
        return flipped

    def inherit(self, context: Context) -> Remembered:
        """The rates of the new population; a child has the rate with which it was mutated."""
        return {RATES: self._rates(context, context.parents)}

    def _rates(self, context: Context, parents: Ints) -> Floats:
        before = context.state.get(RATES, np.empty(0))
        known = self._first_rates(context, 1) if not len(before) else np.append(before, self._first_rates(context, 1))
        of_parents = log_odds(known[np.minimum(parents, len(known) - 1)])  # -1 is the last entry: the first rate
        children = parents[:, 1] >= 0
        rates = known[np.minimum(parents[:, 0], len(known) - 1)]
        noise = self.step * context.draw.at(part=2).normals(int(children.sum()))
        rates[children] = self._bounded(rates_of(of_parents[children].mean(axis=1) + noise), context)
        return rates

    def _first_rates(self, context: Context, count: int) -> Floats:
        return self._bounded(np.full(count, context.rate), context)

    def _bounded(self, rates: Floats, context: Context) -> Floats:
        return np.minimum(np.maximum(rates, self.least / max(1, context.grid.genes)), LARGEST_RATE)


def log_odds(rates: Floats) -> Floats:
    """The logarithm of the odds of rates above 0 and below 1."""
    return log(rates / (1.0 - rates))


def rates_of(logarithms: Floats) -> Floats:
    """The rates with these log-odds."""
    return 1.0 / (1.0 + exp(-logarithms))


Flips = Annotated[float, Within(0, 10**6, above=True)]


@MUTATORS.register(source="Mühlenbein 1992, PPSN II; no copies: Carvalho Pinto & Doerr 2018")
def expected_flips(genomes: Bytes, context: Context, flips: Flips = 1.0) -> Bytes:
    """Flip each gene with the probability at which `flips` flips per genome are expected.

    A genome without a flip then has one random gene flipped, because to evaluate a copy would be useless.

    Args:
        flips: the expected number of flips in a genome, before copies are changed.
    """
    n, genes = genomes.shape
    flipped = genomes.copy()
    if not genomes.size:  # a game to 1 has no decisions
        return flipped
    flipped_genes = context.draw.positions(genomes.size, min(1.0, flips / genes))
    flipped.reshape(-1)[flipped_genes] ^= 1
    copies = np.setdiff1d(np.arange(n), flipped_genes // genes)
    gene = (context.draw.at(part=1).uniforms(n)[copies] * genes).astype(np.int64)
    flipped[copies, gene] ^= 1
    return flipped


Exponent = Annotated[float, Within(1, 10, above=True)]


@MUTATORS.register(source="Doerr, Le, Makhmara & Nguyen 2017, Fast genetic algorithms, GECCO")
def heavy_tailed(genomes: Bytes, context: Context, exponent: Exponent = 1.5) -> Bytes:
    """Draw an expected number of flips `m` for each genome, with probability proportional to `m^-exponent`.

    `m` is at most half of the genes; each gene then flips independently with probability `m / genes`.

    Args:
        exponent: the exponent of the power law.
    """
    (n, genes), draw = genomes.shape, context.draw
    if not genes:  # a game to 1 has no decisions
        return genomes.copy()
    chances = np.cumsum(power(np.arange(1.0, max(1, genes // 2) + 1), -exponent))
    expected = 1 + np.searchsorted(chances, draw.at(part=1).uniforms(n) * chances[-1], side="right")
    changed = genomes.copy()
    for number, flips in enumerate(expected.tolist()):
        changed[number, draw.at(pair=number).positions(genes, flips / genes)] ^= 1
    return changed


def _complete(options: JsonObject) -> JsonObject:
    from pigevo.evolution.deap_adapter import complete

    return complete("mut", options, given=1, own=("indpb",))


def _uses(options: Mapping[str, Any]) -> tuple[str, ...]:
    from pigevo.evolution.deap_adapter import takes

    given = "indpb" in (options["arguments"] or {})
    return ("mutation",) if takes(options["operator"], "indpb") and not given else ()


@MUTATORS.register(source="DEAP, deap.tools.mut*", complete=_complete, uses=_uses)
def deap(
    genomes: Bytes, context: Context, operator: str = "mutFlipBit", arguments: Mapping[str, object] | None = None
) -> Bytes:
    """Change genomes by an operator of DEAP; its `indpb`, if it has that parameter, is the rate unless it is given.

    Args:
        operator: its name in `deap.tools`, for example `mutFlipBit` or `mutShuffleIndexes`.
        arguments: its arguments in addition to the genome.
    """
    from pigevo.evolution.deap_adapter import (
        ENOUGH_GENES,
        Individual,
        checked_genomes,
        operator_of,
        rehearse,
        seeded,
        takes,
    )

    given = ({"indpb": context.rate} if takes(operator, "indpb") else {}) | dict(arguments or {})
    if genomes.shape[1] < ENOUGH_GENES:
        rehearse("mut", operator, given, 1, genomes.shape[1])
    mutate = operator_of("mut", operator, given, given=1)
    with seeded(context.draw):
        return checked_genomes((mutate(Individual.of(genome))[0] for genome in genomes), genomes.shape, operator)
