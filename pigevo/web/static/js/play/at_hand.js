// The game at hand, kept so that it goes on after the page is loaded again: a free game, or the game of a day.
//
// An address may ask for another game, opponent or seat than a game that has begun: this one is kept beside it, the last first.
//
// Each tab of the browser keeps its own. A tab that opens goes on with the free game of the tab that was closed last, if it was not
// finished, and with the game of the day as any other tab has left it. A free game that has ended is there again, with its review,
// only after a reload; a later visit begins with a new game.
// Each is kept as `{seed, part, seat, game, opponent, by, first, adviser, acts, over, counted, tab}`; `counted` is true once the history has it.
// An entry that is damaged, or of another day, is ignored.
import { freshSeed, readSeed, seedOfDay } from "../dice.js";
import { OPPONENT, PERSON } from "./game.js";

const FREE = "pigevo game at hand";
const MOST = 20; // games that are kept

const keyOf = (day) => (day ? "pigevo game of the day" : FREE);

/** The name of this tab, which stays when the page is loaded again. */
function tabName() {
  const name = sessionStorage.getItem("pigevo tab") ?? String(freshSeed());
  sessionStorage.setItem("pigevo tab", name);
  return name;
}

const isReload = () => performance.getEntriesByType("navigation")[0]?.type === "reload";

/** The games in a stored text, of a day or, for null, free ones. */
function gamesIn(text, day) {
  try {
    return [JSON.parse(text)].flat().filter((one) => isGame(one, day));
  } catch {
    return [];
  }
}

function isGame(entry, day) {
  const { acts, part, seat, over, seed: text } = entry ?? {};
  if (over && !day && !isReload()) return false;
  const seed = readSeed(text);
  const ofDay = !day || seed === seedOfDay(day);
  return seed !== null && ofDay && typeof acts === "string" && Number.isInteger(part) && part >= 0 && [PERSON, OPPONENT].includes(seat);
}

const nameOf = ({ seed, part }) => `${seed} ${part}`;

/** Whether a game would be missed: it has begun, and goes on. */
const goesOn = ({ acts, over }) => acts && !over;

let played = ""; // the name of the game that this page plays

/**
 * The last game of this tab that `fits`, and after anything but a reload one that has begun, if there is any. Where this tab has none,
 * the games that another tab has left are this tab's from now on: nobody else takes a free one.
 */
export function gameAtHand(day, fits) {
  try {
    const key = keyOf(day);
    const [own, left] = [sessionStorage, localStorage].map((storage) => storage.getItem(key));
    const isOwn = gamesIn(left, day)[0]?.tab === tabName(); // and the last: a page in a new process may read old entries of its tab
    const text = gamesIn(own, day).length && !isOwn ? own : left;
    const games = gamesIn(text, day);
    const fitting = games.filter(fits);
    const game = (isReload() ? null : fitting.find(({ acts }) => acts)) ?? fitting[0];
    sessionStorage.setItem(key, JSON.stringify(game ? [game, ...games.filter((one) => one !== game)] : games));
    if (text === left && !day) localStorage.removeItem(key);
    if (!game) return null;
    played = nameOf(game);
    return { ...game, seed: readSeed(game.seed) };
  } catch {
    return null;
  }
}

/** Keep a game with the chosen seat and adviser in place of what this page played before, but none whose opponent is not there when the page is loaded again. */
export function keepAtHand(day, { state, entry, against, seed, part, by, counted }, { first, adviser }) {
  try {
    const storages = day ? [sessionStorage, localStorage] : [sessionStorage];
    const kept = { seed: String(seed), part, seat: state.seat, game: state.game.name, opponent: entry.id, by: by?.id ?? "", first, adviser, acts: state.acts, over: state.result !== null, counted, tab: tabName() };
    const others = gamesIn(sessionStorage.getItem(keyOf(day)), day).filter((one) => goesOn(one) && ![played, nameOf(kept)].includes(nameOf(one)));
    const games = [...(entry.own || against.hidden ? [] : [kept]), ...others].slice(0, MOST);
    played = nameOf(kept);
    for (const storage of storages) storage.setItem(keyOf(day), JSON.stringify(games));
  } catch {
    // nothing can be stored: it begins anew
  }
}

/** Leave the free games that go on to the next tab; after a reload this one takes them back. */
addEventListener("pagehide", () => {
  try {
    const own = sessionStorage.getItem(FREE);
    if (gamesIn(own, null).some(goesOn)) localStorage.setItem(FREE, own);
  } catch {
    // nothing can be stored
  }
});
