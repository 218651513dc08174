// Philox4x64-10 (Salmon, Moraes, Dror & Shaw 2011) on 32-bit words: the generator of `pigevo.dice`.
//
// A word of 64 bits is two of 32, the lower one first. Products of 32-bit words are put together from 16-bit halves, so
// that nothing is ever rounded.
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
