// The board: scores, the die with what is at risk, the buttons, and a line that says what has happened.
import { make } from "../dom.js";
import { percent } from "../numbers.js";
import { die, smallDice } from "./die.js";
import { isChoice, OPPONENT, PERSON, place, total } from "./game.js";
import { scorePanel } from "./panel.js";
import { odds } from "./review.js";

/** The words about a turn that has ended. */
export function turnSentence(turn, name) {
  const verb = name === "You" ? "bank" : "banks";
  return `${name} rolled ${turn.rolls.join(", ")} and ${turn.banked ? `${verb} ${turn.banked}` : "lost the turn"}.`;
}

/** The odds of the next roll, in words. */
export function oddsSentence(state) {
  const [own, , atRisk] = place(state);
  const { ends, wins, change } = odds(state.game, own, atRisk);
  const win = wins ? `, and wins at once with probability ${percent(wins, 1)}` : "";
  const by = `${change < 0 ? "\u2212" : "+"}${Math.abs(change).toFixed(2)}`;
  return `A roll loses the turn with probability ${percent(ends, 1)}${win}. On average it changes the points that you can bank by ${by}.`;
}

function button(key, text, what, className) {
  const hint = make("kbd", { "aria-hidden": "true" }, key);
  return make("button", { type: "button", class: className, "aria-keyshortcuts": key, onclick: what }, make("span", {}, text), hint);
}

/** Switch a button off without taking the keyboard from it. */
function enable(one, on) {
  one.setAttribute("aria-disabled", String(!on));
}

/** The board, with what happens when its buttons are pressed: `roll`, `hold`, `again`, `advice`, `odds`. */
export function board(actions) {
  const panels = [PERSON, OPPONENT].map(scorePanel);
  const dieBox = make("div", { class: "die-box" });
  const atRisk = make("p", { class: "at-risk" });
  const row = make("div", { class: "row-of-dice" });
  const said = make("p", { class: "said", role: "status", "aria-live": "polite" });
  const odd = make("p", { class: "odds soft", "aria-live": "polite", hidden: true });
  const rollButton = button("R", "Roll", actions.roll, "first");
  const holdButton = button("H", "Hold", actions.hold, "first");
  const againButton = button("N", "Play again", actions.again, "first again");
  const adviceButton = button("A", "Advice", actions.advice, "");
  const oddsButton = button("O", "Odds", actions.odds, "");
  const newButton = button("N", "New game", actions.again, "");
  const asked = make("div", { class: "asked" }, adviceButton, oddsButton, newButton);
  const element = make("div", { class: "board card" }, panels[0].element, panels[1].element,
    make("div", { class: "table" }, dieBox, atRisk, row), said,
    make("div", { class: "choices" }, rollButton, holdButton, againButton), asked, odd);
  let drawn = -1; // rolls so far, to see that there is a new one

  function showDice(state, last) {
    const rolls = state.turns.reduce((sum, turn) => sum + turn.rolls.length, state.rolls.length);
    const points = total(state);
    if (rolls !== drawn) {
      const shown = die(last);
      if (rolls > drawn && last !== null) shown.classList.add("thrown");
      dieBox.replaceChildren(shown);
      drawn = rolls;
    }
    dieBox.classList.toggle("past", !state.rolls.length && state.winner === null);
    row.replaceChildren(...smallDice(state.rolls.length ? state.rolls : (state.turns.at(-1)?.rolls ?? [])));
    row.classList.toggle("past", !state.rolls.length);
    atRisk.replaceChildren(make("span", { class: "number" }, String(points)), " at risk");
    atRisk.classList.toggle("none", !points);
    atRisk.hidden = state.winner !== null;
  }

  /** Show a state. `last` is the die on the table, `free` whether the person is asked; `text` is said, if it is another. */
  function show(state, { titles, last, free, text, withOdds }) {
    const choice = free && isChoice(state);
    panels.forEach((panel, player) => panel.show(state, titles[player]));
    showDice(state, last);
    if (text !== undefined && said.textContent !== text) said.textContent = text;
    const over = state.winner !== null;
    rollButton.hidden = holdButton.hidden = asked.hidden = over;
    againButton.hidden = !over;
    enable(rollButton, free);
    for (const one of [holdButton, adviceButton]) enable(one, choice);
    holdButton.firstChild.textContent = choice ? `Hold for ${state.scores[PERSON] + total(state)}` : "Hold";
    oddsButton.setAttribute("aria-pressed", String(withOdds));
    odd.hidden = !(withOdds && free);
    if (!odd.hidden) odd.textContent = oddsSentence(state);
    element.dataset.state = over ? "over" : free ? "asked" : "waiting";
  }

  return { element, show, focus: () => rollButton.focus() };
}
