// The board: the pieces that are thrown, the scores with what is at risk, the buttons, and a line that says what has happened; beside it
// the score sheet and the table of what a throw brings.
import { draw, make, table } from "../dom.js";
import { counted, exact, percent } from "../numbers.js";
import { isChoice, OPPONENT, PERSON, total } from "./game.js";
import { odds } from "./worth.js";

const LOW = 28;
const MID = 50;
const HIGH = 72;
const PIPS = {
  1: [[MID, MID]],
  2: [[LOW, LOW], [HIGH, HIGH]],
  3: [[LOW, LOW], [MID, MID], [HIGH, HIGH]],
  4: [[LOW, LOW], [HIGH, LOW], [LOW, HIGH], [HIGH, HIGH]],
  5: [[LOW, LOW], [HIGH, LOW], [MID, MID], [LOW, HIGH], [HIGH, HIGH]],
  6: [[LOW, LOW], [HIGH, LOW], [LOW, MID], [HIGH, MID], [LOW, HIGH], [HIGH, HIGH]],
};
const COIN = { heads: "H", tails: "T" };
const PIG = { "dot up": [90, true], "dot down": [90, false], trotter: [0], razorback: [180], snouter: [38], "leaning jowler": [62], touching: [0] }; // degrees, and whether the dot is seen

function dieFace(face) {
  const pips = (PIPS[face] ?? []).map(([x, y]) => draw("circle", { cx: x, cy: y, r: 9.5 }));
  const number = Number(face) > 6 ? [draw("text", { x: 50, y: 64, "text-anchor": "middle" }, face)] : [];
  return [draw("rect", { x: 4, y: 4, width: 92, height: 92, rx: 20 }), ...pips, ...number];
}

function coinFace(face) {
  return [draw("circle", { class: "body", cx: 50, cy: 50, r: 45 }), draw("circle", { class: "rim", cx: 50, cy: 50, r: 37 }),
    draw("text", { x: 50, y: 65, "text-anchor": "middle" }, COIN[face])];
}

/** A pig from the side, its nose to the right, turned as it has landed; from above where it lies on its side. */
function pigFace(face) {
  const [turned, dotted] = PIG[face];
  const legs = [26, 38, 56, 68].map((x) => draw("rect", { class: "body", x, y: 60, width: 7, height: 20, rx: 3 }));
  return [draw("g", { transform: `rotate(${turned} 50 52)` }, ...legs,
    draw("path", { class: "tail", d: "M16 48 q-10 -4 -6 -12 q6 -4 7 4" }),
    draw("ellipse", { class: "body", cx: 46, cy: 50, rx: 32, ry: 20 }), draw("circle", { class: "body", cx: 76, cy: 44, r: 14 }),
    draw("rect", { class: "body", x: 85, y: 41, width: 11, height: 12, rx: 4 }), draw("path", { class: "body", d: "M66 34 l4 -13 l10 10 z" }),
    draw("circle", { class: "mark", cx: 80, cy: 41, r: 2.4 }), dotted ? draw("circle", { class: "mark", cx: 44, cy: 50, r: 6 }) : null)];
}

/** A piece that shows a face, a word or a number as in the rules of the game; the words about it stand elsewhere. `look` is lost, blank or small, or several of them. */
function piece(face, look) {
  const kind = face in COIN ? "coin" : face in PIG ? "pig" : "";
  const drawn = kind === "coin" ? coinFace(face) : kind === "pig" ? pigFace(face) : dieFace(face);
  return draw("svg", { viewBox: "0 0 100 100", class: `die ${kind} ${look}`, "aria-hidden": "true" }, ...drawn);
}

/** The pieces of a game before the first throw. */
function blankPieces({ throws }) {
  const [faces] = throws.at(-1).faces[0];
  return make("span", { class: "pieces" }, faces.map((face) => piece(face, "blank")));
}

/** The pieces on the table after a throw. */
function pieces({ faces, ends }, size = "") {
  const lost = (face) => Boolean(ends) && (faces.length === 1 || face === "1" || face in PIG);
  return make("span", { class: "pieces" }, faces.map((face) => piece(face, `${size} ${lost(face) ? "lost" : ""}`)));
}

/** The throws of a turn in a row. */
function smallDice(throws) {
  return throws.map((one) => pieces(one, "small"));
}

/** A throw in words: `5`, `2 and 6`, `heads`, `trotter and razorback`. */
export function facesText({ faces }) {
  return faces[0] === "touching" ? "touching pigs" : faces.join(" and ");
}

/** What a player still needs, in a few words. */
function needs({ game, scores, at, turns }, player, moves) {
  const [own, other] = [scores[player], scores[1 - player]];
  if (!game.target) {
    const left = game.turns - turns.filter((turn) => turn.player === player).length;
    return moves ? `to move, ${left} left` : `${counted(left, "turn")} left`; // in one line, so that both scores are level
  }
  if (moves && at.other >= game.target) return `last turn: needs ${other + 1 - own}`;
  return own >= game.target ? `has come to ${game.target}` : moves ? "to move" : `needs ${game.target - own}`;
}

