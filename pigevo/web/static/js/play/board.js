// The board: scores with what is at risk, the die, the buttons, and a line that says what has happened.
import { draw, make } from "../dom.js";
import { odds } from "./review.js";
import { die, smallDice } from "./die.js";
import { isChoice, OPPONENT, PERSON, place, total } from "./game.js";
import { percent } from "../numbers.js";

const WHO = ["mine", "theirs"];

/** A player's score: the number, and a bar in which what is at risk is hatched. */
function scorePanel(player) {
  const name = make("h3", {});
  const number = make("p", { class: "score number" });
  const banked = draw("rect", { class: "banked", height: 14, rx: 7 });
  const risk = draw("rect", { class: "risk", height: 14, rx: 7 });
  const bar = draw("svg", { class: "bar", viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" });
  bar.append(draw("rect", { class: "way", width: 100, height: 14, rx: 7 }), risk, banked);
  const note = make("p", { class: "soft note" });
  const element = make("div", { class: `panel ${WHO[player]}` }, name, number, bar, note);

  function show(state, title) {
    const { target } = state.game;
    const score = state.scores[player];
    const moves = state.winner === null && state.mover === player;
    const atRisk = moves ? total(state) : 0;
    element.classList.toggle("moves", moves || state.winner === player);
    name.textContent = title;
    number.textContent = score;
    banked.setAttribute("width", (100 * Math.min(score, target)) / target);
    risk.setAttribute("width", (100 * Math.min(score + atRisk, target)) / target);
    note.textContent = state.winner === player ? "has won" : moves ? `to move, ${atRisk} at risk` : `needs ${target - score}`;
  }
  return { element, show };
}

/** The words about a turn that has ended. */
export function turnTold(turn, name) {
  const rolls = turn.rolls.join(", ");
  const verb = name === "You" ? "bank" : "banks";
  return `${name} rolled ${rolls} and ${turn.banked ? `${verb} ${turn.banked}` : "lost the turn"}.`;
}

/** The odds of the next roll, in words. */
export function oddsTold(state) {
  const [own, , atRisk] = place(state);
  const { ends, wins, change } = odds(state.game, own, atRisk);
  const loses = `A roll loses the turn with ${percent(ends, 1)}`;
  const win = wins ? `, and wins at once with ${percent(wins, 1)}` : "";
  const by = `${change < 0 ? "\u2212" : "+"}${Math.abs(change).toFixed(2)}`;
  return `${loses}${win}. On average it changes what a hold would bank by ${by} points.`;
}

/** The board, with what happens when its buttons are pressed. */
export function board(actions) {
  const panels = [PERSON, OPPONENT].map(scorePanel);
  const dieBox = make("div", { class: "die-box" });
  const row = make("div", { class: "row-of-dice" });
  const said = make("p", { class: "said", role: "status", "aria-live": "polite" });
  const odd = make("p", { class: "odds soft", "aria-live": "polite", hidden: true });
  const button = (key, text, what, className) =>
    make("button", { type: "button", class: className, "aria-keyshortcuts": key, onclick: what }, text, make("kbd", { "aria-hidden": "true" }, key));
  const rollButton = button("R", "Roll", actions.roll, "first");
  const holdButton = button("H", "Hold", actions.hold, "first");
  const adviceButton = button("A", "Advice", actions.advice, "");
  const oddsButton = button("O", "Odds", actions.odds, "");
  oddsButton.setAttribute("aria-pressed", "false");
  const main = make("div", { class: "choices" }, rollButton, holdButton);
  const asked = make("div", { class: "asked" }, adviceButton, oddsButton);
  const element = make("div", { class: "board card" }, panels[0].element, panels[1].element,
    make("div", { class: "table" }, dieBox, row), said, main, asked, odd);
  let face = null;

  function enable(one, on) {
    one.setAttribute("aria-disabled", String(!on)); // and not disabled, so that it keeps the keyboard
  }

  /** Show a state. `last` is the die on the table, `free` whether the person is asked. */
  function show(state, { titles, last, free, text, withOdds }) {
    panels.forEach((panel, player) => panel.show(state, titles[player]));
    const shown = die(last);
    if (last !== face || last === 1) shown.classList.add("thrown");
    face = last;
    dieBox.replaceChildren(shown);
    const dice = state.rolls.length ? state.rolls : (state.turns.at(-1)?.rolls ?? []);
    row.replaceChildren(...smallDice(dice));
    row.classList.toggle("past", !state.rolls.length);
    if (text !== undefined && said.textContent !== text) said.textContent = text;
    enable(rollButton, free);
    enable(holdButton, free && isChoice(state));
    enable(adviceButton, free && isChoice(state));
    holdButton.firstChild.textContent = free && isChoice(state) ? `Hold for ${state.scores[PERSON] + total(state)}` : "Hold";
    oddsButton.setAttribute("aria-pressed", String(withOdds));
    odd.hidden = !(withOdds && free);
    if (!odd.hidden) odd.textContent = oddsTold(state);
  }

  return { element, show, rollButton, holdButton };
}
