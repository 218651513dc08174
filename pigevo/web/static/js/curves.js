// The curves of runs, champion and population against the optimum: of a film, and of a run in the page.
import { draw } from "./dom.js";
import { thousands } from "./numbers.js";

const SPACE = "http://www.w3.org/2000/svg";
const FILM_HEIGHT = 300;
const FILM_EDGE = { left: 62, right: 16, top: 14, below: 50 };
const MISSING = [0.5, 0.1, 0.01, 0.001, 0.0001]; // shares of the logarithmic scale, from below
const TICKS = [0, 10, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10000, 20000, 50000, 100000];

/** The curve of a film in an SVG element, by generation on a square-root scale; `picked(n)` is called with the frame that was clicked. */
export function createChart(svg, picked) {
  let film = null;
  let cursor = null;
  let width = 0;
  let missing = false;
  const top = () => (missing ? FILM_EDGE.top + 20 : FILM_EDGE.top); // below the unit
  const inside = () => width - FILM_EDGE.left - FILM_EDGE.right;
  const last = () => film.curve.generation.at(-1) || 1;
  const x = (generation) => FILM_EDGE.left + inside() * Math.sqrt(generation / last());
  const y = (share) => top() + (FILM_HEIGHT - top() - FILM_EDGE.below) * (1 - (missing ? near(share) : share / highest()));
  const highest = () => Math.max(0.55, ...film.curve.best.map((share) => share + 0.02));

  /** How near to the optimum a share is: 0 at half missing, 1 at the last of the scale and above. */
  function near(share) {
    const along = Math.log(MISSING[0] / Math.max(0.5 - share, MISSING.at(-1))) / Math.log(MISSING[0] / MISSING.at(-1));
    return Math.min(Math.max(along, 0), 1);
  }

  function draw(n = cursor?.n ?? 0) {
    width = svg.clientWidth;
    if (!film || !width) return;
    svg.setAttribute("viewBox", `0 0 ${width} ${FILM_HEIGHT}`);
    svg.replaceChildren();
    const { curve, frames } = film;
    frameAndTicks();
    const there = curve.generation.map((generation, at) => [generation, curve.best[at], curve.worst[at], curve.mean[at]]);
    const up = there.map(([generation, best]) => `${x(generation)},${y(best)}`);
    const down = there.map(([generation, , worst]) => `${x(generation)},${y(worst)}`).reverse();
    add("polygon", { points: [...up, ...down].join(" "), class: "range" });
    add("polyline", { points: there.map(([g, , , mean]) => `${x(g)},${y(mean)}`).join(" "), class: "mean" });
    add("polyline", { points: frames.map((one) => `${x(one.generation)},${y(one.overall)}`).join(" "), class: "champion" });
    cursor = { n, line: add("line", { class: "now" }), spot: add("circle", { r: 7, class: "spot" }) };
    move(n);
  }

  function frameAndTicks() {
    const below = FILM_HEIGHT - FILM_EDGE.below;
    for (const [share, text] of missing ? MISSING.map(short) : shares()) {
      add("line", { x1: FILM_EDGE.left, x2: width - FILM_EDGE.right, y1: y(share), y2: y(share), class: "grid" });
      write(text, FILM_EDGE.left - 8, y(share) + 4, "end");
    }
    if (missing) write("percentage points less than the optimum", 0, FILM_EDGE.top, "start");
    else add("line", { x1: FILM_EDGE.left, x2: width - FILM_EDGE.right, y1: y(0.5), y2: y(0.5), class: "optimum" });
    let free = -Infinity;
    const ticks = last() < TICKS[1] ? [0, last()] : TICKS.filter((one) => one <= last());
    for (const tick of ticks) {
      if (x(tick) < free) continue;
      free = x(tick) + 44;
      write(thousands(tick), x(tick), below + 18, "middle");
    }
    changes().forEach((generation) =>
      add("line", { x1: x(generation), x2: x(generation), y1: FILM_EDGE.top, y2: below, class: "wave" }));
    write("generation (square-root scale)", width / 2, FILM_HEIGHT - 8, "middle", "title");
  }

  const short = (part) => [0.5 - part, String(Number((100 * part).toPrecision(1)))];
  const shares = () => Array.from({ length: Math.ceil(10 * highest()) }, (_, n) => [n / 10, `${10 * n} %`]);

  /** The generations after which cubes are smaller. */
  const changes = () =>
    film.frames.filter((one, n) => n && one.cube_size !== film.frames[n - 1].cube_size).map((one) => {
      const before = film.frames[film.frames.indexOf(one) - 1];
      return before.generation;
    });

  function move(n) {
    if (!cursor) return;
    const one = film.frames[n];
    cursor.n = n;
    set(cursor.line, { x1: x(one.generation), x2: x(one.generation), y1: FILM_EDGE.top, y2: FILM_HEIGHT - FILM_EDGE.below });
    set(cursor.spot, { cx: x(one.generation), cy: y(one.overall) });
  }

  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const add = (name, attributes) => svg.appendChild(set(document.createElementNS(SPACE, name), attributes));
  const write = (text, left, top, anchor, kind = "tick") =>
    (add("text", { x: left, y: top, "text-anchor": anchor, class: kind }).textContent = text);

  svg.addEventListener("click", (event) => {
    const away = film.frames.map((one) => Math.abs(x(one.generation) - (event.clientX - svg.getBoundingClientRect().left)));
    picked(away.indexOf(Math.min(...away)));
  });
  new ResizeObserver(() => draw()).observe(svg);

  return {
    show(shown, n) {
      film = shown;
      draw(n);
    },
    scale(logarithmic) {
      missing = logarithmic;
      draw();
    },
    move,
  };
}

