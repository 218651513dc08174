// The turns of a game, the last one first.
import { make } from "../dom.js";
import { smallDice } from "./die.js";
import { PERSON } from "./game.js";

/** A list of turns: `show(state, titles)`. */
export function turnLog() {
  const list = make("ol", { reversed: true });
  const element = make("section", { class: "card log", "aria-label": "Turns" }, make("h3", {}, "Turns"), list);

  function told(turn, titles) {
    const score = turn.own + turn.banked;
    const ended = turn.banked ? `banks ${turn.banked}, has ${score}` : "loses the turn";
    const words = make("span", { class: "unseen" }, `rolled ${turn.rolls.join(", ")}; `);
    const result = make("span", { class: turn.banked ? "number" : "number lost" }, turn.banked ? `+${turn.banked}` : "lost");
    result.setAttribute("title", ended);
    return make("li", { class: turn.player === PERSON ? "mine" : "theirs" },
      make("span", { class: "who" }, titles[turn.player]), make("span", { class: "dice" }, words, ...smallDice(turn.rolls)), result);
  }

  function show(state, titles) {
    element.hidden = !state.turns.length;
    while (list.children.length > state.turns.length) list.firstChild.remove();
    for (const turn of state.turns.slice(list.children.length)) list.prepend(told(turn, titles));
  }

  return { element, show, clear: () => list.replaceChildren() };
}
