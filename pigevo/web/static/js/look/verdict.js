// The values of both choices in one state, in words and figures.
import { cell } from "../engine.js";
import { make } from "../dom.js";
import { costInPoints, inside, worthTexts } from "../numbers.js";

const ROUNDING = 1e-12; // a smaller difference is rounding
const NAMES = { roll: "Roll", hold: "Hold" };

/** The figures of a state: `values` are the optimum's against itself, `worth` the engine's. */
export function judged(game, worth, values, optimum, other, i, j, k) {
  const { roll, hold } = worth(values, i, j, k);
  const gain = roll - hold;
  const choose = (strategy) => (strategy[cell(game, i, j, k)] ? "roll" : "hold");
  return {
    i, j, k, roll, hold,
    better: Math.abs(gain) <= ROUNDING ? "either" : gain > 0 ? "roll" : "hold",
    cost: Math.abs(gain),
    optimum: choose(optimum),
    other: choose(other),
  };
}

/** One sentence on what is better, and one on what the strategy does. */
export function sentences(verdict, title) {
  const worse = verdict.better === "roll" ? "Holding" : "Rolling";
  const first =
    verdict.better === "either"
      ? "Both choices are worth the same."
      : `${NAMES[verdict.better]}: ${worse.toLowerCase()} would cost ${costInPoints(verdict.cost)}.`;
  if (!title) return [first, ""];
  const right = verdict.better === "either" || verdict.other === verdict.better;
  return [first, `${title} ${verdict.other}s, ${right ? "and that is right" : `and so gives away ${costInPoints(verdict.cost)}`}.`];
}

/** Show the figures of a state in an element, in full in its data attributes. */
export function showVerdict(place, verdict, title, seen) {
  const { i, j, k, roll, hold, better, cost } = verdict;
  Object.assign(place.dataset, { i, j, k, roll, hold, better, cost, optimum: verdict.optimum, other: verdict.other });
  const [first, second] = sentences(verdict, title);
  const [rolled, held] = worthTexts(roll, hold);
  place.replaceChildren(
    make("h3", {}, `You have ${i}, the opponent ${j}, and ${k} at risk`),
    bar("Roll", roll, rolled, better !== "hold", takers(verdict, "roll", title)),
    bar("Hold", hold, held, better !== "roll", takers(verdict, "hold", title)),
    make("p", { class: "sentence" }, make("strong", {}, first)),
    make("p", {}, second),
    make("p", { class: "soft" }, seen ? "" : "Who follows this strategy never comes here."),
  );
}

/** Who makes a choice. */
function takers({ optimum, other }, choice, title) {
  return [optimum === choice && "the optimum", other === choice && inside(title)].filter(Boolean).join(" and ");
}

/** A choice's win probability as a number and a bar, with who makes it. */
function bar(name, share, text, best, who) {
  const fill = make("span", { class: best ? "fill best" : "fill" });
  fill.style.width = `${100 * share}%`;
  return make(
    "div", { class: "worth" },
    make("span", { class: "name" }, name),
    make("span", { class: "track", "aria-hidden": "true" }, fill),
    make("span", { class: "number" }, text),
    make("span", { class: "who soft" }, who && `the choice of ${who}`),
  );
}
