// The review, drawn: the course of the win probability, and the choices that cost something.
import { draw, make, table } from "../dom.js";
import { counted, exact, inPoints, inside, percent, points, signedInPoints, worthText, worthTexts } from "../numbers.js";
import { resultSentence } from "./board.js";
import { drawWords } from "./game.js";
import { insteadWords, retryView } from "./retry.js";
import { SEEN, SIZES, shownLuck, sizeOf } from "./review.js";
import { bestRolls, rollUntil, worthOfThrows } from "./worth.js";

const MOST_LISTED = 12; // costly choices that are listed, the dearest
const WIDEST = 1200;
const HIGH = 220;
const LEFT = 56;

/** The value of the game to the person before the first roll, at each choice, and at the end. */
function way(judgement) {
  const points = [{ worth: judgement.start }, ...judgement.judged.map((one) => ({ worth: one.best, cost: one.cost }))];
  return [...points, { worth: judgement.end }];
}

function chart(judgement, wide) {
  const points = way(judgement);
  const x = (n) => LEFT + ((wide - LEFT - 12) * n) / (points.length - 1);
  const y = (worth) => 12 + (HIGH - 40) * (1 - worth);
  const lines = [0, 0.25, 0.5, 0.75, 1].flatMap((worth) => [
    draw("line", { class: worth === 0.5 ? "even" : "grid", x1: LEFT, x2: wide - 12, y1: y(worth), y2: y(worth) }),
    draw("text", { x: LEFT - 8, y: y(worth) + 5, "text-anchor": "end" }, percent(worth, 0)),
  ]);
  const path = points.map(({ worth }, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(worth).toFixed(1)}`).join("");
  const marks = points.flatMap(({ worth, cost }, n) =>
    cost >= SEEN ? [draw("circle", { cx: x(n), cy: y(worth), r: 4 + Math.min(9, 120 * cost) })] : []);
  const label = `Your chance to win goes from ${percent(judgement.start)} to ${percent(judgement.end, 0)}; ${counted(marks.length, "choice")} that cost something are marked.`;
  return draw("svg", { class: "chart", viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": label },
    ...lines, draw("path", { d: path }), ...marks,
    draw("text", { x: LEFT, y: HIGH - 4 }, "first roll"), draw("text", { x: wide - 12, y: HIGH - 4, "text-anchor": "end" }, "end"));
}

/** The choices whose cost can be seen. */
function seenOf(judgement) {
  return judgement.costly.filter((one) => one.cost >= SEEN);
}

/** The dearest of these choices, in their order. */
function dearestOf(judgement) {
  const dearest = seenOf(judgement).sort((a, b) => b.cost - a.cost).slice(0, MOST_LISTED);
  return judgement.costly.filter((one) => dearest.includes(one));
}

/** What to do with a turn total; best play may roll again above the totals at which it holds. */
function adviceWords(game, against, { place, total }) {
  const until = rollUntil(game, against, place, total);
  if (until === 0 || until > total) return insteadWords(game, place, until);
  const above = bestRolls(game, against, place).indexOf(true, total);
  return above < 0 ? `hold from ${until} on` : `hold from ${until} to ${above - 1}, roll again above`;
}

/** The best play against the optimum `{rolls, values}` at a choice; null if it is also the best against the opponent of the game. */
function ofOptimum(game, { against, optimum }, choice) {
  const words = adviceWords(game, optimum, choice);
  return words === adviceWords(game, against, choice) ? null : make("div", {}, `Against the optimum: ${words}.`);
}

function valued(share) {
  return exact(share, worthText(share));
}

/** The reason why a choice was wrong: the values of both, and of the roll if it loses the turn and if it does not. */
function reason(game, against, { place, total, roll, hold }) {
  const { lost, kept } = worthOfThrows(game, against, place, total, roll);
  const parts = lost === null || kept === null ? [] : [": ", valued(lost), " if it loses the turn, else ", valued(kept)];
  const [held, rolled] = worthTexts(hold, roll);
  return make("div", {}, `A ${total ? "hold" : "pass"} wins `, exact(hold, held), ", a roll ", exact(roll, rolled), ...parts, ".");
}

function listed(game, dearest, { against, optimum }) {
  const rows = dearest.flatMap((one) => {
    const cells = [String(one.place.turn), `${one.place.own} : ${one.place.other}`, String(one.total), one.rolled ? "rolled" : one.total ? "held" : "passed",
      make("span", { class: "instead" }, adviceWords(game, against, one)),
      make("span", {}, exact(one.cost, inPoints(one.cost)), " ", make("span", { class: `size ${sizeOf(one.cost)}` }, sizeOf(one.cost)))];
    const better = make("div", { class: "narrow" }, `Better: ${adviceWords(game, against, one)}.`); // where a column has no room for it
    const note = make("div", { class: "instead" }, better, reason(game, against, one));
    optimum.then((known) => known && note.append(ofOptimum(game, { against, optimum: known }, one) ?? ""));
    return [cells, [note]];
  });
  const heads = ["turn", "scores", "at risk", "you", "better", make("span", {}, "cost", make("span", { class: "unit" }, " (percentage points)"))];
  return rows.length ? table("Choices that cost something", heads, rows) : null;
}

/** `1 blunder, 2 mistakes`. */
function countedBySize(costly) {
  const sizes = costly.map(({ cost }) => sizeOf(cost));
  return Object.keys(SIZES).filter((size) => sizes.includes(size)).map((size) => counted(sizes.filter((one) => one === size).length, size)).join(", ");
}

/** The kind of error of a choice that cost something. */
function kindOf({ rolled, total }) {
  if (total === 0) return rolled ? "rolled where passing was better" : "passed where rolling was better";
  return rolled ? "rolled on too long" : "held too early";
}

/** How a player stood before a turn. */
function standing({ place: { own, other } }) {
  return own < other ? "you were behind" : own > other ? "you were ahead" : "the scores were level";
}

/** Choices grouped by a word: the group that costs most, `{word, choices, cost}`. */
function dearestBy(wordOf, choices) {
  const groups = [...new Set(choices.map(wordOf))].map((word) => ({ word, choices: choices.filter((one) => wordOf(one) === word) }));
  const costs = groups.map((group) => ({ ...group, cost: group.choices.reduce((sum, { cost }) => sum + cost, 0) }));
  return costs.reduce((one, other) => (other.cost > one.cost ? other : one));
}

/** The costliest kind of error of a player, in one sentence. */
export function inShort(judgement) {
  const costly = seenOf(judgement);
  if (!judgement.judged.length) return "You had no choice to make.";
  if (!costly.length) return `You did nothing wrong that can be seen in ${counted(judgement.judged.length, "choice")}.`;
  const { word: kind, choices: errors, cost } = dearestBy(kindOf, costly);
  const { word: when, cost: part } = dearestBy(standing, errors);
  const lost = errors.length < costly.length ? `${inPoints(cost)} of the ${points(judgement.cost)} that your choices cost` : points(cost);
  if (errors.length === 1) return `You ${kind} once, when ${when}; that cost ${lost}.`;
  const mostly = part >= (2 / 3) * cost ? `, ${part === cost ? "all" : "most"} of it when ${when}` : "";
  return `You ${kind} ${errors.length === 2 ? "twice" : `${errors.length} times`}; that cost ${lost}${mostly}.`;
}

/** The value at the end as a sum: the start, minus the costs, plus the luck. */
function sum(judgement) {
  const { start, cost, luck, end } = judgement;
  const part = (label, value, text) => make("div", { class: "part" }, make("dt", {}, label), make("dd", {}, exact(value, text)));
  return make("dl", { class: "sum-of-parts" }, part("before the first roll", start, worthText(start)), part("percentage points by your choices", cost, signedInPoints(-cost)),
    part("percentage points by the dice of both", luck, signedInPoints(shownLuck(judgement))), part("the end", end, worthText(end)));
}

/** The review of a game against `{rolls, values}` as an element, `width` pixels wide; `optimum` is a promise of such an opponent, or of null. */
export function reviewView(state, judgement, { against, optimum, name }, width) {
  const { game } = state;
  const dearest = dearestOf(judgement);
  const left = dearest.length === MOST_LISTED ? ` The ${MOST_LISTED} dearest are listed.` : "";
  const costly = seenOf(judgement);
  const cost = `${costly.length} of your ${counted(judgement.judged.length, "choice")} cost something: ${countedBySize(costly)}.${left}`;
  const heading = make("h2", { tabindex: "-1" }, `Review. ${resultSentence(state, name)}`);
  const why = `The cost of a choice is how much lower it leaves your chance to win${drawWords(game)} than the better choice would, in percentage points, if you play best against ${inside(name)} from there on; against another opponent another choice may be better. ` +
    `A blunder costs ${points(SIZES.blunder, 1)} or more, a mistake ${inPoints(SIZES.mistake, 1)} or more, an inaccuracy less. The line shows your chance to win before each choice.`;
  const answers = listed(game, dearest, { against, optimum });
  const element = make("section", { class: "card review", "aria-label": "Review of the game" },
    heading, make("p", { class: "in-short" }, inShort(judgement)), sum(judgement), chart(judgement, Math.min(WIDEST, Math.max(280, width))),
    costly.length ? make("p", { class: "summary" }, cost) : null, answers,
    dearest.length ? retryView(game, { against, optimum }, dearest, (hidden) => answers.classList.toggle("asked-again", hidden)) : null, make("p", { class: "soft" }, why));
  return { element, heading };
}
