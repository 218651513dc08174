// Random numbers, those of `pigevo.dice`: the generator Philox4x64-10 (Salmon, Moraes, Dror & Shaw 2011), the draws of a run, and
// the dice of games.
//
// A word of 64 bits is two of 32, the lower one first. Products of 32-bit words are put together from 16-bit halves, so
// that nothing is ever rounded.
//
// Dice are a function of a seed and of the number of throws so far, so that every game can be played again. They are those of
// `pigevo play --seed`, by key (seed, stream) and counter (block, game, 0, 0). In a race of one die a word is several rolls, in any
// other game one throw. If no seed is given, it comes from the browser's source of randomness.
const ROUNDS = 10;
const [M0_LOW, M0_HIGH, M1_LOW, M1_HIGH] = [0xe14c6c93, 0xd2e7470e, 0x95121157, 0xca5a8263];
const [W0_LOW, W0_HIGH, W1_LOW, W1_HIGH] = [0x7f4a7c15, 0x9e3779b9, 0x84caa73b, 0xbb67ae85];

/** The upper 32 bits of the product of two 32-bit words. */
function upper(a, b) {
  const aLow = a & 0xffff, aHigh = a >>> 16, bLow = b & 0xffff, bHigh = b >>> 16;
  const cross = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) >>> 0;
  const other = (Math.imul(aLow, bHigh) + (cross & 0xffff)) >>> 0;
  return (Math.imul(aHigh, bHigh) + (cross >>> 16) + (other >>> 16)) >>> 0;
}

/**
 * Write the four words of a counter (block, part, pair, generation) under a key (seed, stream) to `out`, eight 32-bit words.
 *
 * All but the seed, which is a `[low, high]`, are whole numbers below 2^32.
 */
export function philox(out, [seedLow, seedHigh], stream, generation, pair, part, block) {
  let a = block, aHigh = 0, b = part, bHigh = 0, c = pair, cHigh = 0, d = generation, dHigh = 0;
  let x = seedLow, xHigh = seedHigh, y = stream, yHigh = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // M0 * a and M1 * c, each of 128 bits
    const p = Math.imul(M0_LOW, a), p1 = Math.imul(M0_HIGH, a), p2 = Math.imul(M0_LOW, aHigh);
    const pMiddle = upper(M0_LOW, a) + (p1 >>> 0) + (p2 >>> 0);
    const pThird = upper(M0_HIGH, a) + upper(M0_LOW, aHigh) + (Math.imul(M0_HIGH, aHigh) >>> 0) + Math.floor(pMiddle / 4294967296);
    const pTop = upper(M0_HIGH, aHigh) + Math.floor(pThird / 4294967296);
    const q = Math.imul(M1_LOW, c), q1 = Math.imul(M1_HIGH, c), q2 = Math.imul(M1_LOW, cHigh);
    const qMiddle = upper(M1_LOW, c) + (q1 >>> 0) + (q2 >>> 0);
    const qThird = upper(M1_HIGH, c) + upper(M1_LOW, cHigh) + (Math.imul(M1_HIGH, cHigh) >>> 0) + Math.floor(qMiddle / 4294967296);
    const qTop = upper(M1_HIGH, cHigh) + Math.floor(qThird / 4294967296);
    a = (qThird ^ b ^ x) >>> 0;
    aHigh = (qTop ^ bHigh ^ xHigh) >>> 0;
    c = (pThird ^ d ^ y) >>> 0;
    cHigh = (pTop ^ dHigh ^ yHigh) >>> 0;
    b = q >>> 0;
    bHigh = qMiddle >>> 0;
    d = p >>> 0;
    dHigh = pMiddle >>> 0;
    const nextX = x + W0_LOW, nextY = y + W1_LOW;
    xHigh = (xHigh + W0_HIGH + (nextX >= 4294967296 ? 1 : 0)) >>> 0;
    x = nextX >>> 0;
    yHigh = (yHigh + W1_HIGH + (nextY >= 4294967296 ? 1 : 0)) >>> 0;
    y = nextY >>> 0;
  }
  out[0] = a;
  out[1] = aHigh;
  out[2] = b;
  out[3] = bHigh;
  out[4] = c;
  out[5] = cHigh;
  out[6] = d;
  out[7] = dHigh;
}

/** A seed, a `BigInt` from 0 to 2^63 - 1, as `[low, high]`. */
export const seedWords = (seed) => [Number(seed & 0xffffffffn), Number(seed >> 32n)];

/** The streams of random numbers; a draw is a function of seed, stream, generation, pair and part. */
export const STREAMS = { population: 1, selection: 2, crossover: 3, mutation: 4, dice: 5, validation: 6 };
const CLOSE = 1e-9; // logarithms of two processors differ by far less: nearer to a whole number, the portable one decides

