// Strategies as genes: the division of the states of a race into cubes, each decided by one gene, as in `pigevo.strategies.grid`; and the
// exact referee for genomes. The end of a turn depends on few genes, so it is computed once for many pairs of scores.
export const SIDES = 6;

/**
 * The grid of cubes of one size; `size` is a number, or three along own score, opponent's score and turn total.
 *
 * Genes are in rows, one for each pair of slices of own score and turn total with a decision; `first[i * target + k]` is
 * the first gene of the row that decides there, or -1, and `along[j]` the place in it for an opponent's score.
 */
export function cubeGrid(target, size) {
  const edges = typeof size === "number" ? [size, size, size] : size;
  const [own, opponent, total] = edges;
  const slices = edges.map((edge) => Math.ceil(target / edge));
  const rowGenes = slices[1];
  const first = new Int32Array(target * target).fill(-1);
  const lowest = []; // the lowest decision of each row: own score and turn total
  for (let a = 0; a < slices[0]; a++)
    for (let c = 0; c < slices[2]; c++) {
      const [i, k] = [a * own, Math.max(c * total, 1)];
      if (k >= target || k >= (c + 1) * total || i + k >= target) continue;
      for (let x = i; x < Math.min(i + own, target); x++)
        for (let y = k; y < (c + 1) * total && x + y < target; y++) first[x * target + y] = lowest.length * rowGenes;
      lowest.push([i, k]);
    }
  const along = Int32Array.from({ length: target }, (_, j) => Math.floor(j / opponent));
  return { target, edges, rowGenes, first, along, lowest, genes: lowest.length * rowGenes };
}

/** The gene of `grid` that decides what each gene of a finer grid decides. */
function sources(grid, finer) {
  const places = [];
  for (const [i, k] of finer.lowest)
    for (let slice = 0; slice < finer.rowGenes; slice++)
      places.push(grid.first[i * grid.target + k] + grid.along[slice * finer.edges[1]]);
  return places;
}

/** Genomes, one after the other, on a finer grid. */
export function refined(genomes, grid, finer) {
  const places = sources(grid, finer);
  const size = genomes.length / grid.genes;
  const copied = new Uint8Array(size * finer.genes);
  for (let n = 0; n < size; n++)
    places.forEach((place, gene) => (copied[n * finer.genes + gene] = genomes[n * grid.genes + place]));
  return copied;
}

/** The roll of a genome, in the order of engine.js. */
export function rollOfGenome({ target, first, along }, genome) {
  const roll = new Uint8Array(target ** 3);
  for (let i = 0; i < target; i++)
    for (let j = 0; j < target; j++)
      for (let k = 0; i + k < target; k++)
        roll[(i * target + j) * target + k] = k === 0 ? 1 : genome[first[i * target + k] + along[j]];
  return roll;
}

/** The smallest turn total at which a genome holds, or wins: by own and opponent's score, target * target numbers. */
export function holdsOf({ target, first, along }, genome) {
  const holds = new Uint16Array(target * target);
  for (let i = 0; i < target; i++)
    for (let j = 0; j < target; j++) {
      let k = 1;
      while (i + k < target && genome[first[i * target + k] + along[j]]) k++;
      holds[i * target + j] = k;
    }
  return holds;
}

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
