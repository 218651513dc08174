// The review of a game: what its choices have cost in win probability against this opponent, the course of the game drawn with the
// choices that cost something, and their positions to try again.
//
// The cost of a choice is the value of the better choice minus its own, if the person plays best afterwards. Between two
// choices only luck changes the value of the game: the value at the start, minus all costs, plus the luck, is that at the end.
import { draw, make, table } from "../dom.js";
import { costInPoints, counted, exact, inPoints, inside, percent, points, signedInPoints, worthText, worthTexts } from "../numbers.js";
import { resultSentence } from "./board.js";
import { drawWords, most, throwsOf } from "./game.js";
import { bestRolls, rollUntil, startWorth, turnWorth, worth, worthOfRolling, worthOfThrows } from "./worth.js";

const ROUNDING = 1e-12; // a cost below it is rounding

/** The least cost that two decimals of a percentage show. */
const SEEN = 5e-5;

/** The sizes of wrong choices in words, as in `pigevo.people`, by the least cost of each: one game in 100, one in 500, any. */
const SIZES = { blunder: 0.01, mistake: 0.002, inaccuracy: 0 };

/** The size of a cost in a word; empty if the cost is 0. */
export function sizeOf(cost) {
  return cost > 0 ? Object.keys(SIZES).find((size) => cost >= SIZES[size]) : "";
}

/** One choice, judged: `{..., roll, hold, best, cost, until}`. */
function judge(game, against, choice) {
  const { roll, hold } = worth(game, against, choice.place, choice.total);
  const lost = choice.rolled ? hold - roll : roll - hold;
  const until = rollUntil(game, against, choice.place, choice.total);
  return { ...choice, roll, hold, best: Math.max(roll, hold), cost: lost > ROUNDING ? lost : 0, until };
}

/** `{start, end, judged, costly, cost, luck}` of a finished game against an opponent `{rolls, values}`. */
export function review(state, against) {
  const { game, seat, result } = state;
  const judged = state.choices.map((choice) => judge(game, against, choice));
  const start = startWorth(game, against, seat);
  const end = result === "won" ? 1 : result === "draw" ? game.draw : 0;
  const cost = judged.reduce((sum, one) => sum + one.cost, 0);
  return { start, end, judged, costly: judged.filter((one) => one.cost > 0), cost, luck: end - start + cost };
}

/** The luck as it is shown: what the other figures of the review leave, as these are shown. */
export function shownLuck({ start, cost, end }) {
  const [before, spent, after] = [start, cost, end].map((value) => Number(value.toFixed(4)));
  return after - before + spent;
}

/** Whether a turn total wins at once. */
function wins(game, place, total) {
  return Boolean(game.target && !game.reply && total >= most(game, place));
}

/** The advice, in words, to roll from a turn total until another one. */
export function insteadWords(game, place, until, from = 0) {
  if (until === from) return from ? "hold" : "pass";
  return wins(game, place, until) ? "roll until you win" : until === 1 ? "roll once" : `roll until ${until}`;
}

/** The smallest answer to a question: a hold or a pass, but the first roll of a turn may be no choice. */
const leastOf = (game, from) => from || (game.passing ? 0 : 1);

/** The value of each turn total to roll until at a place, from a turn total on: `[until, worth]`. */
function answersTo(game, against, place, from) {
  const least = leastOf(game, from);
  return Array.from({ length: most(game, place) + 1 - least }, (_, n) => [n + least, worthOfRolling(game, against, place, n + least, from)]);
}

/**
 * The turn total at which a choice is asked for again: the beginning of the turn, but the choice itself where best play rolls again
 * above totals at which it holds, and so never comes there.
 */
function askedFrom(game, against, { place, total }) {
  const rolls = bestRolls(game, against, place);
  return rolls[total] && rolls.indexOf(false) < total && rolls.includes(false) ? total : 0;
}

function scoresOf(game, { own, other, turn }, from) {
  const risk = from ? `, and ${from} at risk` : "";
  return `${own} to ${other}${game.turns ? ` in round ${turn} of ${game.turns}` : ""}${risk}`;
}

/** The turn totals at which a turn can come to an end that rolls from a total until another one and does not lose it. */
function endsOf(game, from, until) {
  const reached = new Set([from]);
  for (const total of reached)
    if (total < until) for (const { points, ends } of throwsOf(game, total)) if (!ends) reached.add(total + points);
  return [...reached].filter((total) => total >= until).sort((a, b) => a - b);
}

/**
 * The reason why one of two turn totals to roll until is better: the values of a hold and of rolling on at a total at which the smaller holds
 * and the larger rolls on. `early` is true if the larger is better. Their difference in value is a mean over the totals at which the turn of
 * the smaller ends, so at one of these the better choice gains at least as much.
 */
function reasonOf(game, against, place, [less, more], early, from) {
  const { rolled, held } = turnWorth(game, place, against.values, (roll, hold, total) => (total < more ? roll : hold));
  if (less === 0) held[0] = worthOfRolling(game, against, place, 0);
  const gain = (total) => (early ? 1 : -1) * (rolled[total] - held[total]);
  const differing = endsOf(game, from, less).filter((total) => total < more);
  const at = differing.find((total) => gain(total) >= SEEN) ?? differing.at(-1);
  const [risk, further, stop] = at ? [`with ${at} at risk, `, "rolling on", "a hold"] : ["", "rolling", "a pass"];
  const [roll, hold] = worthTexts(rolled[at], held[at]);
  return `${risk}${insteadWords(game, place, more).replace("roll", further)} is worth ${roll}, and ${stop} ${hold}`;
}

