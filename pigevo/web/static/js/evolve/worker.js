// A worker beside the page that evolves, or searches at random, and posts the figures.
//
// `{id, start, optimum}` begins a run, `{go, pause, every}` lets it go on, `{step}` makes one generation, `{stop}` stops it.
// `{id, search, optimum, every}` begins a random search.
import { championOf, firstState, nextState, planOf } from "./loop.js";
import { againstAll, turnsOfRoll } from "./referee.js";
import { randomSearch } from "./random_search.js";

const AT_ONCE = 40; // milliseconds of work, after which messages of the page are read
const CROWNED = 20; // generations between two champions: to find one takes as long as ten generations
const USUAL = 20; // the population size for which that is true; the time grows with its square

let run = null;
let going = null;
let timer = 0;
let turns = null;

function begin(id, settings, optimum) {
  turns ??= turnsOfRoll(settings.target, optimum);
  const plan = planOf({ ...settings, optimum: settings.exact ? turns : null });
  run = { id, plan, state: firstState(plan), spent: 0 };
  going = null;
}

/** Post the figures of the present generation, and its champion if it is due. */
function record(every) {
  const start = performance.now();
  const { id, plan, state } = run;
  const done = state.generation === plan.generations;
  const values = againstAll(plan.grids[state.wave], state.genomes, turns);
  const due = every === 1 || done || state.generation % (CROWNED * Math.ceil((plan.size / USUAL) ** 2)) === 0;
  const { genes } = plan.grids[state.wave];
  const mean = values.reduce((sum, value) => sum + value) / values.length;
  const champion = due ? championOf(plan, state) : -1;
  if (state.generation) run.spent += performance.now() - start;
  self.postMessage({
    id, generation: state.generation, wave: state.wave, games: state.games, evaluations: state.evaluations + state.fresh, done,
    best: Math.max(...values), worst: Math.min(...values), mean,
    spread: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length),
    champion: due ? { overall: values[champion], genome: state.genomes.slice(champion * genes, (champion + 1) * genes) } : null,
    speed: run.spent ? (1000 * state.generation) / run.spent : null, // all that is computed counts
  });
}

function advance(every) {
  const start = performance.now();
  run.state = nextState(run.plan, run.state);
  const { generation } = run.state;
  run.spent += performance.now() - start;
  if (generation % every === 0 || run.plan.ends.includes(generation)) record(every);
  if (generation === run.plan.generations) going = null;
}

function goOn() {
  const until = performance.now() + AT_ONCE;
  while (going) {
    advance(going.every);
    if (going?.pause || performance.now() > until) break;
  }
  if (going) timer = setTimeout(goOn, going.pause);
}

function search(id, settings, optimum, every) {
  begin(id, settings, optimum);
  const { plan } = run;
  const born = plan.replacement === "offspring" ? plan.size : plan.size - (plan.size >> 1);
  const found = randomSearch(plan, plan.grids[0]);

  function next(generation) {
    if (run.id !== id) return;
    self.postMessage({ id, generation, overall: found.best(plan.size + generation * born, turns) });
    if (generation < plan.generations) setTimeout(next, 0, Math.min(generation + every, plan.generations));
  }

  next(0);
}

self.onmessage = ({ data }) => {
  clearTimeout(timer);
  if (data.search) return search(data.id, data.search, data.optimum, data.every);
  if (data.start) {
    begin(data.id, data.start, data.optimum);
    record(1);
  }
  if (data.stop) going = null;
  if (data.go) going = { every: data.every, pause: data.pause };
  if (data.step && run.state.generation < run.plan.generations) advance(1);
  if (going && run.state.generation < run.plan.generations) timer = setTimeout(goOn, going.pause);
};
