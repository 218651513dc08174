// The generation loop of `python -m pigevo experiment=cube_random`: the same settings and seed give the same populations.
import { bits, drawOf, permutation, positions, ranking } from "../dice.js";
import { playMatches } from "./games.js";
import { cubeGrid, refined } from "./grid.js";
import { againstAll } from "./referee.js";

/**
 * A plan: the settings with the grids of their waves, and the generation with which each wave ends.
 *
 * With `optimum`, the turns of the optimum, the fitness is exact, against it; without, members play matches of `games` games.
 */
export function planOf(settings) {
  const { target, sizes, lengths } = settings;
  let end = 0;
  return {
    ...settings,
    grids: sizes.map((size) => cubeGrid(target, size)),
    ends: lengths.map((length) => (end += length)),
    generations: end,
  };
}

/** The wave that makes a generation; generation 0 belongs to the first. */
function waveAt(plan, generation) {
  return Math.max(0, plan.ends.findIndex((end) => generation <= end));
}

/** The first population, not evaluated yet: fair coins. */
export function firstState(plan) {
  const genomes = bits(drawOf(plan.seed, "population", 0), plan.size * plan.grids[0].genes);
  return { generation: 0, wave: 0, genomes, fresh: plan.size, evaluations: 0, games: 0 };
}

/** All pairs of members, one after the other. */
export function everyPair(members) {
  return members.flatMap((first, n) => members.slice(n + 1).flatMap((second) => [first, second]));
}

export const everyone = (size) => Array.from({ length: size }, (_, n) => n);

/** The pairs of members that meet, by the selection. */
function pairsOf({ seed, size, selection }, generation) {
  return selection === "knockout" ? permutation(drawOf(seed, "selection", generation), size) : everyPair(everyone(size));
}

/** What work in steps comes to. */
export function finished(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Evaluate members that meet in some pairs, in steps of a match: `{pairs, wins, scores, games}`.
 *
 * By games, `wins` counts those that each member of a pair won, and a score is the mean of a member's shares; by the exact
 * win probability against the optimum both are that number.
 */
export function* evaluatePairs({ seed, games, optimum }, grid, genomes, pairs, generation) {
  if (optimum) {
    const scores = againstAll(grid, genomes, optimum);
    return { pairs, wins: pairs.map((member) => scores[member]), scores, games: 0 };
  }
  const wins = yield* playMatches(grid, genomes, pairs, games, { seed, generation });
  const size = genomes.length / grid.genes;
  const [total, met] = [new Float64Array(size), new Float64Array(size)];
  pairs.forEach((member, n) => {
    total[member] += wins[n] / games;
    met[member]++;
  });
  return { pairs, wins, scores: total.map((sum, n) => sum / Math.max(met[n], 1)), games: (games * pairs.length) / 2 };
}

/** Evaluate a population in the pairs of the selection. */
export function evaluate(plan, grid, genomes, generation) {
  return finished(evaluatePairs(plan, grid, genomes, pairsOf(plan, generation), generation));
}

/** The members that survive, in the order of the selection. */
function survivors({ seed, size, selection }, { pairs, wins, scores }, generation) {
  if (selection !== "knockout") return ranking(scores, drawOf(seed, "selection", generation)).slice(0, Math.max(1, size >> 1));
  const coins = bits(drawOf(seed, "selection", generation, 1), size / 2);
  return Array.from(coins, (coin, n) => {
    const margin = wins[2 * n] - wins[2 * n + 1];
    return pairs[2 * n + (margin === 0 ? coin : margin < 0 ? 1 : 0)];
  });
}

/** The parents of each child, as places among the survivors: paired at random, with as many children for each pair. */
function couples({ seed }, count, children, generation) {
  const order = permutation(drawOf(seed, "crossover", generation, 1), count);
  if (count % 2) order.push(order[0]);
  return Array.from({ length: children }, (_, child) => {
    const pair = 2 * (child % (order.length / 2));
    return [order[pair], order[pair + 1]];
  });
}

/** The next population. */
export function nextState(plan, state) {
  const { seed, size, mutation, replacement, grids } = plan;
  const { generation } = state;
  const wave = waveAt(plan, generation + 1);
  const grid = grids[wave];
  const genomes = wave === state.wave ? state.genomes : refined(state.genomes, grids[state.wave], grid);
  const evaluation = evaluate(plan, grid, genomes, generation);
  const chosen = survivors(plan, evaluation, generation);
  const staying = replacement === "offspring" ? [] : chosen;
  const fresh = size - staying.length;
  const born = new Uint8Array(size * grid.genes);
  staying.forEach((member, n) => born.set(genomes.subarray(member * grid.genes, (member + 1) * grid.genes), n * grid.genes));
  const children = born.subarray(staying.length * grid.genes);
  const coins = bits(drawOf(seed, "crossover", generation), children.length);
  couples(plan, chosen.length, fresh, generation).forEach((places, child) => {
    const [first, second] = places.map((place) => chosen[place] * grid.genes);
    const begin = child * grid.genes;
    for (let gene = 0; gene < grid.genes; gene++)
      children[begin + gene] = genomes[(coins[begin + gene] ? second : first) + gene];
  });
  positions(drawOf(seed, "mutation", generation), children.length, mutation, (place) => (children[place] ^= 1));
  return {
    generation: generation + 1, wave, genomes: born, fresh,
    evaluations: state.evaluations + state.fresh, games: state.games + evaluation.games,
  };
}

/** The member that would be the run's result if it ended here, and the games that find it, in which all members meet: `{member, games}`, in steps. */
export function* crowning(plan, { genomes, generation, wave }) {
  const { scores, games } = yield* evaluatePairs(plan, plan.grids[wave], genomes, everyPair(everyone(plan.size)), generation);
  return { member: ranking(scores, drawOf(plan.seed, "selection", generation, 2))[0], games };
}