const RUN_HEIGHT = 250;
const RUN_EDGE = { left: 44, right: 12, top: 22, below: 40 };
const HIGHEST = 0.55;

/** The curve of a run in the page, beside random search, in an SVG element: `show({generations, ends, sizes, records, search, before})` draws all anew. */
export function evolveChart(svg) {
  let shown = null;

  function paint() {
    const width = svg.clientWidth;
    if (!shown || !width) return;
    const { generations, ends, sizes, records, search, before } = shown;
    const below = RUN_HEIGHT - RUN_EDGE.below;
    const x = (generation) => RUN_EDGE.left + ((width - RUN_EDGE.left - RUN_EDGE.right) * generation) / generations;
    const y = (share) => RUN_EDGE.top + (below - RUN_EDGE.top) * (1 - share / HIGHEST);
    const line = (points, kind) => draw("polyline", { points: points.map(([g, share]) => `${x(g).toFixed(1)},${y(share).toFixed(1)}`).join(" "), class: kind });
    const across = (share, kind) => draw("line", { x1: RUN_EDGE.left, x2: width - RUN_EDGE.right, y1: y(share), y2: y(share), class: kind });
    const text = (words, left, top, anchor, kind = "tick") => draw("text", { x: left, y: top, "text-anchor": anchor, class: kind }, String(words));
    const now = records.at(-1)?.generation ?? 0;
    const known = search.filter(([generation]) => generation <= now);
    const least = width < 500 ? 60 : 45;
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((one) => x(one) - x(0) >= least) ?? generations;
    const ticks = Array.from({ length: Math.floor(generations / step) + 1 }, (_, n) => n * step);

    svg.setAttribute("viewBox", `0 0 ${width} ${RUN_HEIGHT}`);
    svg.replaceChildren(
      ...[0, 0.1, 0.2, 0.3, 0.4, 0.5].flatMap((share) => [across(share, share === 0.5 ? "optimum" : "grid"), text(`${100 * share} %`, RUN_EDGE.left - 6, y(share) + 4, "end")]),
      ...ticks.map((generation) => text(thousands(generation), x(generation), below + 16, "middle")),
      text("generation", (RUN_EDGE.left + width - RUN_EDGE.right) / 2, RUN_HEIGHT - 6, "middle", "title"),
      ...ends.slice(0, -1).map((end) => draw("line", { x1: x(end), x2: x(end), y1: RUN_EDGE.top, y2: below, class: "wave" })),
      ...sizes.map((size, n) => text(sizes.length > 3 || width < 500 ? size : `cubes of ${size}`, (x(ends[n - 1] ?? 0) + x(ends[n])) / 2, RUN_EDGE.top - 8, "middle")),
      line(before.filter(([generation]) => generation <= generations), "before"),
      draw("polygon", { class: "range", points: [...records.map((one) => [one, one.best]), ...records.map((one) => [one, one.worst]).reverse()].map(([one, share]) => `${x(one.generation).toFixed(1)},${y(share).toFixed(1)}`).join(" ") }),
      line(known, "search"),
      line(records.filter((one) => one.champion).map((one) => [one.generation, one.champion.overall]), "champion"),
      line(records.map((one) => [one.generation, one.mean]), "mean"),
      ...(records.length ? [draw("circle", { cx: x(now), cy: y(records.at(-1).mean), r: 5, class: "spot" })] : []));
  }

  new ResizeObserver(paint).observe(svg);
  return {
    show(what) {
      shown = what;
      paint();
    },
  };
}
