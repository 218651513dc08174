// A player's score: the number, and a bar in which what is at risk is paler.
import { make } from "../dom.js";
import { total } from "./game.js";

/** The panel of a player: `show(state, title)`. */
export function scorePanel(player) {
  const name = make("h3", {});
  const number = make("p", { class: "score number" });
  const risk = make("div", { class: "risk" });
  const banked = make("div", { class: "banked" });
  const note = make("p", { class: "soft note" });
  const element = make("div", { class: `panel ${player === 0 ? "mine" : "theirs"}` },
    name, number, make("div", { class: "bar", "aria-hidden": "true" }, risk, banked), note);

  function show(state, title) {
    const { target } = state.game;
    const score = state.scores[player];
    const won = state.winner === player;
    const moves = state.winner === null && state.mover === player;
    const share = (points) => `${(100 * Math.min(points, target)) / target}%`;
    element.classList.toggle("moves", moves || won);
    name.textContent = title;
    number.textContent = score;
    banked.style.width = share(score);
    risk.style.width = share(score + (moves ? total(state) : 0));
    note.textContent = won ? "has won" : state.winner !== null ? `${target - score} short` : moves ? "to move" : `needs ${target - score}`;
  }

  return { element, show };
}
