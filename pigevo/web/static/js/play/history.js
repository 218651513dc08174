// Luck and skill over games: what the dice have brought and what decisions have cost, kept in this browser.
//
// A game is `{day, dice, game, opponent, result, luck, skill}`: luck is the change of the chance to win by the dice, skill by decisions,
// which is never above 0. Stored entries may be damaged, or come from elsewhere: those that are no such games are left out.
import { shownLuck } from "./review.js";

const KEY = "pigevo games";
const MOST = 1000; // games that are kept, the last ones
const WIDEST = 1000; // no game has more luck, nor costs more
const RESULTS = ["won", "lost", "draw", "stalemate"];

function isGame(entry) {
  const texts = [entry?.day, entry?.dice, entry?.game, entry?.opponent];
  return texts.every((text) => typeof text === "string" && text.length <= 100) && RESULTS.includes(entry.result) &&
    [entry.luck, entry.skill].every((change) => Number.isFinite(change) && Math.abs(change) <= WIDEST) && entry.skill <= 0;
}

/** The games in a stored text, without all that is damaged. */
function gamesIn(text) {
  try {
    const games = JSON.parse(text);
    return Array.isArray(games) ? games.filter(isGame).slice(-MOST) : [];
  } catch {
    return [];
  }
}

/** The luck and skill of some games together. */
export function sums(games) {
  const sum = (name) => games.reduce((whole, game) => whole + game[name], 0);
  return { luck: sum("luck"), skill: sum("skill") };
}

/** The entry of a game `{state, seed, part, name}`, with the luck and the cost of its review, the luck as shown there. */
export function gameOf({ state: { game, result }, seed, part, name }, judgement) {
  const day = new Date().toISOString().slice(0, 10);
  return { day, dice: `${seed} ${part}`, game: game.title, opponent: name, result, luck: shownLuck(judgement), skill: 0 - judgement.cost };
}

/** The games of this browser: `all()`, `add(game)` and `clear()`. Where nothing can be stored they last as long as the page. */
export function gamesKept() {
  let unstored = [];

  function all() {
    try {
      return [...gamesIn(localStorage.getItem(KEY)), ...unstored];
    } catch {
      return unstored;
    }
  }

  /** Keep a game, unless its dice have been played before, because then it is no fair measure. */
  function add(game) {
    if (all().some((before) => before.dice === game.dice && before.game === game.game)) return;
    try {
      localStorage.setItem(KEY, JSON.stringify([...all(), game].slice(-MOST)));
      unstored = [];
    } catch {
      unstored.push(game);
    }
  }

  function clear() {
    unstored = [];
    try {
      localStorage.removeItem(KEY);
    } catch {
      // nothing could be stored
    }
  }

  return { all, add, clear };
}
