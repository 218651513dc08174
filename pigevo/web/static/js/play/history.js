// What many games say: luck and skill, what the dice have brought and what decisions have cost, kept in this browser and drawn; and a
// test of how well a person keeps to a rule, whose games go into a CSV that `pigevo people` reads.
//
// A game of the history is `{day, dice, game, rules, opponent, result, luck, skill}`: luck is the change of the chance to win by the dice, skill by
// decisions, which is never above 0; `rules` tells apart the games that a page had under the same title, and is empty for those of every page. Stored entries may be damaged, or come from elsewhere: those that are no such games are left out.
import { draw, make, table } from "../dom.js";
import { counted, exact, signedInPoints } from "../numbers.js";
import { OPPONENT, PERSON } from "./game.js";
import { shownLuck } from "./review.js";

const KEY = "pigevo games";
const MOST = 1000; // games that are kept, the last ones
const WIDEST = 1000; // no game has more luck, nor costs more
const LONGEST = 500; // letters: the title of a user's own game has all its options
const RESULTS = ["won", "lost", "draw", "stalemate"];

/** The rules of an entry, which those of an earlier version lack. */
const rulesOf = ({ rules = "" }) => rules;

/** Whether two entries are of the same game. */
const areAlike = (a, b) => a.game === b.game && rulesOf(a) === rulesOf(b);

