// Watch: a run's champion, generation by generation, beside the optimum, with the run's curve.
import { CHOOSE, createMap, createScale } from "../canvas.js";
import { createChart } from "../curves.js";
import { make, styled } from "../dom.js";
import { genesText, percent, points, thousands } from "../numbers.js";
import { fetched } from "../shared.js";

const read = async (name) => (await fetched(`films/${name}`)).json();

/** `[{file, title}]`. */
const listFilms = () => read("index.json");

/** A film of a run, champions by generation with the figures of the run, packed as in films.py: its record, with `planes[n] = {holds, shades}` of the optimum (0) and of frame n - 1. */
async function openFilm(file) {
  const record = await read(file);
  const bytes = await inflated(record.maps);
  const size = record.target ** 2;
  const planes = [];
  for (let begin = 0; begin < bytes.length; begin += 2 * size) {
    if (begin) for (let n = begin; n < begin + 2 * size; n++) bytes[n] ^= bytes[n - 2 * size];
    planes.push({ holds: bytes.subarray(begin, begin + size), shades: bytes.subarray(begin + size, begin + 2 * size) });
  }
  return { ...record, planes, means: meansOf(record) };
}

/** The population's mean at each frame, where the run has recorded one. */
function meansOf({ curve, frames }) {
  const at = new Map(curve.generation.map((generation, n) => [generation, curve.mean[n]]));
  return frames.map(({ generation }) => at.get(generation) ?? null);
}

