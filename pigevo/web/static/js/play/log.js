// The score sheet: a row for each round, the last one first.
import { make } from "../dom.js";
import { facesText, smallDice } from "./die.js";

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
      [0, 1].map((player) => describe(turns.find((turn) => turn.player === player))))).reverse());
  }

  return { element, show };
}
