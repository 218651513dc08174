// Evolve: the algorithm of 2016, live in the browser, beside random search and the optimum.
import { strangeIn } from "../address.js";
import { CHOOSE, createMap, createScale } from "../canvas.js";
import { evolveChart } from "../curves.js";
import { make, styled, table } from "../dom.js";
import { firstHolds } from "../engine.js";
import { holdsOf, rollOfGenome } from "../evolve/grid.js";
import { planOf } from "../evolve/loop.js";
import { addressAfter, addressOf, commandOf, flipsOf, planSettings, settingsOf, settingsPanel, wrongIn } from "../evolve/settings.js";
import { counted, percent, points, thousands } from "../numbers.js";

const FEW = 1; // expected flips of a child: below, most children have none
const MANY = 5; // from here on luck hid what they spoil in all runs that were tried
const UNSEEN = "A wave is a stretch of generations with cubes of one size. When the run comes to it, this says what the flips do there.";

/** A number of flips as people write it. */
const flipsText = (flips) => (flips >= 100 ? flips.toFixed(0) : String(Number(flips.toPrecision(3))));

/** The uncertainty of a match: the standard deviation of the share of games won. */
const blurOf = ({ games }) => 0.5 / Math.sqrt(games);

/** The flips of a wave and what becomes of them, in sentences; how far the line then goes is for the run to say. */
export function waveSentence(plan, wave) {
  const { mutation, games, exact } = plan;
  const stay = plan.replacement !== "offspring";
  const { size, genes, flips, untouched } = flipsOf(plan)[wave];
  if (mutation === 0) return `Cubes of ${size}: at a rate of 0 nothing flips; children only mix what their parents have, and soon all members are alike.`;
  const count = `Cubes of ${size}: ${counted(genes, "gene")} \u00d7 ${mutation} = ${flipsText(flips)} ${flips === 1 ? "flip" : "flips"} in a child.`;
  if (flips < FEW) return `${count} ${percent(untouched)} of the children have none: little is spoilt.`;
  const harm = `${count} Most flips make play a little worse`;
  if (exact && stay) return `${harm}, but selection sees exactly who plays better, and parents stay: the best strategy is never lost.`;
  if (exact) return `${harm}. Selection sees exactly who plays better, but parents do not stay: what flips spoil in all children is lost.`;
  if (stay) return `${harm}. Parents stay, so that a good strategy is lost only when a match is luck.`;
  if (flips < MANY) return `${harm}; selection repairs a part of that.`;
  return `${harm}, and a match of ${thousands(games)} games is uncertain by \u00b1${points(blurOf(plan), 1)}: luck hides what they spoil from selection.`;
}

/** The course of the line in a wave of this run, from its figures so far. */
export function courseSentence({ ends }, records, wave) {
  const within = records.filter(({ generation }) => generation >= (ends[wave - 1] ?? 0) && generation <= ends[wave]);
  if (within.length < 2) return "";
  const [start, end] = [within[0], within.at(-1)];
  const top = within.reduce((best, one) => (one.mean > best.mean ? one : best));
  const most = percent(top.mean);
  const between = [start, end].some((one) => percent(one.mean) === most) ? "" : `, with at most ${most} in generation ${thousands(top.generation)}`;
  return ` In this run the line goes from ${percent(start.mean)} in generation ${thousands(start.generation)} to ${percent(end.mean)} in generation ${thousands(end.generation)}${between}.`;
}

