// Simulated games of Pig with the dice of `python -m pigevo`: each game of each match has its own counter.
import { STREAMS, philox } from "../dice.js";

const SIDES = 6;
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
export function* playMatches(grid, genomes, pairs, games, dice) {
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
