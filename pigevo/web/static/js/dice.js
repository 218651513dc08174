// Dice: a function of a seed and of the number of throws so far, so that every game can be played again. If no seed is given, it
// comes from the browser's source of randomness.
//
// The dice are those of `pigevo play --seed`, by key (seed, stream) and counter (block, game, 0, 0). In a
// race of one die a word is several rolls, in any other game one throw.
import { philox, seedWords } from "./philox.js";

const WORD = (1n << 64n) - 1n;
const DICE_STREAM = 5;
const SELECTION_STREAM = 2;

export const LARGEST_SEED = (1n << 63n) - 1n;

/** The four words of 64 bits of a block of one game. */
function wordsOf(seed, stream, part, block) {
  const words = new Uint32Array(8);
  philox(words, seedWords(seed), stream, 0, 0, part, block);
  return Array.from({ length: 4 }, (_, n) => (BigInt(words[2 * n + 1]) << 32n) | BigInt(words[2 * n]));
}

/** The seed in a text; null if the text is no seed. */
export function readSeed(text) {
  if (!/^\d{1,19}$/.test(text ?? "")) return null;
  const seed = BigInt(text);
  return seed <= LARGEST_SEED ? seed : null;
}

/** The seed of a day, which is the same everywhere: 20260131n for 31 January 2026 in UTC. */
export function seedOfDay(date) {
  return BigInt(date.toISOString().slice(0, 10).replaceAll("-", ""));
}

/** The random words of one game in a stream, from a block on, without end. */
function* seededWords(seed, part, stream = DICE_STREAM, first = 1) {
  for (let block = first; ; block++) yield* wordsOf(seed, stream, part, block);
}

/** A uniform number from [0, 1) for a decision other than the dice; with a seed it is that of `pigevo play --seed`. */
export function uniform(seed, part) {
  const [word] = seed === null ? crypto.getRandomValues(new BigUint64Array(1)) : wordsOf(seed, SELECTION_STREAM, part, 1);
  return Number(word >> 11n) * 2 ** -53;
}

/** A seed that nobody can foresee. */
export function freshSeed() {
  return crypto.getRandomValues(new BigUint64Array(1))[0] & LARGEST_SEED;
}

/**
 * The points of roll after roll of a race of one die, 0 where it ends the turn. `die` is pigevo's table: a slot for each
 * part of a word, with its own points below its cut and alias points above.
 */
export function* seededDice(seed, part, { own, alias, cut, rolls, fair }) {
  for (let word of seededWords(seed, part))
    for (let roll = 0; roll < rolls; roll++) {
      const product = word * BigInt(own.length);
      const [slot, fraction] = [Number(product >> 64n), product & WORD];
      yield (Number(fraction >> 32n) < cut[slot] ? own : alias)[slot];
      word = fair ? fraction : (word << 32n) & WORD;
    }
}

/** The throw that a random word selects: each throw has a share of all words, its chance. */
function thrownBy(throws, word) {
  let end = 0;
  return throws.find(({ chance }) => word < BigInt(Math.floor((end += chance) * 2 ** 64))) ?? throws.at(-1);
}

/** A throw with the faces on the table: a random word selects one of the ways to throw it, by their chances. */
function withFaces({ points, ends, faces }, word) {
  let left = Number(word >> 11n) * 2 ** -53 * faces.reduce((sum, [, chance]) => sum + chance, 0);
  const [lie] = faces.find(([, chance]) => (left -= chance) < 0) ?? faces.at(-1);
  return { points, ends, faces: lie };
}

/** The dice of a game: a function that takes the possible throws and returns one of them with its faces. */
export function dice(game, seed, part) {
  const ways = seededWords(seed, part, SELECTION_STREAM, 2); // they decide no points; `uniform` has the first block
  const lying = (thrown) => withFaces(thrown, ways.next().value);
  if (game.die) {
    const rolls = seededDice(seed, part, game.die);
    const isOf = (points) => (one) => (points ? !one.ends && one.points === points : one.ends);
    return (throws) => lying(throws.find(isOf(rolls.next().value)));
  }
  const words = seededWords(seed, part);
  return (throws) => lying(thrownBy(throws, words.next().value));
}
