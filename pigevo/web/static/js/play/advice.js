// Advice on request: the values of rolling and holding against this opponent and against the optimum, and a rule's decision.
import { make, table } from "../dom.js";
import { costInPoints, exact, inside, worthTexts } from "../numbers.js";
import { drawWords } from "./game.js";

const ROUNDING = 1e-12; // a difference below it is rounding

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

/** A place for advice: `hide()`, and `show(worths, game, place, total, rule)`; worths are `{name, roll, hold}`, a rule may be null. */
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
