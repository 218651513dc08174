// Dice: from the browser's source of randomness, or, for games that can be played again, from a seed.
//
// Seeded dice are those of `pigevo play --seed`: Philox4x64-10 (Salmon, Moraes, Dror & Shaw 2011) by key (seed, stream)
// and counter (block, game, 0, 0). A word is a fraction, and its digits in base `sides` are eight rolls.
const WORD = (1n << 64n) - 1n;
const FACTORS = [0xd2e7470ee14c6c93n, 0xca5a826395121157n];
const STEPS = [0x9e3779b97f4a7c15n, 0xbb67ae8584caa73bn];
const ROUNDS = 10;
const DICE_STREAM = 5n;
const ROLLS_PER_WORD = 8; // as long as sides to the eighth power is within 2^24

export const LARGEST_SEED = (1n << 63n) - 1n;

/** Four words of 64 bits from a key of two and a counter of four. */
export function philox(key, counter) {
  let [a, b, c, d] = counter;
  let [left, right] = key;
  for (let round = 0; round < ROUNDS; round++) {
    const first = FACTORS[0] * a;
    const second = FACTORS[1] * c;
    [a, b, c, d] = [(second >> 64n) ^ b ^ left, second & WORD, (first >> 64n) ^ d ^ right, first & WORD];
    left = (left + STEPS[0]) & WORD;
    right = (right + STEPS[1]) & WORD;
  }
  return [a, b, c, d];
}

/** The seed that a text is, or null. */
export function readSeed(text) {
  if (!/^\d{1,19}$/.test(text ?? "")) return null;
  const seed = BigInt(text);
  return seed <= LARGEST_SEED ? seed : null;
}

/** The faces of one game, roll after roll, without end. */
export function* seededDice(seed, part, sides = 6) {
  if (sides ** ROLLS_PER_WORD > 2 ** 24) throw new RangeError(`Seeded dice have at most 8 sides, not ${sides}.`);
  for (let block = 1n; ; block++)
    for (let word of philox([seed, DICE_STREAM], [block, BigInt(part), 0n, 0n]))
      for (let roll = 0; roll < ROLLS_PER_WORD; roll++) {
        const product = word * BigInt(sides);
        yield Number(product >> 64n) + 1;
        word = product & WORD;
      }
}

/** Faces that nobody can foresee: bytes beyond the last whole number of dice are thrown away. */
export function* freshDice(sides = 6) {
  const bytes = new Uint8Array(64);
  const limit = 256 - (256 % sides);
  for (;;) {
    crypto.getRandomValues(bytes);
    for (const byte of bytes) if (byte < limit) yield (byte % sides) + 1;
  }
}
