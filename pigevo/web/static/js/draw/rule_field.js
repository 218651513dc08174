// A field in which a rule is typed: what it says is shown at once, and what is wrong with it in a sentence.
import { make } from "../dom.js";
import { planOf, readRule, RuleError } from "../rules.js";

const PARTS = ["25", "21+(j-i)/8", "multiple(25)", "marks(25,50,74)", "max(25,j-i-10)", "19 if ahead else 24", "end"];
const RACES = ["either>=71", "own>=60 or opponent>=74", "sum>=121", "2*own+opponent>=178", "leaves<=25"];

function listed(texts) {
  return texts.flatMap((text, at) => [at ? ", " : "", make("code", {}, text)]);
}

/**
 * The field. `changed(plan)` is called with the turn totals of each rule that is typed; `fill(text)` sets the field, and calls
 * nothing; `textOf(fits)` is the rule's text if there is one whose turn totals fit, else an empty text.
 */
export function ruleField(game, strategies, announce, changed) {
  const trouble = make("p", { id: "rule-trouble", class: "trouble", hidden: true });
  const help = make("p", { id: "rule-help", class: "soft" }, "Where to hold, by own score ", make("code", {}, "i"), " and opponent\u2019s ",
    make("code", {}, "j"), ": ", listed(PARTS), ". And when to roll to win, after ", make("code", {}, "; race"), ": ", listed(RACES), ".");
  const known = make("datalist", { id: "rules-known" }, strategies.filter((one) => one.rule).map((one) => make("option", { value: one.rule }, one.title)));
  const input = make("input", {
    type: "text", id: "rule", list: "rules-known", maxlength: 500, placeholder: "21+(j-i)/8; race either>=71", autocomplete: "off",
    autocapitalize: "off", spellcheck: "false", "aria-describedby": "rule-trouble rule-help", oninput: typed,
    onchange: () => trouble.hidden || announce(trouble.textContent),
  });
  const element = make("div", { class: "rule" }, make("label", { for: "rule" }, "Your rule"), input, known, trouble, help);

  /** The turn totals of what is typed, or null where nothing is typed or it is not a rule (a message says so). */
  function read() {
    const text = input.value.trim();
    let wrong = "";
    let plan = null;
    try {
      plan = text ? planOf(game, readRule(text)) : null;
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      wrong = error.message;
    }
    trouble.textContent = wrong;
    trouble.hidden = !wrong;
    input.setAttribute("aria-invalid", String(Boolean(wrong)));
    return plan;
  }

  function typed() {
    const plan = read();
    if (plan) changed(plan);
  }

  function fill(text) {
    input.value = text;
    read();
  }

  function textOf(fits) {
    const plan = read();
    return plan && fits(plan) ? input.value.trim().replace(/^rule:/, "").trim() : "";
  }

  return { element, fill, textOf };
}
