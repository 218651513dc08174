// The settings of a run: as the page has them, in the address, and as words of `python -m pigevo`.
import { LARGEST_SEED, readSeed, seedWords } from "../dice.js";
import { cubeGrid } from "./grid.js";
import { refusal } from "../numbers.js";

/** The settings by their names in the command. Those of a link that are left out or make no sense are these. */
export const DEFAULTS = {
  mutation: 0.005, "population.size": 20, "fitness.games": 100, "cubes.sizes": "20,10,5", "cubes.generations": 100,
  selection: "knockout", replacement: "offspring", fitness: "games", seed: "0",
};
export const EXACT = "exact_vs_optimal";
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
export function wrongSeed(text) {
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
