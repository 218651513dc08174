// Positions with costly choices, to try again: the page asks until which turn total to roll, until the answer is right or shown.
import { make } from "../dom.js";
import { costInPoints, points, worthTexts } from "../numbers.js";
import { most } from "./game.js";
import { ROUNDING, SEEN, sizeOf } from "./review.js";
import { bestRolls, turnWorth, worthOfRolling } from "./worth.js";

/** Whether a turn total wins at once. */
function wins(game, place, total) {
  return Boolean(game.target && !game.reply && total >= most(game, place));
}

/** The advice, in words, to roll from a turn total until another one. */
export function insteadWords(game, place, until, from = 0) {
  if (until === from) return from ? "hold" : "pass";
  return wins(game, place, until) ? "roll until you win" : until === 1 ? "roll once" : `roll until ${until}`;
}

/** The smallest answer to a question: a hold or a pass, but the first roll of a turn may be no choice. */
const leastOf = (game, from) => from || (game.passing ? 0 : 1);

/** The value of each turn total to roll until at a place, from a turn total on: `[until, worth]`. */
function answersTo(game, against, place, from) {
  const least = leastOf(game, from);
  return Array.from({ length: most(game, place) + 1 - least }, (_, n) => [n + least, worthOfRolling(game, against, place, n + least, from)]);
}

/**
 * The turn total at which a choice is asked for again: the beginning of the turn, but the choice itself where best play rolls again
 * above totals at which it holds, and so never comes there.
 */
function askedFrom(game, against, { place, total }) {
  const rolls = bestRolls(game, against, place);
  return rolls[total] && rolls.indexOf(false) < total && rolls.includes(false) ? total : 0;
}

function scoresOf(game, { own, other, turn }, from) {
  const risk = from ? `, and ${from} at risk` : "";
  return `${own} to ${other}${game.turns ? ` in round ${turn} of ${game.turns}` : ""}${risk}`;
}

/**
 * The reason why one of two turn totals to roll until is better: the values of a hold and of rolling on at a total at which the smaller holds
 * and the larger rolls on. `early` is true if the larger is better. Their difference in value is a mean over the totals that the turn reaches,
 * so at one of these the better choice gains at least as much.
 */
function reasonOf(game, against, place, [less, more], early) {
  const { rolled, held } = turnWorth(game, place, against.values, (roll, hold, total) => (total < more ? roll : hold));
  if (less === 0) held[0] = worthOfRolling(game, against, place, 0);
  const gain = (total) => (early ? 1 : -1) * (rolled[total] - held[total]);
  let at = less;
  while (gain(at) < SEEN && at < more - 1) at += 1;
  const [risk, further, stop] = at ? [`with ${at} at risk, `, "rolling on", "a hold"] : ["", "rolling", "a pass"];
  const [roll, hold] = worthTexts(rolled[at], held[at]);
  return `${risk}${insteadWords(game, place, more).replace("roll", further)} is worth ${roll}, and ${stop} ${hold}`;
}

/** The answer that is worth most, `[until, worth]`. */
function bestOf(answers) {
  return answers.reduce((one, other) => (other[1] > one[1] ? other : one));
}

/** What is best at a place against the optimum `{rolls, values}`, where something else is best against the opponent of the game; else nothing. */
export function besides(game, against, optimum, place, from = 0) {
  const [ours, its] = [against, optimum].map((opponent) => insteadWords(game, place, bestOf(answersTo(game, opponent, place, from))[0], from));
  return ours === its ? "" : `Against the optimum it would be best to ${its}.`;
}

