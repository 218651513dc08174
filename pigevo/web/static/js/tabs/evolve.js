// Evolve: the algorithm of 2016, live in the browser, beside random search and the optimum.
import { percent } from "../numbers.js";
import { styled } from "../look/sheet.js";
import { firstHolds } from "../look/states.js";
import { createMap, drawScale } from "../watch/map.js";
import { evolveChart } from "../evolve/chart.js";
import { evolveParts, settingsPanel } from "../evolve/frame.js";
import { holdsOf, rollOfGenome } from "../evolve/grid.js";
import { planOf } from "../evolve/loop.js";
import { addressOf, commandOf, planSettings, settingsOf } from "../evolve/settings.js";
import { whyCard } from "../evolve/why.js";

const RECORDED = 5; // generations between two records, as in the run's metrics.csv
const SEARCHED = 10;
const SLOW = 250; // milliseconds for a generation
const QUIET = 400;

export async function mount(root, shared) {
  const { engine: { game }, announce } = shared;
  const [optimum] = await Promise.all([shared.load("optimal"), styled()]);
  const why = whyCard();
  const panel = settingsPanel((settings) => {
    history.replaceState(null, "", addressOf(settings));
    begin(settings);
  });
  const parts = evolveParts(panel, why);
  root.replaceChildren(...parts.all);
  const chart = evolveChart(parts.chart);
  const maps = [parts.champion, parts.optimum].map((canvas) => createMap(canvas, point));
  const best = firstHolds(game, optimum);
  const workers = ["evolve", "search"].map(() => new Worker(new URL("../evolve/worker.js", import.meta.url), { type: "module" }));
  const now = { id: 0, plan: null, records: [], search: [], before: [], champion: null, goes: false, pair: null, searched: "", drawn: 0 };
  const first = new Set();

  /** Send a message to a worker; the optimum goes with the first. */
  function send(worker, message) {
    worker.postMessage({ ...message, optimum: first.has(worker) ? null : optimum });
    first.add(worker);
  }

  function begin(settings, { go = true } = {}) {
    const wanted = planSettings(settings, game.target);
    if (now.records.length > 1) now.before = now.records.map((one) => [one.generation, one.mean]);
    Object.assign(now, { id: now.id + 1, plan: planOf(wanted), records: [], champion: null, goes: false });
    send(workers[0], { id: now.id, start: wanted });
    const { mutation, ...searching } = wanted; // random search mutates nothing
    const key = JSON.stringify(searching);
    if (key !== now.searched) {
      Object.assign(now, { searched: key, search: [], searchId: now.id });
      send(workers[1], { id: now.id, search: { ...searching, mutation }, every: SEARCHED });
    }
    parts.command.textContent = commandOf(settings);
    parts.link.href = addressOf(settings);
    why.show(now.plan, 0);
    set(go);
  }

  /** Let the run go on, or stop it. */
  function set(goes) {
    const { records, plan } = now;
    if (goes && records.at(-1)?.done) return begin(panel.get());
    now.goes = goes;
    const pause = parts.slow.checked ? SLOW : 0;
    send(workers[0], goes ? { go: true, pause, every: pause ? 1 : RECORDED } : { stop: true });
    parts.play.textContent = goes ? "Pause" : records.length > 1 ? "Go on" : "Run";
    if (!goes && plan) parts.chart.setAttribute("aria-label", summary());
  }

  workers[0].onmessage = ({ data }) => {
    if (data.id !== now.id) return;
    now.records.push(data);
    if (data.champion) now.champion = data;
    if (data.done) {
      set(false);
      parts.play.textContent = "Again";
      if (!root.hidden) announce(summary());
    }
    later();
  };
  workers[1].onmessage = ({ data }) => {
    if (data.id !== now.searchId) return;
    now.search.push([data.generation, data.overall]);
    later();
  };
  for (const worker of workers) worker.onerror = () => (parts.says.textContent = "Evolution could not be started in this browser.");

  /** Draw with the next picture of the screen, once for all that has come until then. */
  function later() {
    now.drawn ||= requestAnimationFrame(() => {
      now.drawn = 0;
      draw();
    });
  }

  const searchedSoFar = () => now.search.filter(([generation]) => generation <= (now.records.at(-1)?.generation ?? 0)).at(-1)?.[1] ?? null;

  function draw() {
    const { plan, records, search, before, champion } = now;
    const one = records.at(-1);
    if (!one) return;
    chart.show({ generations: plan.generations, ends: plan.ends, sizes: plan.sizes, records, search, before });
    const random = searchedSoFar();
    parts.says.textContent = `Generation ${one.generation}: ${percent(one.mean)} for the population${random === null ? "" : `, ${percent(random)} for random search`}`;
    Object.assign(parts.says.dataset, { generation: one.generation, mean: one.mean, best: one.best, random: random ?? "", champion: champion?.champion.overall ?? "", done: one.done });
    parts.speed.textContent = `${one.evaluations.toLocaleString("en")} strategies, ${one.games.toLocaleString("en")} games` +
      `${one.speed ? `, ${one.speed.toFixed(0)} generations a second` : ""}`;
    if (one.speed) parts.speed.dataset.speed = one.speed;
    parts.step.setAttribute("aria-disabled", String(one.done)); // the keyboard stays on it
    why.show(plan, one.wave, one.spread);
    if (champion) paint(champion);
  }

  function paint({ generation, wave, champion: { genome, overall } }) {
    if (parts.champion.dataset.of !== `${now.id} ${generation}`) {
      now.holds = holdsOf(now.plan.grids[wave], genome);
      maps[0].show({ holds: now.holds }, game.target, 0, false);
      parts.champion.dataset.of = `${now.id} ${generation}`;
      parts.title.textContent = `The champion of generation ${generation}: ${percent(overall)}`;
      if (now.pair) tell();
    }
  }

  function tell() {
    const [i, j] = now.pair;
    const at = i * game.target + j;
    Object.assign(parts.pair.dataset, { i, j, champion: now.holds[at], optimum: best[at] });
    parts.pair.textContent = `Own score ${i}, opponent\u2019s ${j}: the champion first holds at ${now.holds[at]}, the optimum at ${best[at]}.`;
    maps.forEach((map) => map.mark(i, j));
  }

  function point(i, j, done) {
    if (!now.holds) return;
    now.pair = [i, j];
    tell();
    if (done) announce(parts.pair.textContent);
  }

  function summary() {
    const { records, champion } = now;
    if (!records.length) return "Curve of the run.";
    const [start, end] = [records[0], records.at(-1)];
    const top = records.reduce((one, other) => (other.mean > one.mean ? other : one));
    const random = searchedSoFar();
    return `The population wins ${percent(start.mean)} against the optimum at the start, at most ${percent(top.mean)} in generation ${top.generation}, ` +
      `and ${percent(end.mean)} in generation ${end.generation}${champion ? `, its champion ${percent(champion.champion.overall)}` : ""}${random === null ? "" : `; random search ${percent(random)}`}.`;
  }

  function challenge() {
    const { champion: { generation, wave, champion }, plan } = now;
    const entry = { id: "evolved", own: true, source: parts.command.textContent, title: "Your evolved champion", sentence: `The champion of generation ${generation} of your run.` };
    shared.keep(entry, rollOfGenome(plan.grids[wave], champion.genome));
    location.hash = "play";
  }

  parts.play.addEventListener("click", () => set(!now.goes));
  parts.step.addEventListener("click", () => {
    if (now.goes) set(false);
    if (now.records.at(-1)?.done) return;
    send(workers[0], { step: true });
    setTimeout(() => announce(parts.says.textContent), QUIET);
  });
  parts.again.addEventListener("click", () => begin(panel.get(), { go: false }));
  parts.slow.addEventListener("change", () => now.goes && set(true));
  parts.challenge.addEventListener("click", challenge);
  const settings = settingsOf(location.search);
  panel.set(settings);
  maps[1].show({ holds: best }, game.target, 0, false);
  drawScale(parts.scale, game.target);
  begin(settings, { go: !matchMedia("(prefers-reduced-motion: reduce)").matches });
}
