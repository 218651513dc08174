// Advice when asked: what rolling and holding are worth against this opponent, and against the optimum.
import { make, table } from "../dom.js";
import { exact, percent } from "../numbers.js";

const LEVEL = 1e-12; // a difference below it is rounding

function better(roll, hold) {
  if (Math.abs(roll - hold) <= LEVEL) return "both are as good";
  return `${roll > hold ? "roll" : "hold"}, by ${percent(Math.abs(roll - hold))}`;
}

/** A place for advice. `judges` are `{name, values}`; `show(judges, worth, place)` fills it, `hide()` empties it. */
export function advicePanel() {
  const body = make("div", { "aria-live": "polite" });
  const element = make("section", { class: "card advice", "aria-label": "Advice", hidden: true }, make("h3", {}, "Advice"), body);

  function show(judges, worthOf, [own, opponent, total]) {
    const found = judges.map(({ name, values }) => ({ name, ...worthOf(values, own, opponent, total) }));
    const rows = found.map(({ name, roll, hold }) => [name, exact(roll), exact(hold), better(roll, hold)]);
    const lead = `With ${own} against ${opponent} and ${total} at risk, you win, playing best afterwards:`;
    body.replaceChildren(make("p", {}, lead), table("What both choices are worth", ["against", "if you roll", "if you hold", "better"], rows));
    element.hidden = false;
  }

  return { element, show, hide: () => (element.hidden = true) };
}