/** The answer that is worth most, `[until, worth]`. */
function bestOf(answers) {
  return answers.reduce((one, other) => (other[1] > one[1] ? other : one));
}

/** What is best at a place against the optimum `{rolls, values}`, where something else is best against the opponent of the game; else nothing. */
export function besides(game, against, optimum, place, from = 0) {
  const [ours, its] = [against, optimum].map((opponent) => insteadWords(game, place, bestOf(answersTo(game, opponent, place, from))[0], from));
  return ours === its ? "" : `Against the optimum it would be best to ${its}.`;
}

/** A judge of answers at a place, from a turn total on: `{right, words, answer}`. An answer is right if its loss does not show in two decimals; `answer()` is the best one, with the reason. */
export function judgeOf(game, against, place, from = 0) {
  const answers = answersTo(game, against, place, from);
  const [best, top] = bestOf(answers);
  return (until) => {
    const [, worth] = answers.find(([total]) => total === until);
    const cost = top - worth;
    const better = cost > ROUNDING ? ` Best is to ${insteadWords(game, place, best, from)}, by ${costInPoints(cost)}.` : "";
    if (cost < SEEN) return { right: true, words: `Right: ${insteadWords(game, place, until, from)}.${better}` };
    const early = until < best;
    const size = sizeOf(cost);
    const article = size === "inaccuracy" ? "an" : "a";
    const answer = () => `Best is to ${insteadWords(game, place, best, from)}: ${reasonOf(game, against, place, early ? [until, best] : [best, until], early, from)}.`;
    return { right: false, words: `${early ? "Too early" : "Too late"}: from ${from ? "there" : "the beginning of a turn"} that costs ${points(cost)} on average, ${article} ${size}. Try again.`, answer };
  };
}

/** How many of the asked positions were found, and not shown, in a sentence. */
export function foundWords(found, asked) {
  const shown = asked - found;
  if (!shown) return asked === 1 ? "The position is right." : "Every position is right.";
  if (!found) return asked === 1 ? "The answer was shown to you." : `All ${asked} answers were shown to you.`;
  return `You found ${found} of ${asked}; the ${shown === 1 ? "other was" : "others were"} shown to you.`;
}

/**
 * A button that asks for the positions of some judged choices again, the dearest first. `hide(hidden)` is called with whether
 * the answers must not be seen. Answers are judged against the opponent of the game; what the optimum, which is promised or null, asks for
 * instead is said beside them.
 */
function retryView(game, { against, optimum }, judged, hide) {
  const asked = [...judged].sort((a, b) => b.cost - a.cost).map((one) => ({ place: one.place, from: askedFrom(game, against, one) }));
  const positions = asked.filter(({ place, from }, n) => asked.findIndex((one) => one.place === place && one.from === from) === n);
  const begin = make("button", { type: "button", onclick: () => ask(0) }, "Try these positions again");
  const element = make("div", { class: "retry" }, begin);
  let found = 0; // right answers that were not shown

  function ask(number) {
    if (number === 0) found = 0;
    if (number === positions.length) return end();
    hide(true);
    const { place, from } = positions[number];
    const judge = judgeOf(game, against, place, from);
    const least = leastOf(game, from);
    const input = make("input", { type: "number", inputmode: "numeric", min: least, max: most(game, place), step: 1, required: true, oninput: () => (said.textContent = "") });
    const said = make("p", { role: "status", class: "verdict" });
    const also = make("p", { class: "soft" });
    const checkButton = make("button", { class: "first" }, "Check");
    const showButton = make("button", { type: "button", hidden: true }, "Show me");
    const next = make("button", { type: "button", class: "first", hidden: true, onclick: () => ask(number + 1) }, number + 1 === positions.length ? "Done" : "Next position");
    const hint = wins(game, place, most(game, place)) ? `(${most(game, place)} wins${from ? `, ${from} holds` : game.passing ? ", 0 passes" : ""})` : "";
    const check = (event) => {
      event.preventDefault();
      const { right, words, answer } = judge(input.valueAsNumber);
      said.textContent = words;
      showButton.hidden = right;
      showButton.onclick = () => settle(answer());
      if (!right) {
        input.focus();
        return input.select(); // the next answer takes its place
      }
      found += 1;
      settle(words);
    };
    const settle = (words) => {
      said.textContent = words;
      input.disabled = checkButton.hidden = showButton.hidden = true;
      next.hidden = false;
      next.focus();
      optimum.then((known) => known && (also.textContent = besides(game, against, known, place, from)));
    };
    element.replaceChildren(make("form", { onsubmit: check },
      make("h3", {}, `Position ${number + 1} of ${positions.length}: you have ${scoresOf(game, place, from)}.`),
      said, make("div", { class: "answer" }, make("label", {}, "Roll until the turn total is ", input), hint ? make("span", { class: "soft" }, hint) : null, checkButton, showButton, next), also));
    input.focus();
  }

  function end() {
    hide(false);
    element.replaceChildren(make("p", { role: "status" }, foundWords(found, positions.length)), begin);
    begin.focus();
  }

  return element;
}

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
