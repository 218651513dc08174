// The exact referee for genomes: the end of a turn depends on few genes, so it is computed once for many pairs of scores.
import { cubeGrid } from "./grid.js";

const SIDES = 6;

/**
 * How each turn of a genome ends: for each own score and slice of the opponent's, the chances to bank a turn total, `k`
 * and `chance` from `begin[n]` to before `begin[n + 1]`, and `win` and `bust`.
 */
export function turnsOf({ target, first, along, rowGenes }, genome) {
  const size = target * rowGenes;
  const [begin, win, bust] = [new Int32Array(size + 1), new Float64Array(size), new Float64Array(size)];
  const most = (rowGenes * target * (target - 1)) / 2; // as many as there are turn totals to bank
  const [k, chance] = [new Uint16Array(most), new Float64Array(most)];
  let banked = 0;
  const come = new Float64Array(target + SIDES);
  for (let i = 0, n = 0; i < target; i++)
    for (let slice = 0; slice < rowGenes; slice++, n++) {
      const left = target - i;
      come.fill(0);
      come[0] = 1;
      for (let total = 0, last = 0; total <= last && total < left; total++) {
        const here = come[total];
        if (here === 0) continue;
        if (total && !genome[first[i * target + total] + slice]) {
          k[banked] = total;
          chance[banked++] = here;
          continue;
        }
        const share = here / SIDES;
        bust[n] += share;
        for (let points = 2; points <= SIDES; points++)
          if (total + points < left) come[total + points] += share;
          else win[n] += share;
        last = Math.max(last, total + SIDES);
      }
      begin[n + 1] = banked;
    }
  return { target, along, rowGenes, begin, win, bust, k: k.subarray(0, banked), chance: chance.subarray(0, banked) };
}

/** The same of a roll in the order of engine.js. */
export function turnsOfRoll(target, roll) {
  const grid = cubeGrid(target, 1);
  const genome = new Uint8Array(grid.genes);
  for (const [i, total] of grid.lowest)
    for (let j = 0; j < target; j++) genome[grid.first[i * target + total] + j] = roll[(i * target + j) * target + total];
  return turnsOf(grid, genome);
}

/** The win probability of one against the other, the mean of both seats, by one pass from the target down. */
export function overall(one, other) {
  const { target, begin, k, chance, win, bust } = one;
  const { begin: begins, k: ks, chance: chances, bust: busts } = other;
  const moving = new Float64Array(target * target); // the value to `one` with `one` to move, by both scores
  const waiting = new Float64Array(target * target); // the same with `other` to move
  for (let i = target - 1; i >= 0; i--)
    for (let j = target - 1; j >= 0; j--) {
      const here = i * target + j;
      const a = i * one.rowGenes + one.along[j];
      const b = j * other.rowGenes + other.along[i];
      let gained = win[a];
      for (let n = begin[a], end = begin[a + 1]; n < end; n++) gained += chance[n] * waiting[here + k[n] * target];
      let left = 0;
      for (let n = begins[b], end = begins[b + 1]; n < end; n++) left += chances[n] * moving[here + ks[n]];
      moving[here] = (gained + bust[a] * left) / (1 - bust[a] * busts[b]);
      waiting[here] = left + busts[b] * moving[here];
    }
  return (moving[0] + waiting[0]) / 2;
}

/** The win probabilities of all genomes against an opponent, whose turns are given. */
export function againstAll(grid, genomes, opponent) {
  return Float64Array.from({ length: genomes.length / grid.genes }, (_, n) =>
    overall(turnsOf(grid, genomes.subarray(n * grid.genes, (n + 1) * grid.genes)), opponent));
}
