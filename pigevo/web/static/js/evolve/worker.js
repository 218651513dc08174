// A worker beside the page that evolves, or searches at random, and posts the figures.
//
// `{start, optimum}` begins a run, `{go, pause, every}` lets it go on, `{step}` makes one generation, `{stop}` stops it.
// `{search, optimum, every}` begins a random search, `{at}` asks for its figure in a generation before all others.
import { crowning, firstState, nextState, planOf, randomSearch } from "./loop.js";
import { againstAll, turnsOfRoll } from "./grid.js";

const AT_ONCE = 40; // milliseconds of work, after which messages of the page are read
const CROWNED = 20; // generations between two champions: to find one takes as long as ten generations
const USUAL = 20; // the population size for which that is true; the time grows with its square

let run = null; // `due` says whether the present generation has a champion in any case
let going = null;
let champion = null; // the search for the champion of the present generation, in steps
let timer = 0;

function begin(settings, optimum) {
  const turns = turnsOfRoll(settings.target, optimum);
  const plan = planOf({ ...settings, optimum: settings.exact ? turns : null });
  run = { plan, turns, state: firstState(plan), values: null, due: false, spent: 0, since: null };
}

const isDone = () => run.state.generation === run.plan.generations;

/** Post the figures of the present generation; its champion follows if it is due, or if the run rests there. */
function record() {
  const { plan, turns, state } = run;
  const values = againstAll(plan.grids[state.wave], state.genomes, turns);
  const mean = values.reduce((sum, value) => sum + value) / values.length;
  const due = isDone() || (state.generation > 0 && state.generation % (CROWNED * Math.ceil((plan.size / USUAL) ** 2)) === 0);
  champion = due || !going || going.pause ? crowning(plan, state) : null;
  Object.assign(run, { values, due });
  self.postMessage({
    generation: state.generation, wave: state.wave, games: state.games, evaluations: state.evaluations + state.fresh, last: isDone(),
    best: Math.max(...values), worst: Math.min(...values), mean,
    spread: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length),
    awaited: champion !== null, speed: speed(),
  });
}

/** The milliseconds for which the run has gone on, by the clock: what one has waited, without the time in which it was stopped. */
const waited = () => run.spent + (run.since === null ? 0 : performance.now() - run.since);

/** Have the clock of the run go, or stop. */
function clock(goes) {
  run.spent = waited();
  run.since = goes ? performance.now() : null;
}

/** Generations a second. */
const speed = () => (run.state.generation ? (1000 * run.state.generation) / waited() : null);

/** One step of the search for the champion, which is posted when it is found. */
function crown() {
  const { plan, state, values } = run;
  const { done, value } = champion.next();
  if (!done) return;
  champion = null;
  const { genes } = plan.grids[state.wave];
  const genome = state.genomes.slice(value.member * genes, (value.member + 1) * genes);
  self.postMessage({
    generation: state.generation, wave: state.wave, champion: { overall: values[value.member], genome },
    games: state.games + (isDone() ? value.games : 0), speed: speed(), // the games for the last champion are part of the run
  });
}

function advance(every) {
  run.state = nextState(run.plan, run.state);
  champion = null;
  if (run.state.generation % every === 0 || run.plan.ends.includes(run.state.generation)) record();
}

/** Work for a while, and go on after messages have been read. */
function work() {
  const until = performance.now() + AT_ONCE;
  const isLeft = () => champion || (going && !isDone());
  let pause = 0;
  while (isLeft() && !pause && performance.now() < until) {
    if (champion) crown();
    else advance(going.every);
    if (!champion && going) pause = going.pause;
  }
  if (isLeft()) timer = setTimeout(work, pause);
  else clock(false);
}

let searching = null; // the random search: `{plan, turns, found, wanted, known}`, with the generations that it is still and is no longer asked for

function search(settings, optimum, every) {
  begin(settings, optimum);
  const { plan, turns } = run;
  const { generations } = plan;
  const wanted = Array.from({ length: Math.ceil(generations / every) }, (_, n) => n * every);
  searching = { plan, turns, found: randomSearch(plan, plan.grids[0]), wanted: [...wanted, generations], known: new Set() };
}

/** Search with as many strategies as the run has evaluated in the next generation that is wanted. */
function look() {
  const { plan: { size, replacement }, turns, found, wanted, known } = searching;
  const generation = wanted.shift();
  if (!known.has(generation)) {
    known.add(generation);
    const strategies = size + generation * (replacement === "offspring" ? size : size - (size >> 1));
    const overall = found.best(strategies, turns);
    self.postMessage({ generation, overall, strategies: found.drawn(strategies) });
  }
  if (wanted.length) timer = setTimeout(look);
}

self.onmessage = ({ data }) => {
  clearTimeout(timer);
  if (data.search) search(data.search, data.optimum, data.every);
  if (data.at !== undefined) searching.wanted.unshift(data.at);
  if (searching) return (timer = setTimeout(look));
  if (data.start) {
    begin(data.start, data.optimum);
    record();
  }
  if (data.stop || data.step) going = null;
  clock(Boolean(data.go || data.step) && !isDone());
  if (data.go) {
    going = { every: data.every, pause: data.pause };
    if (!run.due) champion = null; // nobody waits for it
  }
  if (data.step && !isDone()) {
    advance(1);
    clock(false);
  }
  timer = setTimeout(work, going?.pause ?? 0);
};