/** The panel of a player, the score as a number and as a bar in which what is at risk is striped: `show(state, title)`. */
function scorePanel(player) {
  const name = make("h2", {});
  const number = make("p", { class: "score number" });
  const risk = make("div", { class: "risk" });
  const banked = make("div", { class: "banked" });
  const note = make("p", { class: "soft note" });
  const element = make("div", { class: `panel ${player === PERSON ? "mine" : "theirs"}` },
    name, number, make("div", { class: "bar", "aria-hidden": "true" }, risk, banked), note);

  function show(state, title) {
    const { game, scores, result } = state;
    const score = scores[player];
    const won = result === (player === PERSON ? "won" : "lost");
    const moves = result === null && state.mover === player;
    const full = game.target || Math.max(100, ...scores.map((one) => 1.25 * one));
    const share = (points) => `${(100 * Math.min(points, full)) / full}%`;
    const short = game.target && score < game.target ? `${game.target - score} short` : "";
    element.classList.toggle("moves", moves);
    element.classList.toggle("won", won);
    name.textContent = title;
    number.textContent = score;
    banked.style.width = share(score);
    risk.style.width = share(score + (moves ? total(state) : 0));
    note.textContent = won ? "won" : result === null ? needs(state, player, moves) : short || "\u00a0";
  }

  return { element, show };
}

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
  const losing = [...throws, ...firstThrows].filter(({ ends }) => ends).flatMap(({ faces }) => faces.map(([lie]) => lie.join()));
  if (!losing.length) return "Roll as often as you like: no roll loses anything; hold keeps the turn\u2019s points.";
  const loss = new Set(losing).size > 1 || losing[0].includes(",") ? "a bad throw" : `${/^\d/.test(losing[0]) ? "a " : ""}${losing[0]}`;
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

/** What a turn came to, in a word or two. */
function gain({ banked, throws, own }) {
  const ending = throws.at(-1)?.ends;
  if (!throws.length) return "passed";
  if (ending === "score" && own) return `lost ${own}`;
  return ending && !banked ? "lost" : `+${banked}`;
}

function describe(turn) {
  if (!turn) return make("td", {});
  const came = gain(turn);
  const words = make("span", { class: "unseen" }, `${turn.throws.length ? `rolled ${turn.throws.map(facesText).join(", ")}; ` : ""}${came}; has ${turn.score}`);
  const shown = make("span", { class: "turn", "aria-hidden": "true" },
    make("span", { class: "dice" }, smallDice(turn.throws)), make("span", { class: came.startsWith("lost") ? "lost" : "gain" }, came),
    make("span", { class: "sum" }, String(turn.score)));
  return make("td", {}, words, shown);
}

/** The score sheet of a game, a row for each round, the last one first: `show(state, titles)`. */
export function scoreSheet() {
  const heads = [make("th", { scope: "col" }, "Turn"), make("th", { scope: "col" }), make("th", { scope: "col" })];
  const body = make("tbody", {});
  const element = make("section", { class: "card log", "aria-label": "Score sheet", hidden: true },
    make("table", {}, make("caption", { class: "unseen" }, "Turns of both players, the last one first"), make("thead", {}, make("tr", {}, heads)), body));
  let shown = 0;

  function show(state, titles) {
    element.hidden = !state.turns.length;
    if (state.turns.length === shown && shown) return;
    shown = state.turns.length;
    heads.slice(1).forEach((head, player) => (head.textContent = titles[player]));
    const rounds = Array.from({ length: Math.ceil(shown / 2) }, (_, round) => state.turns.slice(2 * round, 2 * round + 2));
    body.replaceChildren(...rounds.map((turns, round) => make("tr", {}, make("th", { scope: "row" }, String(round + 1)),
      [0, 1].map((player) => describe(turns.find((turn) => turn.player === player))))).reverse());
  }

  return { element, show };
}

/** The ways to lie, each named once whatever the order of the pieces. */
function ways({ faces }) {
  const named = faces.map(([lie]) => facesText({ faces: [...lie].sort((a, b) => a.localeCompare(b)) }));
  return [...new Set(named)].join(", ");
}

function brings({ points, ends }) {
  if (!ends) return `+${points}`;
  return ends === "score" ? "loses the score" : points ? `loses the turn, +${points}` : "loses the turn";
}

function rowsOf(throws) {
  return throws.map((one) => [ways(one), brings(one), exact(one.chance, percent(one.chance, one.chance < 0.001 ? 3 : 1))]);
}

/** The outcomes of a throw in a game, folded. */
export function throwsTable({ throws, firstThrows }) {
  const heads = ["thrown", "brings", "probability"];
  const isSame = JSON.stringify(throws) === JSON.stringify(firstThrows);
  const first = isSame ? [] : [make("p", {}, "The first roll of a turn:"), table("The first throw of a turn", heads, rowsOf(firstThrows)), make("p", {}, "Any later one:")];
  return make("details", { class: "throws" }, make("summary", {}, "What a roll brings"), ...first, table("A throw", heads, rowsOf(throws)));
}
