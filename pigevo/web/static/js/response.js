// The best response to a strategy, by exact policy iteration on each pair of scores (Howard 1960).
//
// For a given value of a lost turn the best turn is computed backwards over the turn total. Replacing the turn by the best
// one for the present value ends after finitely many rounds, without a tolerance.
import { cell, newTurn, rolled, solvePair, winAbove } from "./engine.js";

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