async function inflated(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** All parts by name; `all` are those to be put on the page, in their order. */
function watchParts(films) {
  const run = make("select", { id: "watch-run" }, ...films.map(({ file, title }) => make("option", { value: file }, title)));
  const name = make("p", { class: "soft game" });
  const code = make("code", {});
  const command = make("p", { class: "soft" }, "In a terminal with pigevo, this command evolves the same champions again: ", code);
  const chart = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  chart.setAttribute("class", "course");
  chart.setAttribute("role", "img");
  const short = make("input", { type: "checkbox", id: "watch-short" });
  const slider = make("input", { type: "range", id: "watch-frame", min: 0, step: 1, value: 0 });
  const button = (name, text, label) => make("button", { type: "button", id: `watch-${name}`, "aria-label": label }, text);
  const first = button("first", "❙◀", "First generation");
  const back = button("back", "◀", "Step back");
  const play = make("button", { type: "button", id: "watch-play", class: "first" }, "Play");
  const on = button("on", "▶", "Step forward");
  const says = make("output", { id: "watch-says", class: "says number", for: "watch-frame" });
  const map = (name) => make("canvas", {
    id: `watch-${name}`, class: "heat", tabindex: 0, role: "application",
    "aria-label": `Map of the turn totals at which the ${name} first holds: own score across, opponent’s score up. ` +
      "The arrow keys go from one pair of scores to the next, ten with Shift.",
  });
  const champion = map("champion");
  const optimum = map("optimum");
  const title = make("h3", {});
  const pale = make("input", { type: "checkbox", id: "watch-pale", checked: true });
  const scale = make("canvas", { class: "scale", "aria-hidden": "true" });
  const pair = make("p", { id: "watch-pair", class: "number" }, CHOOSE);
  const all = [
    make("h2", {}, "Evolution, generation by generation"),
    make("div", { class: "row" }, make("label", { for: "watch-run" }, "Run"), run),
    name,
    make("div", { class: "controls" },
      make("div", { class: "row" }, first, back, play, on, says),
      make("label", { class: "unseen", for: "watch-frame" }, "Generation"), slider),
    make("div", { class: "card sheet" }, chart, legend(),
      make("label", { class: "check", for: "watch-short" }, short, make("span", {}, "Show the distance to the optimum on a logarithmic scale"))),
    make("div", { class: "pair" },
      make("figure", { class: "card" }, title, champion),
      make("figure", { class: "card" }, make("h3", {}, "The optimum"), optimum)),
    make("div", { class: "card" },
      make("p", {}, "Colour: the turn total at which it first holds, or wins."), scale,
      make("label", { class: "check", for: "watch-pale" }, pale, make("span", {}, "Fainter where play against the optimum seldom comes")),
      pair),
    command,
  ];
  return { all, run, name, command, code, chart, short, slider, first, back, play, on, says, champion, optimum, title, pale, scale, pair };
}

function legend() {
  const key = (kind, words) => make("li", {}, make("span", { class: `line ${kind}`, "aria-hidden": "true" }), make("span", {}, words));
  return make("ul", { class: "keys" },
    key("champion", "the champion against the optimum"), key("mean", "mean of the population"),
    key("range", "from its worst to its best"), key("optimum", "the optimum itself"));
}

const PAUSE = 300; // milliseconds for a frame

export async function mount(root, { announce }) {
  const [films] = await Promise.all([listFilms(), styled()]);
  const parts = watchParts(films);
  root.replaceChildren(...parts.all);
  const now = { film: null, file: "", n: 0, timer: 0, pair: null };
  const chart = createChart(parts.chart, (n) => go(n));
  const maps = [parts.champion, parts.optimum].map((canvas) => createMap(canvas, point));
  const scale = createScale(parts.scale);

  function go(n, { quiet = false } = {}) {
    const { film } = now;
    now.n = Math.min(Math.max(n, 0), film.frames.length - 1);
    const { generation, cube_size, overall } = film.frames[now.n];
    const mean = film.means[now.n];
    parts.slider.value = now.n;
    const wins = parts.short.checked ? `${points(0.5 - overall, 3)} less than the optimum` : `${percent(overall)} against the optimum`;
    const words = `Generation ${thousands(generation)}, ${genesText(cube_size)}: ${wins}`;
    parts.slider.setAttribute("aria-valuetext", words);
    parts.says.textContent = words;
    Object.assign(parts.says.dataset, { generation, overall, mean: mean ?? "" });
    parts.title.textContent = `The champion of generation ${thousands(generation)}`;
    for (const button of [parts.first, parts.back]) button.setAttribute("aria-disabled", String(now.n === 0));
    parts.on.setAttribute("aria-disabled", String(now.n === film.frames.length - 1)); // the keyboard stays on it
    chart.move(now.n);
    paint(0);
    if (now.pair) tell();
    if (!quiet) announce(words);
  }

  function paint(...which) {
    const { film, n } = now;
    const planes = [film.planes[n + 1], film.planes[0]];
    for (const map of which) maps[map].show(planes[map], film.target, film.shades, parts.pale.checked);
  }

  function tell() {
    const [i, j] = now.pair;
    const holds = (plane) => plane.holds[i * now.film.target + j];
    const [champion, optimum] = [holds(now.film.planes[now.n + 1]), holds(now.film.planes[0])];
    Object.assign(parts.pair.dataset, { i, j, champion, optimum });
    parts.pair.textContent = `Own score ${i}, opponent’s ${j}: the champion first holds at ${champion}, the optimum at ${optimum}.`;
    maps.forEach((map) => map.mark(i, j));
  }

  function point(i, j, done) {
    now.pair = [i, j];
    tell();
    if (done) announce(parts.pair.textContent);
  }

  function stop() {
    clearInterval(now.timer);
    now.timer = 0;
    parts.play.textContent = "Play";
  }

  function play() {
    if (now.timer) return stop();
    if (now.n === now.film.frames.length - 1) go(0, { quiet: true });
    parts.play.textContent = "Pause";
    now.timer = setInterval(() => {
      if (root.hidden) return stop();
      go(now.n + 1, { quiet: true });
      if (now.n === now.film.frames.length - 1) stop();
    }, PAUSE);
  }

  async function choose({ quiet = false } = {}) {
    stop();
    const file = parts.run.value;
    const film = await openFilm(file).catch((error) => {
      parts.run.value = now.file; // which is still shown
      throw error;
    });
    if (parts.run.value !== file) return;
    Object.assign(now, { film, file, n: 0, pair: null });
    const whole = film.command ? "" : `${film.title}. `; // a long title is cut in the list
    parts.name.textContent = `${whole}The game is ${film.game}.`;
    parts.code.textContent = film.command;
    parts.command.hidden = !film.command;
    parts.slider.max = film.frames.length - 1;
    parts.chart.setAttribute("aria-label", summaryOf(film));
    chart.show(film, 0);
    paint(1);
    scale.show(film.target);
    go(0, { quiet });
    parts.pair.textContent = CHOOSE;
    maps.forEach((map) => map.mark(null));
    parts.chart.dataset.ready = file;
  }

  const stepped = (n) => {
    stop();
    go(n);
  };
  parts.run.addEventListener("change", () => choose());
  parts.short.addEventListener("change", () => {
    chart.scale(parts.short.checked);
    go(now.n);
  });
  parts.pale.addEventListener("change", () => paint(0, 1));
  parts.slider.addEventListener("input", () => {
    stop();
    go(Number(parts.slider.value), { quiet: true });
  });
  parts.first.addEventListener("click", () => stepped(0));
  parts.back.addEventListener("click", () => stepped(now.n - 1));
  parts.on.addEventListener("click", () => stepped(now.n + 1));
  parts.play.addEventListener("click", play);
  await choose({ quiet: true });
}

/** A film's curve in words. */
function summaryOf({ frames }) {
  const best = frames.reduce((one, other) => (other.overall > one.overall ? other : one));
  const end = frames.at(-1);
  return `Curve: the champion wins ${percent(frames[0].overall, 1)} against the optimum at the start, at most ` +
    `${percent(best.overall)} (generation ${thousands(best.generation)}), and ${percent(end.overall)} in the end (generation ${thousands(end.generation)}).`;
}
