// The game at hand, kept so that it goes on after the page is loaded again: a free game, or the game of a day.
//
// An address may ask for another game, opponent or seat than a game that has begun: this one is kept beside it, the last first.
//
// Each tab of the browser keeps its own. A tab that opens goes on with the free game of the tab that was closed last, if it was not
// finished, and with the game of the day as any other tab has left it. A free game that has ended is there again, with its review,
// only after a reload; a later visit begins with a new game.
// Each is kept as `{seed, part, seat, game, rules, opponent, by, first, adviser, acts, over, counted, tab, left}`; `counted` is true once the
// history has it, `tab` is the name of its tab, and `left` is true once the page that played it was left.
// localStorage has those of all tabs, the last first. An entry that is damaged, or of another day, is ignored.
import { readSeed, seedOfDay } from "../dice.js";
import { isOwn, tabName } from "../address.js";
import { OPPONENT, PERSON } from "./game.js";

const FREE = "pigevo game at hand";
const MOST = 200; // games that are kept, of all tabs

const keyOf = (day) => (day ? "pigevo game of the day" : FREE);

const isReload = () => performance.getEntriesByType("navigation")[0]?.type === "reload";

const nameOf = ({ seed, part }) => `${seed} ${part}`;

/** Whether a game would be missed: it has begun, and goes on. */
const goesOn = ({ acts, over }) => acts && !over;

/** Whether a page may begin with a game: if there is a day, one of its dice; a free one that has ended only after a reload. */
const isAtHand = ({ seed, over }, day) => (day ? readSeed(seed) === seedOfDay(day) : !over || isReload());

function isGame(entry) {
  const { acts, part, seat, seed } = entry ?? {};
  return readSeed(seed) !== null && typeof acts === "string" && Number.isInteger(part) && part >= 0 && [PERSON, OPPONENT].includes(seat);
}

/** The games that are kept under a key: those of this tab, and those of others. */
function gamesOf(key) {
  let games = [];
  try {
    games = [JSON.parse(localStorage.getItem(key))].flat().filter(isGame);
  } catch {
    // it is damaged
  }
  return { own: games.filter(isOwn), others: games.filter((one) => !isOwn(one)) };
}

function store(key, own, others, left = false) {
  const games = [...own.map((one) => ({ ...one, tab: tabName(), left })), ...others];
  localStorage.setItem(key, JSON.stringify(games.slice(0, MOST)));
}

let played = ""; // the name of the game that this page plays

/**
 * The last game of this tab that `fits`, and after anything but a reload one that has begun, if there is any. Where this tab has none,
 * the games that another tab has left are this tab's from now on: nobody else takes a free one.
 */
export function gameAtHand(day, fits) {
  try {
    const { own, others } = gamesOf(keyOf(day));
    const here = own.filter((one) => isAtHand(one, day));
    const offered = others.filter((one) => isAtHand(one, day) && (day || (one.left && goesOn(one))));
    const games = here.length ? here : offered.filter(({ tab }) => tab === offered[0].tab);
    const fitting = games.filter(fits);
    const game = (isReload() ? null : fitting.find(({ acts }) => acts)) ?? fitting[0];
    const inOrder = game ? [game, ...games.filter((one) => one !== game)] : games;
    store(keyOf(day), inOrder, day ? others : others.filter((one) => !games.includes(one)));
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
    const kept = { seed: String(seed), part, seat: state.seat, game: state.game.name, rules: state.game.rules, opponent: entry.id, by: by?.id ?? "", first, adviser, acts: state.acts, over: state.result !== null, counted };
    const { own, others } = gamesOf(keyOf(day));
    const beside = own.filter((one) => isAtHand(one, day) && goesOn(one) && ![played, nameOf(kept)].includes(nameOf(one)));
    played = nameOf(kept);
    store(keyOf(day), [...(entry.own || against.hidden ? [] : [kept]), ...beside], others);
  } catch {
    // nothing can be stored: it begins anew
  }
}

/** Leave the free games of this tab to the next one, if any goes on; after a reload this tab takes them back. */
addEventListener("pagehide", () => {
  try {
    const { own, others } = gamesOf(FREE);
    if (own.some(goesOn)) store(FREE, own, others, true);
  } catch {
    // nothing can be stored
  }
});
