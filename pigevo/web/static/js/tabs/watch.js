// Watch: a run's champion, generation by generation, beside the optimum, with the run's curve.
import { genesText, percent, points, thousands } from "../numbers.js";
import { styled } from "../dom.js";
import { createChart } from "../curves.js";
import { listFilms, openFilm } from "../watch/film.js";
import { watchParts } from "../watch/frame.js";
import { CHOOSE, createMap, createScale } from "../canvas.js";

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
    parts.name.textContent = film.title; // a long one is cut in the list
    parts.code.textContent = film.command;
    parts.name.hidden = Boolean(film.command);
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