/** A draw: `{seed, stream, generation, part}`; `seed` is `[low, high]`. */
export const drawOf = (seed, stream, generation, part = 0) => ({ seed, stream: STREAMS[stream], generation, part });

/** `count` random words of 64 bits, each as two of 32, the lower one first. */
function words({ seed, stream, generation, part }, count) {
  const drawn = new Uint32Array(8 * Math.ceil(count / 4));
  for (let block = 0; 8 * block < drawn.length; block++)
    philox(drawn.subarray(8 * block), seed, stream, generation, 0, part, block + 1);
  return drawn.subarray(0, 2 * count);
}

/** Fair zeros and ones. */
export function bits(draw, count) {
  const drawn = words(draw, Math.ceil(count / 64));
  const coins = new Uint8Array(count);
  for (let n = 0; n < count; n++) coins[n] = (drawn[n >>> 5] >>> (n & 31)) & 1;
  return coins;
}

/** The order of members by a score, the largest first; ties are in the order of random words. */
export function ranking(scores, draw) {
  const drawn = words(draw, scores.length);
  const after = (a, b) =>
    scores[b] - scores[a] || drawn[2 * a + 1] - drawn[2 * b + 1] || drawn[2 * a] - drawn[2 * b] || a - b;
  return Array.from(scores, (_, n) => n).sort(after);
}

/** A random permutation of `0 .. count - 1`. */
export const permutation = (draw, count) => ranking(new Uint8Array(count), draw);

/** Call `happens(position)` for each of `size` positions, in order, at which an event of this probability happens. */
export function positions(draw, size, probability, happens) {
  if (probability <= 0) return;
  const scale = Math.log1p(-probability);
  const block = new Uint32Array(8);
  for (let place = -1, number = 1; ; number++) {
    philox(block, draw.seed, draw.stream, draw.generation, 0, draw.part, number);
    for (let word = 0; word < 8; word += 2) {
      place += 1 + (probability < 1 ? gap(block[word + 1] * 2 ** -32 + (block[word] >>> 11) * 2 ** -53, scale, probability, size) : 0);
      if (place >= size) return;
      happens(place);
    }
  }
}

/** How many positions are passed before the next event, by a uniform number: geometrically distributed. */
function gap(uniform, scale, probability, size) {
  let passed = Math.log1p(-uniform) / scale;
  if (Math.abs(passed - Math.round(passed)) <= CLOSE * passed) passed = log1m(uniform) / log1m(probability);
  return Math.floor(Math.min(passed, size));
}

// As in pigevo.core.portable_math: only sums, products and quotients, so that every processor gives the same.
const LN2_HIGH = 0x162e42fee00000 * 2 ** -53;
const LN2_LOW = 0x1a39ef35793c76 * 2 ** -85;
const ODD = Array.from({ length: 12 }, (_, n) => 1 / (25 - 2 * n));

/** The logarithm of `1 - x`, for numbers from 0 up to, but not including, 1. */
export function log1m(x) {
  return x < 0.25 ? twiceArtanh(-x / (2 - x)) : log(1 - x);
}

function log(x) {
  let exponent = Math.ceil(Math.log2(x));
  let part = x * 2 ** -exponent; // exact, as x is at least 2^-53
  while (part >= 1) (part /= 2), exponent++;
  while (part < 0.5) (part *= 2), exponent--;
  if (part < Math.sqrt(0.5)) (part *= 2), exponent--;
  return exponent * LN2_HIGH + (exponent * LN2_LOW + twiceArtanh((part - 1) / (part + 1)));
}

function twiceArtanh(z) {
  const square = z * z;
  return 2 * z + 2 * z * (square * ODD.reduce((value, coefficient) => value * square + coefficient));
}

const WORD = (1n << 64n) - 1n;
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
function* seededWords(seed, part, stream = STREAMS.dice, first = 1) {
  for (let block = first; ; block++) yield* wordsOf(seed, stream, part, block);
}

/** A uniform number from [0, 1) for a decision other than the dice; with a seed it is that of `pigevo play --seed`. */
export function uniform(seed, part) {
  const [word] = seed === null ? crypto.getRandomValues(new BigUint64Array(1)) : wordsOf(seed, STREAMS.selection, part, 1);
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
  const ways = seededWords(seed, part, STREAMS.selection, 2); // they decide no points; `uniform` has the first block
  const lying = (thrown) => withFaces(thrown, ways.next().value);
  if (game.die) {
    const rolls = seededDice(seed, part, game.die);
    const isOf = (points) => (one) => (points ? !one.ends && one.points === points : one.ends);
    return (throws) => lying(throws.find(isOf(rolls.next().value)));
  }
  const words = seededWords(seed, part);
  return (throws) => lying(thrownBy(throws, words.next().value));
}
