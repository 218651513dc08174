// A finished game as the words of an address. Its dice are a function of the seed and of the number of its game under that
// seed, so the decisions of the person say the rest. The scores at the end are there to notice damage.
import { dice, readSeed } from "../dice.js";
import { hold, isChoice, newGame, PERSON, roll, throwsOf, total } from "./game.js";

const SEATS = ["you", "opponent"]; // who moves first, by the person's seat
const DECISIONS = /^[rh]{0,5000}$/;
const PART = /^\d{1,6}$/;

/** The words of a game `{state, entry, seed, part}`. */
export function wordsOf({ state, entry, seed, part }) {
  const replay = state.choices.map(({ rolled }) => (rolled ? "r" : "h")).join("");
  return new URLSearchParams({ game: state.game.name, opponent: entry.id, seed, part, first: SEATS[state.seat], replay, end: state.scores.join("-") });
}

/** What such words say: `{game, opponent, seed, part, seat, decisions, end}`, or null where that is no game. */
export function readReplay(words) {
  const [game, opponent, part, decisions, end] = ["game", "opponent", "part", "replay", "end"].map((word) => words.get(word) ?? "");
  const [seed, seat] = [readSeed(words.get("seed")), SEATS.indexOf(words.get("first"))];
  if (seed === null || seat < 0 || !PART.test(part) || !DECISIONS.test(decisions)) return null;
  return { game, opponent, seed, part: Number(part), seat, decisions, end };
}

/** The game against `{rolls}` that was read from an address, or null where the decisions do not lead to its end. */
export function replayed(rules, { rolls }, { seed, part, seat, decisions, end }) {
  const state = newGame(rules, seat);
  const throwAll = dice(rules, seed, part);
  while (state.result === null) {
    const choice = isChoice(state);
    const next = state.mover === PERSON ? decisions[state.choices.length] : rolls(state.at, total(state)) ? "r" : "h";
    if (choice && !next) return null;
    if (!choice || next === "r") roll(state, throwAll(throwsOf(rules, total(state))));
    else hold(state);
  }
  return state.choices.length === decisions.length && state.scores.join("-") === end ? state : null;
}
