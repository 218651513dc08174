// The settings of a run: as the page has them, in the address, as words of `python -m pigevo`, and as a panel of elements.
import { OF_PLAY } from "../address.js";
import { LARGEST_SEED, readSeed, seedWords } from "../dice.js";
import { choice, make } from "../dom.js";
import { refusal } from "../numbers.js";
import { cubeGrid } from "./grid.js";

/** The settings by their names in the command. Those of a link that are left out or make no sense are these. */
const DEFAULTS = {
  mutation: 0.005, "population.size": 20, "fitness.games": 100, "cubes.sizes": "20,10,5", "cubes.generations": 100,
  selection: "knockout", replacement: "offspring", fitness: "games", seed: "0",
};
const EXACT = "exact_vs_optimal";
const MOST_WAVES = 6;

/** What each setting can be, in words. */
const WANTED = {
  mutation: "a number from 0 to 1", "population.size": "a whole number from 2 to 100", "fitness.games": "a whole number from 1 to 1000",
  "cubes.sizes": `one to ${MOST_WAVES} whole numbers from 2 to 100`, "cubes.generations": "a whole number from 1 to 1000",
  selection: "knockout or round_robin", replacement: "offspring or survivors_and_offspring", fitness: `games or ${EXACT}`,
  seed: `a whole number from 0 to ${LARGEST_SEED}`,
};

const whole = (least, most) => (text) => (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null);
const oneOf = (...names) => (text) => (names.includes(text) ? text : null);
const READ = {
  mutation: (text) => (/^\d*\.?\d+(e-?\d+)?$/.test(text) && Number(text) <= 1 ? Number(text) : null),
  "population.size": whole(2, 100),
  "fitness.games": whole(1, 1000),
  "cubes.sizes": (text) => {
    const sizes = text.replace(/[[\]]/g, "").split(",").map(whole(2, 100));
    return sizes.includes(null) || sizes.length > MOST_WAVES ? null : sizes.join();
  },
  "cubes.generations": whole(1, 1000),
  selection: oneOf("knockout", "round_robin"),
  replacement: oneOf("offspring", "survivors_and_offspring"),
  fitness: oneOf("games", EXACT),
  seed: (text) => readSeed(text)?.toString() ?? null,
};

/** The words of an address that leads to a run; none of another address. */
function wordsOf(search) {
  const words = new URLSearchParams(search);
  return words.has("evolve") ? words : new URLSearchParams();
}

/** The settings in the words of an address, else the defaults; in a knockout an odd population gets one member more. */
export function settingsOf(search) {
  const words = wordsOf(search);
  const settings = Object.fromEntries(Object.entries(DEFAULTS).map(([name, usual]) => [name, READ[name](words.get(name) ?? "") ?? usual]));
  if (settings["population.size"] % 2 && settings.selection === "knockout") settings["population.size"]++;
  return settings;
}

/** What is wrong with the words of an address, and what is taken instead, in sentences; empty if nothing is. */
export function wrongIn(search, settings) {
  const words = wordsOf(search);
  const sentences = Object.keys(DEFAULTS).filter((name) => words.has(name)).map((name) => {
    const value = READ[name](words.get(name));
    if (value === null) return refusal(`${name}=${words.get(name)}`, WANTED[name], `${name}=${settings[name]}`);
    return value === settings[name] ? "" : refusal(`${name}=${value}`, "an even number, which a knockout needs", `${name}=${settings[name]}`);
  });
  return sentences.filter(Boolean).join(" ");
}

/** What is wrong with a seed that was typed, and what is taken instead; empty if nothing is. */
function wrongSeed(text) {
  return READ.seed(text) === null ? refusal(text || "Nothing", WANTED.seed, DEFAULTS.seed) : "";
}

