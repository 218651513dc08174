// What a strategy does, cell by cell. A strategy is an array of zeros and ones (1 = roll) in the order
// (own score * T + opponent's score) * T + turn total, as the engine has it.

export const SIDES = 6;

export const cell = (i, j, k, target) => (i * target + j) * target + k;

/** The smallest turn total at which it holds, or wins: T * T numbers, by own and opponent's score. */
export function firstHolds(roll, target) {
  const holds = new Uint16Array(target * target);
  for (let i = 0; i < target; i++) {
    for (let j = 0; j < target; j++) {
      let k = 1;
      while (i + k < target && roll[cell(i, j, k, target)]) k++;
      holds[i * target + j] = k;
    }
  }
  return holds;
}

/** Cells in which it rolls though it holds at a smaller turn total, as [i, j, k, i, j, k, ...]; and at how many pairs. */
export function rollsAgain(roll, holds, target) {
  const cells = [];
  let pairs = 0;
  for (let i = 0; i < target; i++) {
    for (let j = 0; j < target; j++) {
      const before = cells.length;
      for (let k = holds[i * target + j] + 1; i + k < target; k++) {
        if (roll[cell(i, j, k, target)]) cells.push(i, j, k);
      }
      if (cells.length > before) pairs++;
    }
  }
  return { cells, pairs };
}

/** 1 for every cell to which some dice of both players bring a player who follows the strategy, whatever the opponent does. */
export function seenCells(roll, target, sides = SIDES) {
  const seen = new Uint8Array(target ** 3);
  const begins = new Uint8Array(target * target);
  begins[0] = 1;
  for (let i = 0; i < target; i++) {
    for (let j = 0; j < target; j++) {
      if (!begins[i * target + j]) continue;
      waits(begins, i, j, target); // a roll of 1 always may come
      const here = cell(i, j, 0, target);
      seen[here] = 1;
      for (let k = 0; i + k < target; k++) {
        if (!seen[here + k]) continue;
        if (!roll[here + k]) {
          waits(begins, i + k, j, target);
          continue;
        }
        for (let r = 2; r <= sides && i + k + r < target; r++) seen[here + k + r] = 1;
      }
    }
  }
  return seen;
}

/** The turns that may begin after the opponent's: nothing won, or 2 points and more. */
function waits(begins, i, j, target) {
  begins[i * target + j] = 1;
  for (let later = j + 2; later < target; later++) begins[i * target + later] = 1;
}

/**
 * What both choices are worth to who is to move, if both play by `values` afterwards.
 * values[cell] is the win probability of who is to move there, of two players with one strategy.
 */
export function worth(values, i, j, k, target, sides = SIDES) {
  const begins = (own, other) => values[cell(own, other, 0, target)];
  const hold = i + k >= target ? 1 : 1 - begins(j, i + k);
  let roll = 1 - begins(j, i);
  for (let r = 2; r <= sides; r++) roll += i + k + r >= target ? 1 : values[cell(i, j, k + r, target)];
  return { roll: roll / sides, hold };
}
