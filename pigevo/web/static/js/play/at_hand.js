// The game at hand, kept so that it goes on after the page is loaded again: a free game, or the game of a day.
//
// Each tab of the browser keeps its own. A tab that opens goes on with the free game of the tab that was closed last, if it was not
// finished, and with the game of the day as any other tab has left it. A free game that has ended is there again, with its review,
// only after a reload; a later visit begins with a new game.
// It is kept as `{seed, part, seat, game, opponent, by, first, adviser, acts, over, counted, tab}`; `counted` is true once the history has it.
// An entry that is damaged, or of another day, is ignored.
import { freshSeed, readSeed, seedOfDay } from "../dice.js";
import { OPPONENT, PERSON } from "./game.js";

const FREE = "pigevo game at hand";

const keyOf = (day) => (day ? "pigevo game of the day" : FREE);

/** The name of this tab, which stays when the page is loaded again. */
function tabName() {
  const name = sessionStorage.getItem("pigevo tab") ?? String(freshSeed());
  sessionStorage.setItem("pigevo tab", name);
  return name;
}

const isReload = () => performance.getEntriesByType("navigation")[0]?.type === "reload";

/** The game in a stored text, of a day or, for null, a free one; null if there is none. */
function gameIn(text, day) {
  try {
    const entry = JSON.parse(text);
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

/** The game of this tab, else one that another has left, which is this tab's from now on: nobody else takes a free one. */
export function gameAtHand(day) {
  try {
    const key = keyOf(day);
    const [own, left] = [sessionStorage, localStorage].map((storage) => storage.getItem(key));
    const isOwn = gameIn(left, day)?.tab === tabName(); // and the last: a page in a new process may read old entries of its tab
    const text = gameIn(own, day) && !isOwn ? own : left;
    if (text !== null) sessionStorage.setItem(key, text);
    if (text === left && !day) localStorage.removeItem(key);
    return gameIn(text, day);
  } catch {
    return null;
  }
}

/** Keep a game with the chosen seat and adviser, but none whose opponent is not there when the page is loaded again. */
export function keepAtHand(day, { state, entry, against, seed, part, by, counted }, { first, adviser }) {
  try {
    const storages = day ? [sessionStorage, localStorage] : [sessionStorage];
    const kept = { seed: String(seed), part, seat: state.seat, game: state.game.name, opponent: entry.id, by: by?.id ?? "", first, adviser, acts: state.acts, over: state.result !== null, counted, tab: tabName() };
    for (const storage of storages)
      if (entry.own || against.hidden) storage.removeItem(keyOf(day));
      else storage.setItem(keyOf(day), JSON.stringify(kept));
  } catch {
    // nothing can be stored: it begins anew
  }
}

/** Leave a free game that goes on to the next tab; after a reload this one takes it back. */
addEventListener("pagehide", () => {
  try {
    const own = sessionStorage.getItem(FREE);
    const { acts, over } = JSON.parse(own);
    if (acts && !over) localStorage.setItem(FREE, own);
  } catch {
    // there is none, or nothing can be stored
  }
});
