// A field in which a rule is typed: its hold values are shown at once, or a sentence says what is wrong with it.
import { make } from "../dom.js";
import { planOf, readRule, RuleError } from "../rules.js";

/** Examples of rules, each with its sentence in pigevo. */
export const EXAMPLES = [
  ["25", "Hold at 25."],
  ["21+(j-i)/8", "Hold at 21, plus an eighth of what you are behind or minus an eighth of what you are ahead."],
  ["multiple(25)", "Roll until your score and your turn total together reach or pass the next multiple of 25."],
  ["marks(25,50,74)", "Roll until your score and your turn total together reach or pass the next of the marks 25, 50 or 74; after it, roll to win."],
  ["max(25,j-i-10)", "Hold at 25, but roll on while you are more than 10 behind, your turn total included."],
  ["19 if ahead else 24", "If you are ahead, hold at 19; otherwise hold at 24."],
  ["end", "Roll to win."],
  ["25; race either>=71", "Hold at 25. But roll to win once either of you has 71 or more."],
  ["25; race own>=60 or opponent>=74", "Hold at 25. But roll to win once you have 60 or more, or the other player has 74 or more."],
  ["25; race sum>=121", "Hold at 25. But roll to win once your scores add up to 121 or more."],
  ["25; race 2*own+opponent>=178", "Hold at 25. But roll to win once twice your score and the other player\u2019s add up to 178 or more."],
  ["25; race leaves<=25", "Hold at 25. But roll to win once the hold you plan would leave you 25 or fewer points to go."],
];

/**
 * The field. `changed(plan, refused)` is called with the turn totals of each rule that is typed, or with null, and whether the text is refused; `fill(text)` sets the field without this
 * call; `text()` is what stands there; `textOf(fits)` is the typed rule if `fits` is true for its turn totals, otherwise an empty text.
 */
export function ruleField(game, strategies, announce, changed) {
  const trouble = make("p", { id: "rule-trouble", class: "trouble", hidden: true });
  const help = make("p", { id: "rule-help", class: "soft" }, "Where to hold, by own score ", make("code", {}, "i"), " and opponent\u2019s ",
    make("code", {}, "j"), ", and after ", make("code", {}, "; race"), " when to roll to win.");
  const examples = make("details", {}, make("summary", {}, "Examples, and what they do"),
    make("ul", {}, EXAMPLES.map(([text, sentence]) => make("li", {}, make("code", {}, text), " ", sentence))));
  const known = make("datalist", { id: "rules-known" }, strategies.filter((one) => one.rule).map((one) => make("option", { value: one.rule }, one.title)));
  const input = make("input", {
    type: "text", id: "rule", list: "rules-known", maxlength: 500, placeholder: "21+(j-i)/8; race either>=71", autocomplete: "off",
    autocapitalize: "off", spellcheck: "false", "aria-describedby": "rule-trouble rule-help", oninput: typed,
    onchange: () => trouble.hidden || announce(trouble.textContent),
  });
  const element = make("div", { class: "rule" }, make("label", { for: "rule" }, "Your rule"), input, known, trouble, help, examples);

  /** The turn totals of the typed rule; null if nothing is typed, or if it is no rule, which a message says. */
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
    changed(read(), !trouble.hidden);
  }

  function fill(text) {
    input.value = text;
    read();
  }

  function textOf(fits) {
    const plan = read();
    return plan && fits(plan) ? input.value.trim().replace(/^rule:/, "").trim() : "";
  }

  return { element, fill, text: () => input.value, textOf };
}
