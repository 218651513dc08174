// The score sheet: a row for each round, the last one first.
import { make } from "../dom.js";
import { smallDice } from "./die.js";

function told(turn) {
  if (!turn) return make("td", {});
  const lost = turn.banked === 0;
  const words = make("span", { class: "unseen" }, `rolled ${turn.rolls.join(", ")}; ${lost ? "lost the turn" : `banked ${turn.banked}`}; has ${turn.own + turn.banked}`);
  const shown = make("span", { class: "turn", "aria-hidden": "true" },
    make("span", { class: "dice" }, smallDice(turn.rolls)), make("span", { class: lost ? "lost" : "gain" }, lost ? "lost" : `+${turn.banked}`),
    make("span", { class: "sum" }, String(turn.own + turn.banked)));
  return make("td", {}, words, shown);
}

/** The score sheet of a game: `show(state, titles)`. */
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
      [0, 1].map((player) => told(turns.find((turn) => turn.player === player))))).reverse());
  }

  return { element, show };
}
