// The board: scores, the die with what is at risk, the buttons, and a line that says what has happened.
import { make } from "../dom.js";
import { percent } from "../numbers.js";
import { blankPieces, facesText, pieces, smallDice } from "./die.js";
import { isChoice, OPPONENT, PERSON, total } from "./game.js";
import { scorePanel } from "./panel.js";
import { odds } from "./review.js";

/** The words about a turn that has ended. */
export function turnSentence(turn, name) {
  const verb = (word) => (name === "You" ? word : `${word}s`);
  const ending = turn.throws.at(-1)?.ends;
  if (!turn.throws.length) return `${name} passed.`;
  const banked = ending === "score" ? "lost the whole score" : !ending ? `${verb("bank")} ${turn.banked}` :
    turn.banked ? `lost the turn total, but ${verb("score")} ${turn.banked}` : "lost the turn";
  return `${name} rolled ${turn.throws.map(facesText).join(", ")} and ${banked}.`;
}

/** How a game has ended. */
export function resultSentence({ result, scores: [own, other] }, name) {
  if (result === "draw") return `A draw at ${own}.`;
  if (result === "stalemate") return "A stalemate: you have both passed, and nobody wins.";
  return result === "won" ? `You win by ${own} to ${other}.` : `${name} wins by ${other} to ${own}.`;
}

/** The rules in a line; where several pieces are thrown, they are longer. */
export function briefly({ throws, firstThrows, falls }) {
  const losing = throws.filter(({ ends }) => ends).flatMap(({ faces }) => faces.map(([lie]) => lie.join()));
  const loss = losing.length > 1 || losing[0].includes(",") ? "a bad throw" : `${/^\d/.test(losing[0]) ? "a " : ""}${losing[0]}`;
  const later = firstThrows.some(({ ends }) => ends) ? "" : " after the first roll";
  return `Roll as often as you like; ${loss}${later} loses the turn\u2019s points${falls ? " or the whole score" : ""}; hold keeps them.`;
}

/** The odds of the next roll, in words. */
function oddsSentence(state) {
  const { ends, falls, wins, change } = odds(state.game, state.at, total(state));
  const lose = falls ? `, the whole score with probability ${percent(falls)}` : "";
  const win = wins ? `, and wins at once with probability ${percent(wins)}` : "";
  const by = `${change < 0 ? "\u2212" : "+"}${Math.abs(change).toFixed(2)}`;
  return `A roll loses the turn with probability ${percent(ends)}${lose}${win}. On average it changes the points that you can bank by ${by}.`;
}

function button(key, text, what, className) {
  const hint = make("kbd", { "aria-hidden": "true" }, key);
  return make("button", { type: "button", class: className, "aria-keyshortcuts": key, onclick: what }, make("span", {}, text), hint);
}

/** Switch a button off without taking the keyboard from it. */
function enable(one, on) {
  one.setAttribute("aria-disabled", String(!on));
}

/** A question whether to end a game that goes on; `answered(ends)` is called with the answer. Escape means to go on. */
function endQuestion(answered) {
  const words = make("span", { id: "end-question" });
  const goOn = make("button", { type: "button", onclick: () => answered(false) }, "Go on");
  const end = make("button", { type: "button", onclick: () => answered(true) }, "End it");
  const onkeydown = ({ key }) => key === "Escape" && answered(false);
  const element = make("div", { class: "asked", role: "group", "aria-labelledby": words.id, hidden: true, onkeydown }, words, goOn, end);
  return { element, words, focus: () => goOn.focus() };
}

const TWICE = 250; // milliseconds after a tap in which another one is taken for a slip
const SETTLING = 1000; // milliseconds after the end in which "Play again" is switched off: it lies where "Roll" was

/** Buttons on which a second tap at once does nothing, nor one on a button that is switched off. */
function choicesOf(...buttons) {
  let tapped = -Infinity;
  const element = make("div", { class: "choices" }, buttons);
  element.addEventListener("click", (event) => {
    const slip = event.timeStamp - tapped < TWICE || event.target.closest("[aria-disabled=true]");
    if (slip) event.stopPropagation();
    else tapped = event.timeStamp;
  }, true);
  return element;
}

