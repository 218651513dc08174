// The game at hand, kept in this browser, so that it goes on after the page is loaded again: a free game, or the game of a day.
//
// A free game that has ended is there again, with its review, only after a reload; a later visit begins with a new game.
// It is kept as `{seed, part, seat, game, opponent, by, first, adviser, acts, over}`. An entry that is damaged, or of another day, is ignored.
import { readSeed, seedOfDay } from "../dice.js";
import { OPPONENT, PERSON } from "./game.js";

const keyOf = (day) => (day ? "pigevo game of the day" : "pigevo game at hand");

const isReload = () => performance.getEntriesByType("navigation")[0]?.type === "reload";

/** The game that was kept, of a day or, for null, a free one; null if there is none. */
export function gameAtHand(day) {
  try {
    const entry = JSON.parse(localStorage.getItem(keyOf(day)));
    const { acts, part, seat, over } = entry;
    if (over && !day && !isReload()) return null;
    const seed = readSeed(entry.seed);
    const ofDay = !day || seed === seedOfDay(day);
    const valid = seed !== null && ofDay && typeof acts === "string" && Number.isInteger(part) && part >= 0 && [PERSON, OPPONENT].includes(seat);
    return valid ? { ...entry, seed } : null;
  } catch {
    return null;
  }
}

/** Keep a game with the chosen seat and adviser, but none whose opponent is not there when the page is loaded again. */
export function keepAtHand(day, { state, entry, against, seed, part, by }, { first, adviser }) {
  try {
    if (entry.own || against.hidden) return localStorage.removeItem(keyOf(day));
    const kept = { seed: String(seed), part, seat: state.seat, game: state.game.name, opponent: entry.id, by: by?.id ?? "", first, adviser, acts: state.acts, over: state.result !== null };
    localStorage.setItem(keyOf(day), JSON.stringify(kept));
  } catch {
    // nothing can be stored: it begins anew
  }
}
