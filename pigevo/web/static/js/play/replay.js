// A finished game as the words of an address, and the link to share it. Its dice are a function of the seed and of the number of its game
// under that seed, so the decisions of the person say the rest. The scores at the end are there to notice damage.
import { dice, readSeed } from "../dice.js";
import { make } from "../dom.js";
import { hold, isChoice, newGame, PERSON, roll, throwsOf, total } from "./game.js";

const SEATS = ["you", "opponent"]; // who moves first, by the person's seat
const DECISIONS = /^[rh]{0,5000}$/;
const PART = /^\d{1,6}$/;

/** The words of a game `{state, entry, seed, part}`. */
export function wordsOf({ state, entry, seed, part }) {
  const replay = state.choices.map(({ rolled }) => (rolled ? "r" : "h")).join("");
  return new URLSearchParams({ game: state.game.name, opponent: entry.id, seed, part, first: SEATS[state.seat], replay, end: state.scores.join("-") });
}

/** The game in such words: `{game, opponent, seed, part, seat, decisions, end}`; null if they are damaged. */
export function readReplay(words) {
  const [game, opponent, part, decisions, end] = ["game", "opponent", "part", "replay", "end"].map((word) => words.get(word) ?? "");
  const [seed, seat] = [readSeed(words.get("seed")), SEATS.indexOf(words.get("first"))];
  if (seed === null || seat < 0 || !PART.test(part) || !DECISIONS.test(decisions)) return null;
  return { game, opponent, seed, part: Number(part), seat, decisions, end };
}

/**
 * Play a game against `{rolls}` by the dice of its seed: its state, and the function for its further throws. `act(state)` is the
 * person's next act: r, h, or nothing, which stops there.
 */
function playedAgain(rules, { rolls }, { seed, part, seat }, act) {
  const state = newGame(rules, seat);
  const throwAll = dice(rules, seed, part);
  const answer = () => (!isChoice(state) || rolls(state.at, total(state)) ? "r" : "h");
  while (state.result === null) {
    const next = state.mover === PERSON ? act(state) : answer();
    if (next === "r") roll(state, throwAll(throwsOf(rules, total(state))));
    else if (next === "h" && isChoice(state)) hold(state);
    else break;
  }
  return { state, throwAll };
}

/** The finished game that was read from an address, or null where the decisions do not lead to its end. */
export function replayed(rules, against, game) {
  const { decisions, end } = game;
  const again = playedAgain(rules, against, game, (state) => (isChoice(state) ? decisions[state.choices.length] : "r"));
  const { result, choices, scores } = again.state;
  return result !== null && choices.length === decisions.length && scores.join("-") === end ? again : null;
}

/** A game after the acts of the person, or null where the rules do not allow them. */
export function resumed(rules, against, game) {
  const again = playedAgain(rules, against, game, ({ acts }) => game.acts[acts.length]);
  return again.state.acts === game.acts ? again : null;
}

/** The link to a game, and a button that copies it; null where others have no such opponent. */
export function linkView(game) {
  if (game.against.hidden || game.entry.own) return null;
  const address = `${location.origin}${location.pathname}?${wordsOf(game)}`;
  const copy = make("button", { type: "button", onclick: copied }, "Copy the link");
  function copied() {
    navigator.clipboard.writeText(address).then(() => (copy.textContent = "Copied"), () => (copy.textContent = "Copying is not allowed here"));
  }
  return make("p", { class: "share" }, make("a", { href: address }, "Link to this game"), navigator.clipboard ? copy : null);
}
