// The random numbers of `pigevo.dice.Draw`: each is a function of seed, stream, generation, pair and part.
import { philox } from "../philox.js";

export const STREAMS = { population: 1, selection: 2, crossover: 3, mutation: 4, dice: 5, validation: 6 };
const CLOSE = 1e-9; // logarithms of two processors differ by far less: nearer to a whole number, the portable one decides

/** A draw: `{seed, stream, generation, part}`; `seed` is `[low, high]`. */
export const drawOf = (seed, stream, generation, part = 0) => ({ seed, stream: STREAMS[stream], generation, part });

/** `count` random words of 64 bits, each as two of 32, the lower one first. */
export function words({ seed, stream, generation, part }, count) {
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
