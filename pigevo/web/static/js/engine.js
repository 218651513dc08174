// The exact referee, and strategies as it takes them: where they hold and come, their win probabilities against each other, and best
// responses.
//
// A strategy is a roll: bytes 0 or 1 in the order own score, opponent's score, turn total. Scores never fall, so the
// equations separate into one pair of unknowns for each pair of banked scores, solved from the target down. A turn's
// value is `part + (1 - leave) * bust`: `part` from holds and wins, `leave` the chance that the turn changes a score,
// `bust` the value after a lost turn.
//
// A best response comes from exact policy iteration on each pair of scores (Howard 1960). For a given value of a lost turn the best
// turn is computed backwards over the turn total. Replacing the turn by the best one for the present value ends after finitely many
// rounds, without a tolerance.
//
// This file uses nothing of the page, and runs in node as well.

/** The index of a state in a roll or in a table of values. */
export function cell(game, own, opponent, total) {
  return (own * game.target + opponent) * game.target + total;
}

/** Bytes 0 or 1 from bits, the highest bit of a byte first. */
export function unpack(bits, count) {
  const cells = new Uint8Array(count);
  for (let n = 0; n < count; n++) cells[n] = (bits[n >> 3] >> (7 - (n & 7))) & 1;
  return cells;
}

/** The roll of a rule `(own, opponent, total) => rolls`, as play reads it: the first roll of a turn is no choice. */
export function rollOf(game, rule) {
  const { target } = game;
  const roll = new Uint8Array(target ** 3);
  for (let own = 0; own < target; own++)
    for (let other = 0; other < target; other++)
      for (let total = 0; own + total < target; total++)
        roll[cell(game, own, other, total)] = total === 0 || rule(own, other, total) ? 1 : 0;
  return roll;
}

/** The smallest turn total at which a strategy holds, or wins: by own and opponent's score, target * target numbers. */
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

/** Cells in which a strategy rolls though it holds at a smaller turn total, as [i, j, k, i, j, k, ...]; and at how many pairs. */
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

/** Work arrays for one turn; beyond the target both stay 1. */
function newTurn(game) {
  const size = game.target + game.sides + 1;
  return { part: new Float64Array(size), leave: new Float64Array(size) };
}

/** The parts of the value of a roll at a turn total, from those of higher totals. */
function rolled(turn, total, sides, out) {
  let part = 0;
  let leave = 0;
  for (let face = 2; face <= sides; face++) {
    part += turn.part[total + face];
    leave += turn.leave[total + face];
  }
  out.part = part / sides;
  out.leave = leave / sides;
}

/** Begin a turn in which `left` points are missing: at a turn total of `left` or more it has won. */
function winAbove(turn, left) {
  turn.part.fill(1, left);
  turn.leave.fill(1, left);
}

/** Follow a strategy's turn backwards; `held(total)` is the value of a hold. */
function followTurn(game, turn, roll, start, own, held) {
  const left = game.target - own;
  const out = { part: 0, leave: 0 };
  winAbove(turn, left);
  for (let total = left - 1; total >= 0; total--) {
    if (total === 0 || roll[start + total]) rolled(turn, total, game.sides, out);
    else {
      out.part = held(total);
      out.leave = 1;
    }
    turn.part[total] = out.part;
    turn.leave[total] = out.leave;
  }
}

function writeTurn(values, start, game, turn, bust) {
  for (let total = 0; total < game.target; total++)
    values[start + total] = turn.part[total] + (1 - turn.leave[total]) * bust;
}

/**
 * Exact win probabilities of A against B.
 *
 * `first`, `second`, `overall`: A's, when it moves first, second, and their mean. `own` at (i, j, k): A's, to move with i
 * banked against j and k at risk; `other` at (j, i, k): B's, to move with j banked against A's i. Beyond the target 1.
 */
export function evaluate(game, rollA, rollB) {
  const { target } = game;
  const own = new Float64Array(target ** 3);
  const other = new Float64Array(target ** 3);
  const a = newTurn(game);
  const b = newTurn(game);
  for (let i = target - 1; i >= 0; i--)
    for (let j = target - 1; j >= 0; j--) {
      const atA = cell(game, i, j, 0);
      const atB = cell(game, j, i, 0);
      followTurn(game, a, rollA, atA, i, (total) => 1 - other[cell(game, j, i + total, 0)]);
      followTurn(game, b, rollB, atB, j, (total) => 1 - own[cell(game, i, j + total, 0)]);
      const { moving, waiting } = solvePair(a.part[0], a.leave[0], b.leave[0] - b.part[0], b.leave[0]);
      writeTurn(own, atA, game, a, waiting);
      writeTurn(other, atB, game, b, 1 - moving);
    }
  const first = own[0];
  const second = 1 - other[0];
  return { first, second, overall: (first + second) / 2, own, other };
}

