// The costs of the choices of a game, in win probability against this opponent.
//
// The cost of a choice is the value of the better choice minus its own, if the person plays best afterwards. Between two
// choices only luck changes the value of the game: the value at the start, minus all costs, plus the luck, is that at the end.
import { most, throwsOf } from "./game.js";
import { rollUntil, startWorth, worth } from "./worth.js";

export const ROUNDING = 1e-12; // a cost below it is rounding

/** The least cost that two decimals of a percentage show. */
export const SEEN = 5e-5;

/** The sizes of wrong choices in words, as in `pigevo.people`, by the least cost of each: one game in 100, one in 500, any. */
export const SIZES = { blunder: 0.01, mistake: 0.002, inaccuracy: 0 };

/** The size of a cost in a word; empty if the cost is 0. */
export function sizeOf(cost) {
  return cost > 0 ? Object.keys(SIZES).find((size) => cost >= SIZES[size]) : "";
}

/** One choice, judged: `{..., roll, hold, best, cost, until}`. */
function judge(game, against, choice) {
  const { roll, hold } = worth(game, against, choice.place, choice.total);
  const lost = choice.rolled ? hold - roll : roll - hold;
  const until = rollUntil(game, against, choice.place, choice.total);
  return { ...choice, roll, hold, best: Math.max(roll, hold), cost: lost > ROUNDING ? lost : 0, until };
}

/** `{start, end, judged, costly, cost, luck}` of a finished game against an opponent `{rolls, values}`. */
export function review(state, against) {
  const { game, seat, result } = state;
  const judged = state.choices.map((choice) => judge(game, against, choice));
  const start = startWorth(game, against, seat);
  const end = result === "won" ? 1 : result === "draw" ? game.draw : 0;
  const cost = judged.reduce((sum, one) => sum + one.cost, 0);
  return { start, end, judged, costly: judged.filter((one) => one.cost > 0), cost, luck: end - start + cost };
}

/** The luck as it is shown: what the other figures of the review leave, as these are shown. */
export function shownLuck({ start, cost, end }) {
  const [before, spent, after] = [start, cost, end].map((value) => Number(value.toFixed(4)));
  return after - before + spent;
}

/**
 * The chances of one throw: that it ends the turn, that it loses the whole score, that it wins at once, and what it adds on
 * average to what a hold would bank.
 */
export function odds(game, place, total) {
  const chances = { ends: 0, falls: 0, wins: 0, change: 0 };
  for (const { points, chance, ends } of throwsOf(game, total)) {
    if (ends === "score") chances.falls += chance;
    else if (ends) chances.ends += chance;
    const reached = ends === "score" ? -1 : ends ? points : total + points;
    if (game.target && reached >= most(game, place)) chances.wins += chance;
    chances.change += chance * (ends === "score" ? -place.own - total : ends ? points - total : points);
  }
  return chances;
}
