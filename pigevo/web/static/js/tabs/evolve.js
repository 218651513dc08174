// Evolve: the algorithm of 2016, live in the browser, beside random search and the optimum.
import { percent } from "../numbers.js";
import { styled } from "../look/sheet.js";
import { firstHolds } from "../look/states.js";
import { createMap, createScale } from "../watch/map.js";
import { evolveChart } from "../evolve/chart.js";
import { evolveParts, settingsPanel } from "../evolve/frame.js";
import { holdsOf, rollOfGenome } from "../evolve/grid.js";
import { planOf } from "../evolve/loop.js";
import { addressOf, commandOf, planSettings, settingsOf } from "../evolve/settings.js";
import { whyCard } from "../evolve/why.js";

const RECORD_EVERY = 5; // generations, as in the run's metrics.csv
const SEARCH_EVERY = 10; // generations, between two figures of random search
const SLOW_PAUSE = 250; // milliseconds after each generation
const ANNOUNCE_DELAY = 400; // milliseconds until a step has been computed, for screen readers

export async function mount(root, shared) {
  const { engine: { game }, announce } = shared;
  const [optimum] = await Promise.all([shared.load("optimal"), styled()]);
  const why = whyCard();
  const panel = settingsPanel((settings) => {
    const daily = new URLSearchParams(location.search).has("daily") ? "&daily" : ""; // the game of the day goes on when the page is loaded again
    history.replaceState(null, "", addressOf(settings) + daily);
    begin(settings);
  });
  const parts = evolveParts(panel, why);
  root.replaceChildren(...parts.all);
  const chart = evolveChart(parts.chart);
  const maps = [parts.champion, parts.optimum].map((canvas) => createMap(canvas, choosePair));
  const scale = createScale(parts.scale);
  const optimumHolds = firstHolds(game, optimum);
  const workers = ["evolve", "search"].map(() => new Worker(new URL("../evolve/worker.js", import.meta.url), { type: "module" }));
  const run = { id: 0, plan: null, records: [], search: [], previousMeans: [], champion: null, running: false, pair: null, searchKey: "", frame: 0 };
  const haveOptimum = new Set(); // workers

  /** Send a message to a worker; the optimum goes with the first. */
  function send(worker, message) {
    worker.postMessage({ ...message, optimum: haveOptimum.has(worker) ? null : optimum });
    haveOptimum.add(worker);
  }

  function begin(settings, { go = true } = {}) {
    const planned = planSettings(settings, game.target);
    if (run.records.length > 1) run.previousMeans = run.records.map(({ generation, mean }) => [generation, mean]);
    Object.assign(run, { id: run.id + 1, plan: planOf(planned), records: [], champion: null, running: false });
    send(workers[0], { id: run.id, start: planned });
    const { mutation, ...searching } = planned; // random search mutates nothing
    const key = JSON.stringify(searching);
    if (key !== run.searchKey) {
      Object.assign(run, { searchKey: key, search: [], searchId: run.id });
      send(workers[1], { id: run.id, search: { ...searching, mutation }, every: SEARCH_EVERY });
    }
    parts.command.textContent = commandOf(settings);
    parts.link.href = addressOf(settings);
    why.show(run.plan, 0); // nothing has been seen yet
    setRunning(go);
  }

  /** Let the run go on, or stop it. */
  function setRunning(running) {
    const { records, plan } = run;
    if (running && records.at(-1)?.done) return begin(panel.get());
    run.running = running;
    const pause = parts.slow.checked ? SLOW_PAUSE : 0;
    send(workers[0], running ? { go: true, pause, every: pause ? 1 : RECORD_EVERY } : { stop: true });
    parts.play.textContent = running ? "Pause" : records.length > 1 ? "Go on" : "Run";
    if (!running && plan) parts.chart.setAttribute("aria-label", summary());
  }

  workers[0].onmessage = ({ data }) => {
    if (data.id !== run.id) return;
    run.records.push(data);
    if (data.champion) run.champion = data;
    if (data.done) {
      setRunning(false);
      parts.play.textContent = "Again";
      if (!root.hidden) announce(summary());
    }
    drawSoon();
  };
  workers[1].onmessage = ({ data }) => {
    if (data.id !== run.searchId) return;
    run.search.push([data.generation, data.overall]);
    drawSoon();
  };
  for (const worker of workers) worker.onerror = () => (parts.says.textContent = "Evolution could not be started in this browser.");

  /** Draw before the next repaint of the screen, once for all messages until then. */
  function drawSoon() {
    run.frame ||= requestAnimationFrame(() => {
      run.frame = 0;
      draw();
    });
  }

  const searchSoFar = () => run.search.filter(([generation]) => generation <= (run.records.at(-1)?.generation ?? 0)).at(-1)?.[1] ?? null;

  function draw() {
    const { plan, records, search, previousMeans, champion } = run;
    const latest = records.at(-1);
    if (!latest) return;
    chart.show({ generations: plan.generations, ends: plan.ends, sizes: plan.sizes, records, search, before: previousMeans });
    const random = searchSoFar();
    parts.says.textContent = `Generation ${latest.generation}: ${percent(latest.mean, 1)} for the population${random === null ? "" : `, ${percent(random, 1)} for random search`}`;
    Object.assign(parts.says.dataset, { generation: latest.generation, mean: latest.mean, best: latest.best, random: random ?? "", champion: champion?.champion.overall ?? "", done: latest.done });
    parts.speed.textContent = `${latest.evaluations.toLocaleString("en")} strategies, ${latest.games.toLocaleString("en")} games` +
      `${latest.speed ? `, ${latest.speed.toFixed(0)} generations a second` : ""}`;
    if (latest.speed) parts.speed.dataset.speed = latest.speed;
    parts.step.setAttribute("aria-disabled", String(latest.done)); // the keyboard stays on it
    why.show(plan, latest.generation ? latest.wave + 1 : 0, latest.spread);
    if (champion) showChampion(champion);
  }

  function showChampion({ generation, wave, champion: { genome, overall } }) {
    if (parts.champion.dataset.of !== `${run.id} ${generation}`) {
      run.holds = holdsOf(run.plan.grids[wave], genome);
      maps[0].show({ holds: run.holds }, game.target, 0, false);
      parts.champion.dataset.of = `${run.id} ${generation}`;
      parts.title.textContent = `The champion of generation ${generation}: ${percent(overall, 1)}`;
      if (run.pair) describePair();
    }
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
    return `The population wins ${percent(start.mean, 1)} against the optimum at the start, at most ${percent(top.mean, 1)} in generation ${top.generation}, ` +
      `and ${percent(end.mean, 1)} in generation ${end.generation}${champion ? `, its champion ${percent(champion.champion.overall, 1)}` : ""}${random === null ? "" : `; random search ${percent(random, 1)}`}.`;
  }

  function challenge() {
    if (!run.champion) return; // nobody has been crowned yet
    const { champion: { generation, wave, champion }, plan } = run;
    const entry = { id: "evolved", own: true, source: parts.command.textContent, title: "Your evolved champion", sentence: `The champion of generation ${generation} of your run.` };
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
    send(workers[0], { step: true });
    setTimeout(() => announce(parts.says.textContent), ANNOUNCE_DELAY);
  });
  parts.again.addEventListener("click", () => begin(panel.get(), { go: false }));
  parts.slow.addEventListener("change", () => run.running && setRunning(true));
  parts.challenge.addEventListener("click", challenge);
  const settings = settingsOf(location.search);
  panel.set(settings);
  maps[1].show({ holds: optimumHolds }, game.target, 0, false);
  scale.show(game.target);
  const linked = new URLSearchParams(location.search).has("evolve");
  begin(settings, { go: linked && !matchMedia("(prefers-reduced-motion: reduce)").matches });
}
