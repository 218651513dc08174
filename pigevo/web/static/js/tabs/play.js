// Play: a person against a strategy, by button, key or finger; odds and advice when asked, and a review at the end.
import { choice, make } from "../dom.js";
import { readSeed } from "../dice.js";
import { inside } from "../numbers.js";
import { advicePanel } from "../play/advice.js";
import { board } from "../play/board.js";
import { scoreSheet } from "../play/log.js";
import { sitting } from "../play/sitting.js";

const PACE = 650; // milliseconds between two rolls of the opponent
const SLOWEST = 60000;
const SEATS = [["in-turn", "both in turn"], ["you", "you"], ["opponent", "the opponent"]];
const SEAT = { you: 0, opponent: 1, "in-turn": null };

/** Those whose advice a person can follow: the optimum, and rules. */
function advisers(strategies) {
  return strategies.filter(({ id, rule }) => id === "optimal" || rule);
}

/** What the address asks for: a seed, an opponent, an adviser, who moves first, the pace. */
function wishes(strategies) {
  const asked = new URLSearchParams(location.search);
  const known = (among, word) => (among.some((one) => one.id === asked.get(word)) ? asked.get(word) : strategies[0].id);
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const pace = asked.has("pace") ? Number(asked.get("pace")) || 0 : calm ? 0 : PACE;
  return {
    seed: readSeed(asked.get("seed")),
    opponent: strategies.find((one) => one.own)?.id ?? known(strategies, "opponent"),
    adviser: known(advisers(strategies), "adviser"),
    first: asked.get("first") in SEAT ? asked.get("first") : "in-turn",
    pace: Math.min(Math.max(pace, 0), SLOWEST),
  };
}

function help(target) {
  const key = (name) => make("kbd", {}, name);
  return make("p", { class: "soft help" }, "Each roll of 2 to 6 is added to what is at risk; a 1 loses it and ends the turn; holding banks it. ",
    `The first to have ${target} wins. Keys: `, key("R"), " rolls, ", key("H"), " holds, ", key("A"), " gives advice, ",
    key("O"), " shows the odds, ", key("N"), " begins a new game.");
}

/** Do what a key says while a tab is shown and nothing is typed or chosen. */
function onKeys(root, actions) {
  document.addEventListener("keydown", (event) => {
    if (root.hidden || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (!event.target.closest("input, select, textarea")) actions[event.key.toLowerCase()]?.();
  });
}

export async function mount(root, shared) {
  const { strategies, engine } = shared;
  const wish = wishes(strategies);
  const entries = (among) => among.map((one) => [one.id, one.title]);
  const opponents = choice("Opponent", entries(strategies), { onchange: chosen });
  const counsel = choice("Adviser", entries(advisers(strategies)), { onchange: counselled });
  const seats = choice("First to move", SEATS, { onchange: chosen });
  const about = make("p", { class: "soft about" });
  const [roll, hold] = ["roll", "hold"].map((what) => () => games.act(what));
  const view = board({ roll, hold, again, advice: () => games.advice(), odds: () => games.odds() });
  const parts = { view, hints: advicePanel(), sheet: scoreSheet(), end: make("div", {}) };
  const games = sitting(shared, parts, { ...wish, adviser: () => entry(counsel) });
  opponents.select.value = wish.opponent;
  counsel.select.value = wish.adviser;
  seats.select.value = wish.first;
  root.append(make("form", { class: "setup", onsubmit: (event) => event.preventDefault() }, opponents.field, seats.field, counsel.field, about),
    view.element, parts.hints.element, parts.end, parts.sheet.element, help(engine.game.target));

  /** The strategy that is chosen in a list. */
  function entry({ select }) {
    return strategies.find(({ id }) => id === select.value);
  }

  function told({ sentence, rule }) {
    return rule ? [`${sentence} `, make("code", {}, rule)] : [sentence];
  }

  function start() {
    about.replaceChildren(...told(entry(opponents)));
    return games.start(entry(opponents), SEAT[seats.select.value]);
  }

  /** Another opponent or seat: a game that has begun is played to its end first. */
  function chosen() {
    if (games.isOpen()) about.replaceChildren(...told(entry(opponents)), " From the next game on.");
    else start();
  }

  /** Another adviser says at once what it is, and its advice when asked. */
  function counselled() {
    const { title, sentence, rule } = entry(counsel);
    about.replaceChildren(rule ? `Your adviser is ${inside(title)}. ` : "", ...told({ sentence, rule }));
  }

  function again() {
    start();
    view.focus();
  }

  document.addEventListener("strategies", ({ detail }) => {
    for (const [{ select }, among] of [[opponents, strategies], [counsel, advisers(strategies)]]) {
      const before = select.value;
      select.replaceChildren(...entries(among).map(([value, text]) => make("option", { value }, text)));
      select.value = among.some(({ id }) => id === before) ? before : "optimal";
    }
    opponents.select.value = detail;
    start();
  });
  onKeys(root, { r: roll, h: hold, a: () => games.advice(), o: () => games.odds(), n: again });
  start(); // and not waited for: the opponent may move first, at its pace
}
