// What the choices of a game are worth: the exact values of rolling and holding in any game, the odds of a throw, and advice on request.
//
// The values of one turn are computed backwards, from those of the states after it. `values` has the player's value with the opponent
// to move, for each place of the opponent (`cell` in game.js): it comes from pigevo, or for Pig to 100 from the engine in the page.
// After the choice the player plays best.
import { make, table } from "../dom.js";
import { costInPoints, exact, inside, worthTexts } from "../numbers.js";
import { after, cell, drawWords, most, opening, throwsOf } from "./game.js";

const ROUNDING = 1e-12; // a chance or a difference below it is rounding
const TIE = 1e-14; // the largest advantage of a roll that counts as rounding, as in pigevo: such a roll is a hold

const better = (rolled, held) => Math.max(rolled, held);

/** The value after a turn that changes the score by some points, as a function of the points. */
function bankedFrom(game, place, values) {
  const ends = { won: 1, draw: game.draw, lost: 0 };
  return (points) => {
    const { place: next, result } = after(game, place, points);
    return result ? ends[result] : values[cell(game, next)];
  };
}

/** `{rolled, held}`: the values of both choices at each turn total of a turn that begins at a place; at later totals `choose` selects one of them. */
export function turnWorth(game, place, values, choose = better) {
  const end = most(game, place);
  const banked = bankedFrom(game, place, values);
  const held = Float64Array.from({ length: end }, (_, total) => banked(total));
  const rolled = new Float64Array(end);
  const fallen = game.falls ? banked(-place.own) : 0;
  for (let total = end - 1; total >= 0; total--)
    for (const { points, chance, ends: ending } of throwsOf(game, total)) {
      const reached = total + points;
      if (ending) rolled[total] += chance * (ending === "score" ? fallen : banked(points));
      else rolled[total] += chance * (reached >= end ? banked(reached) : choose(rolled[reached], held[reached], reached));
    }
  return { rolled, held };
}

/** The values of both choices against an opponent `{rolls, values}`; `hold` is null where none is allowed. */
export function worth(game, { rolls, values }, place, total) {
  const { rolled, held } = turnWorth(game, place, values);
  if (total > 0) return { roll: rolled[total], hold: held[total] };
  const { place: next, result } = after(game, place, 0);
  const stalemate = game.target && !result && !rolls(next, 0); // if both pass in turn, nobody wins
  return { roll: rolled[0], hold: game.passing ? (stalemate ? 0 : held[0]) : null };
}

/** The value of a roll at a turn total if it loses that total, and if it does not: means over throws, null if there are none. */
export function worthOfThrows(game, { values }, place, total, roll) {
  const banked = bankedFrom(game, place, values);
  const losing = throwsOf(game, total).filter(({ ends }) => ends);
  const chance = losing.reduce((sum, one) => sum + one.chance, 0);
  const part = losing.reduce((sum, one) => sum + one.chance * banked(one.ends === "score" ? -place.own : one.points), 0);
  const mean = (worth, share) => (share > ROUNDING ? worth / share : null);
  return { lost: mean(part, chance), kept: mean(roll - part, 1 - chance) };
}

/** Whether best play rolls, at each turn total of the turn that begins at a place. */
export function bestRolls(game, against, place) {
  const { rolled, held } = turnWorth(game, place, against.values);
  held[0] = worth(game, against, place, 0).hold ?? -Infinity;
  return Array.from(rolled, (value, at) => value > held[at] + TIE);
}

/**
 * The turn total until which best play rolls in the turn of a choice: if it rolls there, the next total at which it holds, or the
 * one that ends the turn; if it holds there, the first total of this stretch of holds.
 */
export function rollUntil(game, against, place, total) {
  const rolls = bestRolls(game, against, place);
  let until = total;
  if (rolls[total]) while (rolls[until]) until += 1;
  else while (until > 0 && !rolls[until - 1]) until -= 1;
  return until;
}

/** The value of rolling from a turn total until another one in this turn, and playing best in later turns. */
export function worthOfRolling(game, against, place, until, from = 0) {
  if (until === 0) return worth(game, against, place, 0).hold;
  const { rolled, held } = turnWorth(game, place, against.values, (roll, hold, total) => (total < until ? roll : hold));
  return until > from ? rolled[from] : held[from];
}

/** The value of best play before the first roll; in seat 0 the player moves first. */
export function startWorth(game, { values }, seat) {
  return seat === 0 ? turnWorth(game, opening(), values).rolled[0] : values[cell(game, opening())];
}

/** Whether the optimum rolls at a place and a turn total, given its values against itself. */
export function optimumRolls(game, values) {
  let known = null; // the turn at hand: it is followed once
  return (place, total) => {
    if (total === 0) return true; // where passing is allowed the optimum never passes
    if (known?.place !== place) known = { place, ...turnWorth(game, place, values) };
    return known.rolled[total] > known.held[total] + TIE;
  };
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

/** What to do, in a sentence. */
function headline({ name, roll, hold }, stop) {
  if (Math.abs(roll - hold) <= ROUNDING) return `Both are as good against ${inside(name)}.`;
  return `${roll > hold ? "Roll" : stop}: it is worth ${costInPoints(Math.abs(roll - hold))} more against ${inside(name)}.`;
}

function worthCell(value, text, other) {
  const better = value > other + ROUNDING;
  return make("span", { class: better ? "better" : "" }, exact(value, text), better ? make("span", { class: "unseen" }, " (better)") : null);
}

/** What a rule does here: `{title, sentence, rolls}`. */
function ruleView({ title, sentence, rolls }) {
  return [make("h3", {}, `${title} ${rolls ? "rolls" : "holds"}.`), make("p", { class: "soft" }, sentence)];
}

/** A place for advice, the values of both choices and a rule's decision: `hide()`, and `show(worths, game, place, total, rule)`; worths are `{name, roll, hold}`, a rule may be null. */
export function advicePanel() {
  const body = make("div", { "aria-live": "polite" });
  const element = make("section", { class: "card advice", "aria-label": "Advice", hidden: true }, body);

  function show(worths, game, { own, other }, total, rule) {
    const rows = worths.map(({ name, roll, hold }) => {
      const [rolled, held] = worthTexts(roll, hold);
      return [name, worthCell(roll, rolled, hold), worthCell(hold, held, roll)];
    });
    const stop = total ? "Hold" : "Pass";
    const lead = `With ${own} against ${other} and ${total} at risk, you win${drawWords(game)}, playing best afterwards:`;
    body.replaceChildren(...(rule ? ruleView(rule) : []), make("h3", {}, headline(worths[0], stop)), make("p", { class: "soft" }, lead),
      table("What both choices are worth", ["against", "if you roll", `if you ${stop.toLowerCase()}`], rows));
    element.hidden = false;
    element.scrollIntoView({ block: "nearest" }); // it stands below the board, often below what is seen
  }

  return { element, show, hide: () => (element.hidden = true) };
}