/** The explanation of the curve in the waves that a run has reached: how many genes of a child flip, and how much of that selection can see, with all waves in a table and the present spread of the population: `{element, show(plan, reached, spread, records)}`. */
function whyCard() {
  const sentences = make("div", { id: "evolve-why" });
  const rows = make("div", {});
  const live = make("p", { id: "evolve-spread", class: "soft number" }, "\u00a0");
  let shown = null; // the plan

  function show(plan, reached, spread, records = []) {
    if (shown !== plan)
      rows.replaceChildren(table("Flips of a child in each wave", ["cubes of", "genes", "flips a\u00a0child", "no flip"],
        flipsOf(plan).map(({ size, genes, flips, untouched }) => [String(size), thousands(genes), flipsText(flips), percent(untouched)])));
    shown = plan;
    const said = plan.sizes.slice(0, reached).map((_, wave) => waveSentence(plan, wave) + courseSentence(plan, records, wave));
    sentences.replaceChildren(...(reached ? said : [UNSEEN]).map((text) => make("p", {}, text)));
    rows.querySelectorAll("tbody tr").forEach((row, n) => (n === reached - 1 ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current")));
    live.textContent = spread === undefined ? "\u00a0" : `Members now differ by \u00b1${points(spread, 1)}${plan.exact ? "" : `; a match is uncertain by \u00b1${points(blurOf(plan), 1)}`}.`;
  }

  return { element: make("div", { class: "card why" }, make("h3", {}, "Why the line moves as it does"), sentences, rows, live), show };
}

/** All parts by name; `all` are the elements of the page, in their order. */
function evolveParts(panel, why) {
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

const RECORD_EVERY = 5; // generations, as in the run's metrics.csv
const SEARCH_EVERY = 10; // generations, between two figures of random search, beside those in which the run rests
const SLOW_PAUSE = 250; // milliseconds after each generation

export async function mount(root, shared) {
  const { engine: { game }, announce } = shared;
  const [optimum] = await Promise.all([shared.load("optimal"), styled()]);
  const why = whyCard();
  const panel = settingsPanel((settings) => {
    parts.wrong.hidden = true; // it was about the address before
    const address = addressAfter(location.search, settings);
    if (address) history.replaceState(null, "", address);
    begin(settings);
  });
  const parts = evolveParts(panel, why);
  root.replaceChildren(...parts.all);
  const chart = evolveChart(parts.chart);
  const maps = [parts.champion, parts.optimum].map((canvas) => createMap(canvas, choosePair));
  const scale = createScale(parts.scale);
  const optimumHolds = firstHolds(game, optimum);
  const run = { plan: null, records: [], search: [], previousMeans: [], champion: null, running: false, stepped: false, pair: null, searchKey: "", frame: 0 };
  let evolving = null; // workers
  let searching = null;

  /** A new worker in the place of one that may be busy with what nobody wants any more. */
  function workerFor(before, message, heard) {
    if (before) before.onmessage = null;
    before?.terminate();
    const worker = new Worker(new URL("../evolve/worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => heard(data);
    worker.onerror = () => (parts.says.textContent = "Evolution could not be started in this browser.");
    worker.postMessage({ ...message, optimum });
    return worker;
  }

  function begin(settings, { go = true } = {}) {
    const planned = planSettings(settings, game.target);
    if (run.records.length > 1) run.previousMeans = run.records.map(({ generation, mean }) => [generation, mean]);
    Object.assign(run, { plan: planOf(planned), records: [], champion: null, holds: null, running: false, stepped: false });
    evolving = workerFor(evolving, { start: planned }, evolved);
    const { mutation, ...others } = planned; // random search mutates nothing
    const key = JSON.stringify(others);
    if (key !== run.searchKey) {
      Object.assign(run, { searchKey: key, search: [] });
      searching = workerFor(searching, { search: planned, every: SEARCH_EVERY }, searched);
    }
    parts.command.textContent = commandOf(settings);
    parts.link.href = addressOf(settings);
    clear();
    setRunning(go);
  }

  /** Take away all figures of the run before. */
  function clear() {
    parts.says.textContent = "Judging generation 0\u00a0...";
    for (const name of Object.keys(parts.says.dataset)) delete parts.says.dataset[name];
    parts.speed.textContent = "\u00a0";
    parts.title.textContent = "The champion";
    parts.challenge.setAttribute("aria-disabled", "true"); // until there is one
    delete parts.champion.dataset.of;
    maps[0].clear();
    parts.pair.textContent = CHOOSE;
    why.show(run.plan, 0); // nothing has been seen yet
    drawChart();
  }

  /** Let the run go on, or stop it. */
  function setRunning(running) {
    const { records, plan } = run;
    if (running && records.at(-1)?.done) return begin(panel.get());
    run.running = running;
    if (!running && records.length) searching.postMessage({ at: records.at(-1).generation });
    const pause = parts.slow.checked ? SLOW_PAUSE : 0;
    evolving.postMessage(running ? { go: true, pause, every: pause ? 1 : RECORD_EVERY } : { stop: true });
    parts.play.textContent = running ? "Pause" : records.length > 1 ? "Go on" : "Run";
    if (!running && plan) parts.chart.setAttribute("aria-label", summary());
  }

  /** Take a generation's figures, or its champion, which follows them; the run is done with its last champion. */
  function evolved(data) {
    const { records } = run;
    if (data.champion) {
      run.champion = data;
      Object.assign(records.at(-1), data, { done: records.at(-1).last });
    } else {
      records.push({ ...data, done: false });
      if (data.awaited) searching.postMessage({ at: data.generation }); // where the champion is sought, its rival is
    }
    if (records.at(-1).done) {
      setRunning(false);
      parts.play.textContent = "Again";
      if (!root.hidden) announce(summary());
    }
    drawSoon();
  }

  function searched({ generation, overall, strategies }) {
    run.search = [...run.search, [generation, overall, strategies]].sort(([a], [b]) => a - b);
    if (!run.running) parts.chart.setAttribute("aria-label", summary());
    drawSoon();
  }

  /** Draw before the next repaint of the screen, once for all messages until then. */
  function drawSoon() {
    run.frame ||= requestAnimationFrame(() => {
      run.frame = 0;
      draw();
    });
  }

  /** The last figure of random search that the run has come to: `{value, fair, words}`, fair where it has as many strategies as the run; null before the first. */
  function searchSoFar() {
    const { generation, evaluations } = run.records.at(-1);
    const [, value, strategies] = run.search.findLast(([at]) => at <= generation) ?? [];
    if (value === undefined) return null;
    const fair = strategies === evaluations;
    return { value, fair, words: `${percent(value)} for random search${fair ? "" : ` with ${thousands(strategies)} strategies`}` };
  }

  function draw() {
    const { plan, records, champion } = run;
    const latest = records.at(-1);
    if (!latest) return;
    drawChart();
    const random = searchSoFar();
    parts.says.textContent = `Generation ${thousands(latest.generation)}: ${percent(latest.mean)} for the population${random ? `, ${random.words}` : ""}`;
    Object.assign(parts.says.dataset, { generation: latest.generation, mean: latest.mean, best: latest.best, random: random?.fair ? random.value : "", champion: champion?.champion.overall ?? "", done: latest.done });
    parts.speed.textContent = `${thousands(latest.evaluations)} strategies, ${thousands(latest.games)} games` +
      `${latest.speed ? `, ${latest.speed.toFixed(0)} generations a second` : ""}`;
    if (latest.speed) parts.speed.dataset.speed = latest.speed;
    parts.step.setAttribute("aria-disabled", String(latest.done)); // the keyboard stays on it
    why.show(plan, latest.generation ? latest.wave + 1 : 0, latest.spread, records);
    if (champion) showChampion(champion);
    if (latest.awaited && !latest.champion) parts.title.textContent = `Finding the champion of generation ${thousands(latest.generation)}\u00a0...`;
    if (run.stepped && !root.hidden) announce(parts.says.textContent);
    run.stepped = false;
  }

  function drawChart() {
    const { plan: { generations, ends, sizes }, records, search, previousMeans } = run;
    chart.show({ generations, ends, sizes, records, search, before: previousMeans });
    parts.before.hidden = !previousMeans.length;
  }

  function showChampion({ generation, wave, champion: { genome, overall } }) {
    parts.title.textContent = `The champion of generation ${thousands(generation)}: ${percent(overall)}`;
    parts.challenge.setAttribute("aria-disabled", "false");
    if (parts.champion.dataset.of === String(generation)) return;
    run.holds = holdsOf(run.plan.grids[wave], genome);
    maps[0].show({ holds: run.holds }, game.target, 0, false);
    parts.champion.dataset.of = generation;
    if (run.pair) describePair();
  }

  function describePair() {
    const [i, j] = run.pair;
    const at = i * game.target + j;
    Object.assign(parts.pair.dataset, { i, j, champion: run.holds[at], optimum: optimumHolds[at] });
    parts.pair.textContent = `Own score ${i}, opponent\u2019s ${j}: the champion first holds at ${run.holds[at]}, the optimum at ${optimumHolds[at]}.`;
    maps.forEach((map) => map.mark(i, j));
  }

  function choosePair(i, j, done) {
    if (!run.holds) return;
    run.pair = [i, j];
    describePair();
    if (done) announce(parts.pair.textContent);
  }

  function summary() {
    const { records, champion } = run;
    if (!records.length) return "Curve of the run.";
    const [start, end] = [records[0], records.at(-1)];
    const top = records.reduce((best, record) => (record.mean > best.mean ? record : best));
    const random = searchSoFar();
    return `The population wins ${percent(start.mean)} against the optimum at the start, at most ${percent(top.mean)} in generation ${thousands(top.generation)}, ` +
      `and ${percent(end.mean)} in generation ${thousands(end.generation)}${champion ? `, its champion ${percent(champion.champion.overall)}` : ""}${random ? `; ${random.words}` : ""}.`;
  }

  function challenge() {
    if (!run.champion) return; // nobody has been crowned yet
    const { champion: { generation, wave, champion }, plan } = run;
    const entry = { id: "evolved", own: true, source: parts.command.textContent, title: "Your evolved champion", sentence: `The champion of generation ${thousands(generation)} of your run.` };
    shared.keep(entry, rollOfGenome(plan.grids[wave], champion.genome));
    location.hash = "play";
  }

  parts.play.addEventListener("click", () => {
    setRunning(!run.running);
    if (run.running) parts.chart.scrollIntoView({ block: "nearest" }); // on a phone it begins below what is seen
  });
  parts.step.addEventListener("click", () => {
    if (run.running) setRunning(false);
    if (run.records.at(-1)?.done) return;
    parts.says.textContent = `Judging generation ${thousands((run.records.at(-1)?.generation ?? 0) + 1)}\u00a0...`;
    run.stepped = true;
    evolving.postMessage({ step: true });
  });
  parts.again.addEventListener("click", () => begin(panel.get(), { go: false }));
  parts.slow.addEventListener("change", () => run.running && setRunning(true));
  parts.challenge.addEventListener("click", challenge);
  const settings = settingsOf(location.search);
  panel.set(settings);
  const linked = new URLSearchParams(location.search).has("evolve");
  parts.wrong.textContent = [wrongIn(location.search, settings), linked && strangeIn(location.search, Object.keys(settings))].filter(Boolean).join(" ");
  parts.wrong.hidden = !parts.wrong.textContent;
  maps[1].show({ holds: optimumHolds }, game.target, 0, false);
  scale.show(game.target);
  begin(settings, { go: linked && !matchMedia("(prefers-reduced-motion: reduce)").matches });
}
