// Play: a person against a strategy, by button, key or finger; odds and advice when asked, and a review at the end.
import { choice, make } from "../dom.js";
import { readSeed } from "../dice.js";
import { advicePanel } from "../play/advice.js";
import { board } from "../play/board.js";
import { scoreSheet } from "../play/log.js";
import { sitting } from "../play/sitting.js";

const PACE = 650; // milliseconds between two rolls of the opponent
const SLOWEST = 60000;
const SEATS = [["in-turn", "you and the opponent in turn"], ["you", "you"], ["opponent", "the opponent"]];
const SEAT = { you: 0, opponent: 1, "in-turn": null };

/** What the address asks for: a seed, an opponent, who moves first, the pace. */
function wishes(strategies) {
  const asked = new URLSearchParams(location.search);
  const known = strategies.some((one) => one.id === asked.get("opponent"));
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const pace = asked.has("pace") ? Number(asked.get("pace")) || 0 : calm ? 0 : PACE;
  return {
    seed: readSeed(asked.get("seed")),
    opponent: strategies.find((one) => one.own)?.id ?? (known ? asked.get("opponent") : strategies[0].id),
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
  const entries = () => strategies.map((one) => [one.id, one.title]);
  const opponents = choice("Opponent", entries(), { onchange: chosen });
  const seats = choice("First to move", SEATS, { onchange: chosen });
  const about = make("p", { class: "soft about" });
  const [roll, hold] = ["roll", "hold"].map((what) => () => games.act(what));
  const view = board({ roll, hold, again, advice: () => games.advice(), odds: () => games.odds() });
  const parts = { view, hints: advicePanel(), sheet: scoreSheet(), end: make("div", {}) };
  const games = sitting(shared, parts, wish);
  opponents.select.value = wish.opponent;
  seats.select.value = wish.first;
  root.append(make("form", { class: "setup", onsubmit: (event) => event.preventDefault() }, opponents.field, seats.field, about),
    view.element, parts.hints.element, parts.end, parts.sheet.element, help(engine.game.target));

  function opponent() {
    return strategies.find(({ id }) => id === opponents.select.value);
  }

  function start() {
    about.textContent = opponent().sentence;
    return games.start(opponent(), SEAT[seats.select.value]);
  }

  /** Another opponent or seat: a game that has begun is played to its end first. */
  function chosen() {
    if (games.isOpen()) about.textContent = `${opponent().sentence} From the next game on.`;
    else start();
  }

  function again() {
    start();
    view.focus();
  }

  document.addEventListener("strategies", ({ detail }) => {
    opponents.select.replaceChildren(...entries().map(([value, text]) => make("option", { value }, text)));
    opponents.select.value = detail;
    start();
  });
  onKeys(root, { r: roll, h: hold, a: () => games.advice(), o: () => games.odds(), n: again });
  start(); // and not waited for: the opponent may move first, at its pace
}
