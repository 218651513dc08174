// What the choices of a game have cost, in win probability against this opponent.
//
// A choice costs what the better of both is worth more, if the person plays best from there on. Between two choices only
// luck moves the worth of the game: start, less all costs, with the luck added, is 1 for a win and 0 for a loss.
import { worth } from "../engine.js";
import { PERSON } from "./game.js";

const NOTHING = 1e-12; // a cost below it is rounding

/** One choice, judged under the values of the best response: `{..., roll, hold, best, cost}`. */
export function judge(game, values, choice) {
  const { roll, hold } = worth(game, values, choice.own, choice.opponent, choice.total);
  const lost = choice.rolled ? hold - roll : roll - hold;
  return { ...choice, roll, hold, best: Math.max(roll, hold), cost: lost > NOTHING ? lost : 0 };
}

/** `{start, end, judged, costly, cost, luck}` of a finished game; `values` as the engine's `respond` gives them. */
export function review(state, values) {
  const judged = state.choices.map((choice) => judge(state.game, values, choice));
  const start = state.seat === 0 ? values.first : values.second;
  const end = state.winner === PERSON ? 1 : 0;
  const cost = judged.reduce((sum, one) => sum + one.cost, 0);
  return { start, end, judged, costly: judged.filter((one) => one.cost > 0), cost, luck: end - start + cost };
}

/** The chances of one roll: that it ends the turn, that it wins, and what it adds on average to what a hold would bank. */
export function odds(game, own, total) {
  const faces = Array.from({ length: game.sides - 1 }, (_, n) => n + 2);
  const wins = faces.filter((face) => own + total + face >= game.target).length;
  const gain = faces.reduce((sum, face) => sum + face, 0);
  return { ends: 1 / game.sides, wins: wins / game.sides, change: (gain - total) / game.sides };
}
