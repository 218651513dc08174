// The elements of the Evolve tab: the run, its settings, and the explanation of its curve.
import { LARGEST_SEED } from "../dice.js";
import { choice, make } from "../dom.js";
import { CHOOSE } from "../canvas.js";
import { DEFAULTS, EXACT, wrongSeed } from "./settings.js";

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

/** All parts by name; `all` are the elements of the page, in their order. */
export function evolveParts(panel, why) {
  const chart = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  chart.setAttribute("class", "course");
  chart.setAttribute("role", "img");
  chart.id = "evolve-chart";
  chart.setAttribute("aria-label", "Curve of the run."); // until there is a summary of it
  const wrong = make("p", { class: "trouble", role: "alert", id: "evolve-trouble", hidden: true });
  const play = make("button", { type: "button", class: "first", id: "evolve-play" }, "Run");
  const step = make("button", { type: "button", id: "evolve-step", "aria-label": "Step: one generation" }, "Step");
  const again = make("button", { type: "button", id: "evolve-again" }, "Reset");
  const slow = make("input", { type: "checkbox", id: "evolve-slow" });
  const says = make("p", { id: "evolve-says", class: "says number" }, "Judging generation 0\u00a0...");
  const speed = make("p", { id: "evolve-speed", class: "soft number" }, "\u00a0");
  const map = (name) => make("canvas", {
    id: `evolve-${name}`, class: "heat", tabindex: 0, role: "application",
    "aria-label": `Map of the turn totals at which the ${name} first holds: own score across, opponent\u2019s score up. ` +
      "The arrow keys go from one pair of scores to the next, ten with Shift.",
  });
  const [champion, optimum] = [map("champion"), map("optimum")];
  const title = make("h3", {}, "The champion");
  const scale = make("canvas", { class: "scale", "aria-hidden": "true" });
  const pair = make("p", { id: "evolve-pair", class: "number" }, CHOOSE);
  const challenge = make("button", { type: "button", id: "evolve-challenge" }, "Play against the champion");
  const before = key("before", "your run before");
  const command = make("code", { id: "evolve-command" });
  const link = make("a", { id: "evolve-link" }, "Link to this run");
  const all = [
    make("h2", {}, "Can strategies evolve?"),
    make("p", { class: "lead" }, "Strategies that begin as coin tosses play matches; the winners have children, who keep what both parents agree on, toss coins for the rest, and suffer a few random flips. ",
      "The thick line is how often they beat the best possible player, the dots the best of as many strategies that nobody bred, chosen by such matches too."),
    wrong, panel.trials,
    make("div", { class: "evolving" },
      make("div", { class: "stage" },
        make("div", { class: "row" }, play, step, again, make("label", { class: "check", for: "evolve-slow" }, slow, make("span", {}, "slowly"))),
        make("div", { class: "card sheet" }, panel.near, says, chart, legend(before), speed)),
      make("div", { class: "maps" },
        make("div", { class: "pair" },
          make("figure", { class: "card" }, title, champion),
          make("figure", { class: "card" }, make("h3", {}, "The optimum"), optimum)),
        make("div", { class: "card" }, make("p", {}, "Colour: the turn total at which it first holds, or wins."), scale, pair, challenge)),
      make("div", { class: "turning" }, why.element, panel.element),
      make("div", { class: "card repeat" }, make("h3", {}, "Repeat this run"),
        make("p", {}, "The same seed gives the same populations, bit for bit, in Python: "), make("pre", {}, command), make("p", {}, link))),
  ];
  return { all, wrong, chart, before, play, step, again, slow, says, speed, champion, optimum, title, scale, pair, challenge, command, link };
}

function key(kind, words) {
  return make("li", {}, make("span", { class: `line ${kind}`, "aria-hidden": "true" }), make("span", {}, words));
}

function legend(before) {
  return make("ul", { class: "keys" },
    key("mean", "the population, with its range"), key("champion", "its champion"), key("search", "random search"),
    key("optimum", "the optimum itself"), before);
}