function isGame(entry) {
  const texts = [entry?.day, entry?.dice, entry?.game, rulesOf(entry ?? {}), entry?.opponent];
  return texts.every((text) => typeof text === "string" && text.length <= LONGEST) && RESULTS.includes(entry.result) &&
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
function sums(games) {
  const sum = (name) => games.reduce((whole, game) => whole + game[name], 0);
  return { luck: sum("luck"), skill: sum("skill") };
}

/** The entry of a game `{state, seed, part, name}`, with the luck and the cost of its review, the luck as shown there. */
export function gameOf({ state: { game, result }, seed, part, name }, judgement) {
  const day = new Date().toISOString().slice(0, 10);
  return { day, dice: `${seed} ${part}`, game: game.title.slice(0, LONGEST), rules: game.rules, opponent: name, result, luck: shownLuck(judgement), skill: 0 - judgement.cost };
}

/** The games of this browser: `all()`, `add(game)` and `clear()`. Where nothing can be stored they last as long as the page. */
function gamesKept() {
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
    if (all().some((before) => before.dice === game.dice && areAlike(before, game))) return;
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

const DRAWN = 40; // games in the picture, the last ones
const LISTED = 10;
const WIDE = 760;
const HIGH = 170;
const LEFT = 84;
const EDGE = 10;

/** The bars of games, luck beside skill, up for a gain and down for a loss. */
function chart(games) {
  const most = Math.max(0.1, ...games.flatMap(({ luck, skill }) => [Math.abs(luck), -skill]));
  const y = (share) => HIGH / 2 - (share / most) * (HIGH / 2 - EDGE);
  const step = (WIDE - LEFT) / Math.max(games.length, 10);
  const bar = (kind, share, x) => draw("rect", { class: kind, x, width: 0.4 * step, y: y(Math.max(share, 0)), height: Math.max(1, Math.abs(y(share) - y(0))) });
  const lines = [most, 0, -most].flatMap((share) => [
    draw("line", { class: share ? "grid" : "even", x1: LEFT, x2: WIDE, y1: y(share), y2: y(share) }),
    draw("text", { x: LEFT - 8, y: y(share) + 5, "text-anchor": "end" }, signedInPoints(share, 0)),
  ]);
  const bars = games.flatMap(({ luck, skill }, n) => {
    const x = LEFT + (n + 0.08) * step;
    return [bar("luck", luck, x), bar("skill", skill, x + 0.42 * step)];
  });
  return draw("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `Luck and skill in the last ${counted(games.length, "game")}, which the table lists.` }, ...lines, ...bars);
}

function listed(games) {
  const rows = games.map(({ day, game, opponent, result, luck, skill }) => [day, game, opponent, result, exact(luck, signedInPoints(luck)), exact(skill, signedInPoints(skill))]);
  return table("The last games, the newest first", ["day", "game", "opponent", "result", "luck", "skill"], rows);
}

/** The means of the games of one name. */
function summary(name, games) {
  const { luck, skill } = sums(games);
  const part = (label, value) => make("div", { class: "part" }, make("dt", {}, label), make("dd", {}, exact(value, signedInPoints(value))));
  return [make("h3", {}, `${name}: ${counted(games.length, "game")}`),
    make("dl", { class: "sum-of-parts" }, part("percentage points of luck a game", luck / games.length), part("percentage points of skill a game", skill / games.length))];
}

/** The means by game, as their numbers cannot be compared. */
function summaries(games) {
  const firsts = games.filter((entry, n) => games.findIndex((before) => areAlike(before, entry)) === n);
  return firsts.flatMap((first) => summary(first.game, games.filter((entry) => areAlike(entry, first))));
}

/** The history of this browser, folded: `{element, add(game)}`. */
export function historyView() {
  const kept = gamesKept();
  let cleared = []; // the games that can be brought back
  const heading = make("summary", {});
  const body = make("div", {});
  const element = make("details", { class: "card history" }, heading, body);
  show();

  function show() {
    const games = kept.all();
    element.hidden = !games.length && !cleared.length;
    if (element.hidden) return body.replaceChildren();
    if (!games.length) return showCleared();
    heading.textContent = `Luck and skill in ${counted(games.length, "game")}`;
    body.replaceChildren(...summaries(games), chart(games.slice(-DRAWN)),
      make("ul", { class: "keys" }, ["luck", "skill"].map((kind) => make("li", {}, make("span", { class: `key ${kind}` }), kind))),
      listed(games.slice(-LISTED).reverse()),
      make("p", { class: "soft" }, "Luck is the chance to win, in percentage points, that the dice of both have brought in a game; its expected value is 0. Skill is what your choices have cost of it: 0 is perfect. " +
        "Games by a rule, and games whose dice you have played before, are left out. The history is stored in this browser alone."),
      make("button", { type: "button", onclick: clear }, "Clear the history"));
  }

  /** In place of a question before: what was cleared comes back until the next game has ended, or the page is left. */
  function showCleared() {
    heading.textContent = "The history is cleared";
    const undo = make("button", { type: "button", onclick: bringBack }, "Bring it back");
    body.replaceChildren(make("p", { role: "status" }, `The luck and skill of ${counted(cleared.length, "game")} ${cleared.length === 1 ? "is" : "are"} cleared. `), undo);
    undo.focus();
  }

  function clear() {
    cleared = kept.all();
    kept.clear();
    show();
  }

  function bringBack() {
    cleared.forEach(kept.add);
    cleared = [];
    show();
    heading.focus();
  }

  function add(game) {
    cleared = [];
    kept.add(game);
    show();
  }

  return { element, add };
}

const COLUMNS = ["game", "player", "seat", "turn", "dice", "rolls", "banked", "score", "rule"];
const YOU = "you";
const LONGEST_NAME = 60; // letters

/** The number of a person's decisions in a game, and of those against a rule: `{decisions, early, late}`. */
export function errorsOf({ choices }, rolls) {
  const wrong = choices.filter(({ place, total, rolled }) => rolls(place, total) !== rolled);
  const early = wrong.filter(({ rolled }) => !rolled).length;
  return { decisions: choices.length, early, late: wrong.length - early };
}

/** Games `{state, name, rule}` as a record: a row for each turn, the rule with those of the person. */
export function csvOf(games) {
  const rows = games.flatMap((game, number) => rowsOf(game, String(number + 1)));
  return [COLUMNS, ...rows].map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

function rowsOf({ state, name, rule }, number) {
  const counts = [0, 0];
  return state.turns.map(({ player, throws, banked, score }) => {
    const faces = throws.map(({ points, ends }) => (ends ? 1 : points)).join(" ");
    const seat = player === PERSON ? state.seat : 1 - state.seat;
    const who = player === OPPONENT ? name.slice(0, LONGEST_NAME) : YOU;
    return [number, who, seat + 1, ++counts[player], faces, throws.length, banked, score, player === PERSON ? rule : ""];
  });
}

function quoted(cell) {
  const text = String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What is known after a game: the errors under this rule so far, and a button that saves all games of the test. */
export function testView(games) {
  const { entry } = games.at(-1);
  const same = games.filter((one) => one.entry === entry);
  const [decisions, early, late] = ["decisions", "early", "late"].map((name) => same.reduce((sum, { errors }) => sum + errors[name], 0));
  const words = `${early + late} of ${decisions} decisions in ${counted(same.length, "game")} ${early + late === 1 ? "was" : "were"} not the rule\u2019s: held too early ${counted(early, "time")}, rolled on too long ${counted(late, "time")}.`;
  return make("section", { class: "card by-rule" }, make("h2", {}, "By the rule"),
    make("p", {}, make("code", {}, entry.rule), " ", make("span", { class: "counted" }, words)),
    make("p", { class: "soft" }, "The saved file has all your games by a rule; ", make("code", {}, "pigevo people rule_games.csv"), " says the rate of errors with an interval. Save before you load the page again: it forgets these games."),
    make("button", { type: "button", onclick: () => save(csvOf(games)) }, "Save as CSV"));
}

function save(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  make("a", { href: address, download: "rule_games.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address));
}
