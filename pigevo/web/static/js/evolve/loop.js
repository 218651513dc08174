// The generation loop of `python -m pigevo experiment=cube_random`: the same settings and seed give the same populations.
//
// Members play simulated games of Pig with the dice of that command: each game of each match has its own counter. Beside the loop is
// random search with the budget of a run and the same luck in its choice, `pigevo.evolution.random_search`: groups of random strategies
// are evaluated as generations of the run are; the best of them all meet each other, and the best of these is the result. A result
// uses the scores of groups that were evaluated for one before.
import { bits, drawOf, permutation, philox, positions, ranking, STREAMS } from "../dice.js";
import { againstAll, cubeGrid, overall, refined, SIDES, turnsOf } from "./grid.js";

const RUN = 4; // rolls that one product reads from a word; a word has two runs, and a block of four words 32 rolls
const RUNS = SIDES ** RUN;
const ROLLS = 8 * RUN;
const MOST_TURNS = 100000;

/** The rolls of each run, eight bits each, the first one lowest: their points, 0 for a bust. */
const POINTS = Uint32Array.from({ length: RUNS }, (_, number) => {
  let [rolls, left] = [0, number];
  for (let n = RUN - 1; n >= 0; n--, left = Math.floor(left / SIDES)) rolls += (left % SIDES ? (left % SIDES) + 1 : 0) * 2 ** (8 * n);
  return rolls;
});

const block = new Uint32Array(8);
const rolls = new Uint8Array(ROLLS);

function throwBlock(seed, generation, match, game, number) {
  philox(block, seed, STREAMS.dice, generation, match, game, number);
  for (let word = 0, n = 0; word < 8; word += 2) {
    let low = block[word], high = block[word + 1];
    for (let run = 0; run < 2; run++) {
      const lower = low * RUNS; // below 2^43, so exact
      const upper = high * RUNS + Math.floor(lower / 4294967296);
      low = lower >>> 0;
      high = upper >>> 0;
      for (let four = POINTS[Math.floor(upper / 4294967296)], end = n + RUN; n < end; four >>>= 8) rolls[n++] = four & 255;
    }
  }
}

/**
 * Play a match for each pair of members, `pairs` = [first, second, first, second, ...]; they take turns at moving first.
 *
 * `dice` is `{seed, generation}`; match number m has the dice of pair m. Yields after each match, and returns the games won by
 * the first and by the second of each pair.
 */
function* playMatches(grid, genomes, pairs, games, dice) {
  const wins = new Uint32Array(pairs.length);
  for (let match = 0; match < pairs.length / 2; match++) {
    for (let game = 0; game < games; game++) {
      const swapped = game & 1;
      const mover = playGame(grid, genomes, pairs[2 * match + swapped] * grid.genes, pairs[2 * match + 1 - swapped] * grid.genes, dice, match, game);
      if (mover >= 0) wins[2 * match + (mover ^ swapped)]++;
    }
    yield;
  }
  return wins;
}

/** One game between the genomes that begin at two places: 0 if the player who moves first wins, 1 if the other one, -1 if nobody does. */
function playGame({ target, first, along }, genomes, one, other, { seed, generation }, match, game) {
  let mine = 0, theirs = 0, total = 0, next = ROLLS, number = 0;
  let genome = one, waiting = other, row = 0, column = 0;
  for (let turn = 0; turn < MOST_TURNS; ) {
    if (next === ROLLS) {
      throwBlock(seed, generation, match, game, ++number);
      next = 0;
    }
    const points = rolls[next++];
    if (points) {
      total += points;
      if (mine + total >= target) return turn & 1;
      if (genomes[genome + first[row + total] + column]) continue;
      mine += total;
    }
    const before = mine;
    mine = theirs;
    theirs = before;
    total = 0;
    const own = genome;
    genome = waiting;
    waiting = own;
    row = mine * target;
    column = along[theirs];
    turn++;
  }
  return -1;
}

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
function everyPair(members) {
  return members.flatMap((first, n) => members.slice(n + 1).flatMap((second) => [first, second]));
}

const everyone = (size) => Array.from({ length: size }, (_, n) => n);

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
function* evaluatePairs({ seed, games, optimum }, grid, genomes, pairs, generation) {
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
function evaluate(plan, grid, genomes, generation) {
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

const MOST_STRATEGIES = 10000;
const MOST_GAMES = 1000000;

/**
 * A search with a plan's settings, on one grid: `best(strategies, against)` is the win probability of its result, and `drawn(strategies)`
 * says afterwards how many of these it has drawn.
 */
export function randomSearch(plan, grid) {
  const { seed, size } = plan;
  const scores = [];
  const groupOf = (number) => bits(drawOf(seed, "validation", number), size * grid.genes);
  let most = Math.floor(MOST_STRATEGIES / size);

  function draw(groups) {
    for (let number = scores.length / size; number < Math.min(groups, most); number++) {
      const evaluation = evaluate(plan, grid, groupOf(number), number);
      if (evaluation.games) most = Math.min(most, Math.floor(MOST_GAMES / evaluation.games));
      scores.push(...evaluation.scores);
    }
    return Math.max(1, Math.min(groups, most));
  }

  return {
    best(strategies, against) {
      const groups = draw(Math.ceil(strategies / size));
      const chosen = ranking(scores.slice(0, groups * size), drawOf(seed, "selection", groups, 2)).slice(0, size);
      const finalists = new Uint8Array(chosen.length * grid.genes);
      chosen.forEach((place, n) => {
        const [group, member] = [Math.floor(place / size), place % size];
        finalists.set(groupOf(group).subarray(member * grid.genes, (member + 1) * grid.genes), n * grid.genes);
      });
      const last = finished(evaluatePairs(plan, grid, finalists, everyPair(everyone(chosen.length)), groups));
      const winner = ranking(last.scores, drawOf(seed, "selection", groups, 3))[0];
      return overall(turnsOf(grid, finalists.subarray(winner * grid.genes, (winner + 1) * grid.genes)), against);
    },
    drawn: (strategies) => Math.min(strategies, Math.max(1, most) * size),
  };
}
