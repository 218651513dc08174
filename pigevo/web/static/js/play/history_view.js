// The history, drawn: a pair of bars for each game, its luck and its skill, and the sums.
import { draw, make, table } from "../dom.js";
import { counted, exact, signedInPoints } from "../numbers.js";
import { gamesKept, sums } from "./history.js";

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
  const names = [...new Set(games.map(({ game }) => game))];
  return names.flatMap((name) => summary(name, games.filter(({ game }) => game === name)));
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
