// What a strategy does, cell by cell, from its roll: see engine.js for the order of the bytes.
import { cell } from "../engine.js";

/** The smallest turn total at which it holds, or wins: by own and opponent's score, target * target numbers. */
export function firstHolds(game, roll) {
  const { target } = game;
  const holds = new Uint16Array(target * target);
  for (let i = 0; i < target; i++)
    for (let j = 0; j < target; j++) {
      let k = 1;
      while (i + k < target && roll[cell(game, i, j, k)]) k++;
      holds[i * target + j] = k;
    }
  return holds;
}

/** Cells in which it rolls though it holds at a smaller turn total, as [i, j, k, i, j, k, ...]; and at how many pairs. */
export function rollsAgain(game, roll, holds) {
  const { target } = game;
  const cells = [];
  let pairs = 0;
  for (let i = 0; i < target; i++)
    for (let j = 0; j < target; j++) {
      const before = cells.length;
      for (let k = holds[i * target + j] + 1; i + k < target; k++)
        if (roll[cell(game, i, j, k)]) cells.push(i, j, k);
      if (cells.length > before) pairs++;
    }
  return { cells, pairs };
}

/** 1 for every cell that a player of the strategy reaches with some dice against some opponent. */
export function seenCells(game, roll) {
  const { target, sides } = game;
  const seen = new Uint8Array(target ** 3);
  const begins = new Uint8Array(target * target);
  waits(begins, 0, 0, target);
  for (let i = 0; i < target; i++)
    for (let j = 0; j < target; j++) {
      if (!begins[i * target + j]) continue;
      waits(begins, i, j, target); // a turn may always be lost
      const here = cell(game, i, j, 0);
      seen[here] = 1;
      for (let k = 0; i + k < target; k++) {
        if (!seen[here + k]) continue;
        if (k && !roll[here + k]) waits(begins, i + k, j, target);
        else for (let face = 2; face <= sides && i + k + face < target; face++) seen[here + k + face] = 1;
      }
    }
  return seen;
}

/** Mark the scores at which the next turn may begin, after a turn of the opponent that scored nothing, or 2 points or more. */
function waits(begins, i, j, target) {
  begins[i * target + j] = 1;
  for (let later = j + 2; later < target; later++) begins[i * target + later] = 1;
}