/** The settings that are written out: those that differ from the defaults, and always the rate and the seed. */
function said(settings) {
  const silent = settings.fitness === EXACT ? ["fitness.games"] : []; // no games are played
  return Object.entries(settings).filter(([name, value]) =>
    !silent.includes(name) && (name === "mutation" || name === "seed" || value !== DEFAULTS[name]));
}

/** The words of the address that leads to a run. */
export const addressOf = (settings) => `?evolve&${said(settings).map((pair) => pair.join("=")).join("&")}`;

/**
 * The address of a page on which a run was turned: it also keeps what is asked of Play, such as the game of the day. Null if that includes a
 * seed, as a run has one of its own: the address is that of a lesson, or of a game, and stays so.
 */
export function addressAfter(search, settings) {
  const words = new URLSearchParams(search);
  if (words.has("seed") && !words.has("evolve")) return null;
  for (const name of [...words.keys()]) if (name === "seed" || !OF_PLAY.includes(name)) words.delete(name);
  return [addressOf(settings), ...String(words).split("&").filter(Boolean)].join("&").replace(/=(?=&|$)/g, "");
}

/** The command that repeats a run. */
export function commandOf(settings) {
  const words = said(settings).map(([name, value]) => (name === "cubes.sizes" ? `'${name}=[${value}]'` : `${name}=${value}`));
  return `python -m pigevo experiment=cube_random ${words.join(" ")}`;
}

/** The settings as the generation loop takes them. */
export function planSettings(settings, target) {
  const sizes = settings["cubes.sizes"].split(",").map(Number);
  return {
    target, sizes, lengths: sizes.map(() => settings["cubes.generations"]), seed: seedWords(BigInt(settings.seed)),
    size: settings["population.size"], games: settings["fitness.games"], mutation: settings.mutation,
    selection: settings.selection, replacement: settings.replacement, exact: settings.fitness === EXACT,
  };
}

/** What mutation does in each wave: `{size, genes, flips, untouched}`, the expected flips of a child, and the share of children without any. */
export function flipsOf({ sizes, mutation, target }) {
  return sizes.map((size) => {
    const { genes } = cubeGrid(target, size);
    return { size, genes, flips: genes * mutation, untouched: (1 - mutation) ** genes };
  });
}

