// A player's score: the number, and a bar in which what is at risk is striped.
import { make } from "../dom.js";
import { counted } from "../numbers.js";
import { PERSON, total } from "./game.js";

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

/** The panel of a player: `show(state, title)`. */
export function scorePanel(player) {
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