/** P and Q of `P = part + (1 - leave) Q` and `Q = kept + (1 - left) P`; 0 where nobody ever leaves the pair. */
function solvePair(part, leave, kept, left) {
  const leaving = leave + left - leave * left;
  const moving = leaving > 0 ? (part + (1 - leave) * kept) / leaving : 0;
  return { moving, waiting: kept + (1 - left) * moving };
}

/** The values of rolling and of holding to A in a state, given those of `evaluate`; `hold` is null before the first roll. */
export function worth(game, values, own, opponent, total) {
  const { target, sides } = game;
  const bust = 1 - values.other[cell(game, opponent, own, 0)];
  let roll = bust;
  for (let face = 2; face <= sides; face++)
    roll += own + total + face >= target ? 1 : values.own[cell(game, own, opponent, total + face)];
  const hold = own + total >= target ? 1 : 1 - values.other[cell(game, opponent, own + total, 0)];
  return { roll: roll / sides, hold: total === 0 ? null : hold };
}

const TIE = 1e-14; // the largest advantage of a roll that counts as rounding: such a roll is a hold

/** The best turn if `bust` is the value of a lost one; `held[total]` is the value of a hold. */
function bestTurn(game, turn, left, held, bust) {
  const out = { part: 0, leave: 0 };
  winAbove(turn, left);
  for (let total = left - 1; total >= 0; total--) {
    rolled(turn, total, game.sides, out);
    if (total > 0 && held[total] >= out.part + (1 - out.leave) * bust) {
      out.part = held[total];
      out.leave = 1;
    }
    turn.part[total] = out.part;
    turn.leave[total] = out.leave;
  }
}

/** The best win probability at one pair of scores, as `moving`, and with the opponent to move, as `waiting`. */
function answer(game, turn, left, held, kept, leave) {
  let values = { moving: -1, waiting: kept };
  for (;;) {
    bestTurn(game, turn, left, held, values.waiting);
    const better = solvePair(turn.part[0], turn.leave[0], kept, leave);
    if (better.moving <= values.moving) return values;
    values = better;
  }
}

function writeRolls(game, turn, left, held, bust, roll, start) {
  const out = { part: 0, leave: 0 };
  for (let total = 0; total < left; total++) {
    rolled(turn, total, game.sides, out);
    roll[start + total] = total === 0 || out.part + (1 - out.leave) * bust > held[total] + TIE ? 1 : 0;
  }
}

/** The opponent's turn at a pair of scores: the value of its holds to the other player, and its chance of leaving the pair. */
function theirTurn(game, turn, theirs, own, other, moving) {
  const left = game.target - other;
  const out = { part: 0, leave: 0 };
  turn.part.fill(0, left);
  turn.leave.fill(1, left);
  for (let total = left - 1; total >= 0; total--) {
    if (total === 0 || theirs[cell(game, other, own, total)]) rolled(turn, total, game.sides, out);
    else {
      out.part = moving[own * game.target + other + total];
      out.leave = 1;
    }
    turn.part[total] = out.part;
    turn.leave[total] = out.leave;
  }
}

/** The strategy that does best against a given one, as its roll. */
export function bestResponse(game, theirs) {
  const { target } = game;
  const roll = new Uint8Array(target ** 3);
  const moving = new Float64Array(target ** 2);
  const waiting = new Float64Array(target ** 2);
  const held = new Float64Array(target);
  const mine = newTurn(game);
  const other = newTurn(game);
  for (let i = target - 1; i >= 0; i--)
    for (let j = target - 1; j >= 0; j--) {
      theirTurn(game, other, theirs, i, j, moving);
      const left = target - i;
      for (let total = 1; total < left; total++) held[total] = waiting[(i + total) * target + j];
      const values = answer(game, mine, left, held, other.part[0], other.leave[0]);
      bestTurn(game, mine, left, held, values.waiting);
      writeRolls(game, mine, left, held, values.waiting, roll, cell(game, i, j, 0));
      moving[i * target + j] = values.moving;
      waiting[i * target + j] = values.waiting;
    }
  return roll;
}
