// The game of the day at hand, kept in this browser, so that it goes on after the page is loaded again.
//
// It is kept as `{seed, part, seat, game, opponent, by, acts}`. What is stored may be damaged, or of another day: then it is no game.
import { OPPONENT, PERSON } from "./game.js";

const KEY = "pigevo game of the day";

/** The game that was kept under a seed, or null. */
export function gameOfDay(seed) {
  try {
    const entry = JSON.parse(localStorage.getItem(KEY));
    const { acts, part, seat } = entry;
    const valid = entry.seed === String(seed) && typeof acts === "string" && Number.isInteger(part) && part >= 0 && [PERSON, OPPONENT].includes(seat);
    return valid ? { ...entry, seed } : null;
  } catch {
    return null;
  }
}

/** Keep a game, if its opponent is there again when the page is loaded. */
export function keepGameOfDay({ state, entry, against, seed, part, by }) {
  if (entry.own || against.hidden) return;
  try {
    const kept = { seed: String(seed), part, seat: state.seat, game: state.game.name, opponent: entry.id, by: by?.id ?? "", acts: state.acts };
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // nothing can be stored: it begins anew
  }
}