/** The board, with what happens when its buttons are pressed: `roll`, `hold`, `again`, `advice`, `odds`. */
export function board(actions) {
  const panels = [PERSON, OPPONENT].map(scorePanel);
  const dieBox = make("div", { class: "die-box" });
  const atRisk = make("p", { class: "at-risk" });
  const row = make("div", { class: "row-of-dice" });
  const round = make("p", { class: "round soft" });
  const message = make("p", { class: "said", role: "status", "aria-live": "polite" });
  const brief = make("p", { class: "brief soft" });
  const odd = make("p", { class: "odds soft", "aria-live": "polite", hidden: true });
  const rollButton = button("R", "Roll", actions.roll, "first");
  const holdButton = button("H", "Hold", actions.hold, "first");
  const againButton = button("N", "Play again", actions.again, "first again");
  const adviceButton = button("A", "Advice", actions.advice, "");
  const oddsButton = button("O", "Odds", actions.odds, "");
  const newButton = button("N", "New game", actions.again, "");
  const asked = make("div", { class: "asked" }, adviceButton, oddsButton, newButton);
  const question = endQuestion(answer);
  const table = make("div", { class: "table" }, round, dieBox, atRisk, row);
  const element = make("div", { class: "board card" }, panels[0].element, panels[1].element, table, make("div", { class: "news" }, message, brief),
    choicesOf(rollButton, holdButton, againButton), asked, question.element, odd);
  let drawn = null; // the throw on the table, or the game before the first one
  let hadOdds = false; // whether the odds were wanted before
  let end = null; // what ends the game, while it is asked whether to

  function showDice(state, last) {
    const points = total(state);
    if (drawn !== (last ?? state.game)) {
      const shown = last ? pieces(last) : blankPieces(state.game);
      if (last) for (const piece of shown.children) piece.classList.add("thrown");
      dieBox.replaceChildren(shown);
      drawn = last ?? state.game;
      if (last && state.mover === PERSON) table.scrollIntoView({ block: "nearest" }); // on a phone the buttons may lie over it
    }
    dieBox.classList.toggle("past", !state.throws.length && state.result === null);
    row.replaceChildren(...smallDice(state.throws.length ? state.throws : (state.turns.at(-1)?.throws ?? [])));
    row.classList.toggle("past", !state.throws.length);
    round.hidden = !state.game.turns || state.result !== null;
    round.textContent = `Round ${state.at.turn} of ${state.game.turns}`;
    atRisk.replaceChildren(make("span", { class: "number" }, String(points)), " at risk");
    atRisk.classList.toggle("none", !points);
    atRisk.hidden = state.result !== null;
  }

  /** Show a state. `last` is the throw on the table, `free` whether the person is asked; `text` is said, if it is another. */
  function show(state, { titles, last, free, text, withOdds }) {
    const choice = free && isChoice(state);
    panels.forEach((panel, player) => panel.show(state, titles[player]));
    showDice(state, last);
    if (text !== undefined && message.textContent !== text) message.textContent = text;
    brief.hidden = state.turns.length + state.throws.length > 0;
    brief.textContent = briefly(state.game);
    const over = state.result !== null;
    rollButton.hidden = holdButton.hidden = over;
    if (over) question.element.hidden = true;
    asked.hidden = over || !question.element.hidden;
    if (over && againButton.hidden) {
      enable(againButton, false);
      setTimeout(() => enable(againButton, true), SETTLING);
    }
    againButton.hidden = !over;
    enable(rollButton, free);
    for (const one of [holdButton, adviceButton]) enable(one, choice);
    holdButton.firstChild.textContent = !choice ? "Hold" : state.throws.length ? `Hold: have ${state.scores[PERSON] + total(state)}` : "Pass";
    oddsButton.setAttribute("aria-pressed", String(withOdds));
    odd.hidden = !(withOdds && free);
    if (!odd.hidden) odd.textContent = oddsSentence(state);
    if (!odd.hidden && !hadOdds) odd.scrollIntoView({ block: "nearest" }); // it stands below the buttons, often below what is seen
    hadOdds = withOdds;
    element.dataset.state = over ? "over" : free ? "asked" : "waiting";
  }

  /** Ask whether to end the game, in the words of a question; `whenEnded()` is called if so. */
  function askToEnd(words, whenEnded) {
    end = whenEnded;
    question.words.textContent = words;
    asked.hidden = true;
    question.element.hidden = false;
    question.focus();
  }

  /** Close the question; the focus returns to the button that opened it. */
  function answer(ends) {
    if (question.element.hidden) return;
    const focused = question.element.contains(document.activeElement);
    question.element.hidden = true;
    asked.hidden = false;
    if (focused) newButton.focus();
    if (ends) end();
  }

  return { element, show, askToEnd, goOn: () => answer(false), focus: () => rollButton.focus() };
}
