// The division of the states of a race into cubes, each decided by one gene: `pigevo.strategies.grid`.

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