/** A judge of answers at a place, from a turn total on: `{right, words, answer}`. An answer is right if its loss does not show in two decimals; `answer()` is the best one, with the reason. */
export function judgeOf(game, against, place, from = 0) {
  const answers = answersTo(game, against, place, from);
  const [best, top] = bestOf(answers);
  return (until) => {
    const [, worth] = answers.find(([total]) => total === until);
    const cost = top - worth;
    const better = cost > ROUNDING ? ` Best is to ${insteadWords(game, place, best, from)}, by ${costInPoints(cost)}.` : "";
    if (cost < SEEN) return { right: true, words: `Right: ${insteadWords(game, place, until, from)}.${better}` };
    const early = until < best;
    const size = sizeOf(cost);
    const article = size === "inaccuracy" ? "an" : "a";
    const answer = () => `Best is to ${insteadWords(game, place, best, from)}: ${reasonOf(game, against, place, early ? [until, best] : [best, until], early)}.`;
    return { right: false, words: `${early ? "Too early" : "Too late"}: from ${from ? "there" : "the beginning of a turn"} that costs ${points(cost)} on average, ${article} ${size}. Try again.`, answer };
  };
}

/** How many of the asked positions were found, and not shown, in a sentence. */
export function foundWords(found, asked) {
  const shown = asked - found;
  if (!shown) return asked === 1 ? "The position is right." : "Every position is right.";
  if (!found) return asked === 1 ? "The answer was shown to you." : `All ${asked} answers were shown to you.`;
  return `You found ${found} of ${asked}; the ${shown === 1 ? "other was" : "others were"} shown to you.`;
}

/**
 * A button that asks for the positions of some judged choices again, the dearest first. `hide(hidden)` is called with whether
 * the answers must not be seen. Answers are judged against the opponent of the game; what the optimum, which is promised or null, asks for
 * instead is said beside them.
 */
export function retryView(game, { against, optimum }, judged, hide) {
  const asked = [...judged].sort((a, b) => b.cost - a.cost).map((one) => ({ place: one.place, from: askedFrom(game, against, one) }));
  const positions = asked.filter(({ place, from }, n) => asked.findIndex((one) => one.place === place && one.from === from) === n);
  const begin = make("button", { type: "button", onclick: () => ask(0) }, "Try these positions again");
  const element = make("div", { class: "retry" }, begin);
  let found = 0; // right answers that were not shown

  function ask(number) {
    if (number === 0) found = 0;
    if (number === positions.length) return end();
    hide(true);
    const { place, from } = positions[number];
    const judge = judgeOf(game, against, place, from);
    const least = leastOf(game, from);
    const input = make("input", { type: "number", inputmode: "numeric", min: least, max: most(game, place), step: 1, required: true, oninput: () => (said.textContent = "") });
    const said = make("p", { role: "status", class: "verdict" });
    const also = make("p", { class: "soft" });
    const checkButton = make("button", { class: "first" }, "Check");
    const showButton = make("button", { type: "button", hidden: true }, "Show me");
    const next = make("button", { type: "button", class: "first", hidden: true, onclick: () => ask(number + 1) }, number + 1 === positions.length ? "Done" : "Next position");
    const hint = wins(game, place, most(game, place)) ? `(${most(game, place)} wins${from ? `, ${from} holds` : game.passing ? ", 0 passes" : ""})` : "";
    const check = (event) => {
      event.preventDefault();
      const { right, words, answer } = judge(input.valueAsNumber);
      said.textContent = words;
      showButton.hidden = right;
      showButton.onclick = () => settle(answer());
      if (!right) {
        input.focus();
        return input.select(); // the next answer takes its place
      }
      found += 1;
      settle(words);
    };
    const settle = (words) => {
      said.textContent = words;
      input.disabled = checkButton.hidden = showButton.hidden = true;
      next.hidden = false;
      next.focus();
      optimum.then((known) => known && (also.textContent = besides(game, against, known, place, from)));
    };
    element.replaceChildren(make("form", { onsubmit: check },
      make("h3", {}, `Position ${number + 1} of ${positions.length}: you have ${scoresOf(game, place, from)}.`),
      said, make("div", { class: "answer" }, make("label", {}, "Roll until the turn total is ", input), hint ? make("span", { class: "soft" }, hint) : null, checkButton, showButton, next), also));
    input.focus();
  }

  function end() {
    hide(false);
    element.replaceChildren(make("p", { role: "status" }, foundWords(found, positions.length)), begin);
    begin.focus();
  }

  return element;
}