const RATES = [0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
const GAMES = [5, 10, 20, 50, 100, 200, 500, 1000];
const LENGTHS = [10, 20, 50, 100, 150, 200, 300];
const SIZES = [["20,10,5", "20, 10, 5"], ["50,20,10", "50, 20, 10"], ["20", "20 only"], ["10", "10 only"], ["5", "5 only"]];
const SELECTIONS = [["knockout", "knockout"], ["round_robin", "all meet"]];
const REPLACEMENTS = [["offspring", "no"], ["survivors_and_offspring", "yes"]];
const FITNESSES = [["games", "games"], [EXACT, "exact referee"]];

/** Changes of settings, each of which has a visible effect; all other settings have their defaults. */
const TRIALS = [
  ["fewer flips: 0.001", { mutation: 0.001 }],
  ["parents that stay", { replacement: "survivors_and_offspring" }],
  ["cubes of 20 only", { "cubes.sizes": "20", "cubes.generations": 300 }],
  ["no luck", { fitness: EXACT }],
  ["the run of 2016", {}],
];

/** A slider over some values: `{field, input, set(value), get()}`; a value that is not among them joins them. */
function stepper(id, label, values, changed) {
  const steps = [...values];
  const shown = make("output", { class: "number", for: id });
  const input = make("input", { type: "range", id, min: 0, step: 1, oninput: say, onchange: changed });
  function say() {
    shown.textContent = String(steps[input.value]);
    input.setAttribute("aria-valuetext", shown.textContent);
  }
  return {
    field: make("div", { class: "slider" }, make("div", {}, make("label", { for: id }, label), " ", shown), input),
    get: () => steps[input.value],
    set(value) {
      if (!steps.includes(value)) steps.splice(steps.findIndex((one) => one > value) >>> 0, 0, value);
      steps.sort((a, b) => a - b);
      input.max = steps.length - 1;
      input.value = steps.indexOf(value);
      say();
    },
    disable: (is) => (input.disabled = is),
  };
}

function selector(id, label, options, changed) {
  const { select, field } = choice(label, options, { id, onchange: changed });
  return {
    field,
    get: () => select.value,
    set(value) {
      if (![...select.options].some((one) => one.value === value)) select.append(make("option", { value }, value.replaceAll(",", ", ")));
      select.value = value;
    },
  };
}

/** The settings as elements: `{element, near, trials, get(), set(settings)}`, where `near` are those beside the chart and `trials` the buttons of `TRIALS`; `changed(settings)` is called after each change. */
export function settingsPanel(changed) {
  const hear = () => {
    const settings = get();
    wrong.textContent = wrongSeed(seed.value.trim());
    wrong.hidden = !wrong.textContent;
    if (settings.selection === "knockout" && settings["population.size"] % 2) settings["population.size"]++;
    set(settings);
    changed(settings);
  };
  const sizes = Array.from({ length: 15 }, (_, n) => 4 * (n + 1));
  const seed = make("input", { type: "text", inputmode: "numeric", id: "evolve-seed", autocomplete: "off", spellcheck: "false", onchange: hear });
  const wrong = make("p", { class: "trouble", role: "alert", id: "evolve-seed-trouble", hidden: true });
  const fresh = make("button", { type: "button", id: "evolve-new-seed", onclick: () => {
    seed.value = String((BigInt(fields.seed.get()) + 1n) & LARGEST_SEED);
    hear();
  } }, "Next seed");
  const fields = {
    mutation: stepper("evolve-mutation", "Mutation rate", RATES, hear),
    "population.size": stepper("evolve-size", "Population", sizes, hear),
    "fitness.games": stepper("evolve-games", "Games in a match", GAMES, hear),
    "cubes.generations": stepper("evolve-length", "Generations each", LENGTHS, hear),
    "cubes.sizes": selector("evolve-cubes", "Sizes of cubes", SIZES, hear),
    selection: selector("evolve-selection", "Selection", SELECTIONS, hear),
    replacement: selector("evolve-replacement", "Do parents stay?", REPLACEMENTS, hear),
    fitness: selector("evolve-fitness", "Judged by", FITNESSES, hear),
    seed: { get: () => (wrongSeed(seed.value.trim()) ? DEFAULTS.seed : seed.value.trim()), set: (value) => (seed.value = value) },
  };

  function get() {
    return Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, fields[name].get()]));
  }

  function set(settings) {
    for (const [name, value] of Object.entries(settings)) fields[name].set(value);
    fields["fitness.games"].disable(settings.fitness === EXACT);
    for (const trial of trials) {
      const wanted = trial.settings();
      trial.button.setAttribute("aria-pressed", String(Object.keys(wanted).every((name) => wanted[name] === settings[name])));
    }
  }

  const trials = TRIALS.map(([text, words]) => {
    const settings = () => ({ ...DEFAULTS, seed: fields.seed.get(), ...words });
    const button = make("button", { type: "button", onclick: () => {
      set(settings());
      hear();
    } }, text);
    return { button, settings };
  });
  const { mutation, "cubes.sizes": cubes, ...further } = fields;
  const near = make("div", { class: "near" }, mutation.field, cubes.field);
  const element = make("div", { class: "card settings" },
    make("h3", {}, "More settings"),
    make("div", { class: "fields" }, Object.values(further).map(({ field }) => field),
      make("div", { class: "seed" }, make("label", { class: "field" }, make("span", {}, "Seed"), seed), fresh, wrong)));
  const toTry = make("div", { class: "trials", role: "group", "aria-label": "Try" }, make("span", {}, "Try"), trials.map(({ button }) => button));
  return { element, near, trials: toTry, get, set };
}
