// The curve of a run: champion and population against the optimum, by generation on a square-root scale.
import { thousands } from "../numbers.js";

const SPACE = "http://www.w3.org/2000/svg";
const HEIGHT = 300;
const EDGE = { left: 62, right: 16, top: 14, below: 50 };
const MISSING = [0.5, 0.1, 0.01, 0.001, 0.0001]; // shares of the logarithmic scale, from below
const TICKS = [0, 10, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10000, 20000, 50000, 100000];

/** A chart in an SVG element; `picked(n)` is called with the frame that was clicked. */
export function createChart(svg, picked) {
  let film = null;
  let cursor = null;
  let width = 0;
  let missing = false;
  const top = () => (missing ? EDGE.top + 20 : EDGE.top); // below the unit
  const inside = () => width - EDGE.left - EDGE.right;
  const last = () => film.curve.generation.at(-1) || 1;
  const x = (generation) => EDGE.left + inside() * Math.sqrt(generation / last());
  const y = (share) => top() + (HEIGHT - top() - EDGE.below) * (1 - (missing ? near(share) : share / highest()));
  const highest = () => Math.max(0.55, ...film.curve.best.map((share) => share + 0.02));

  /** How near to the optimum a share is: 0 at half missing, 1 at the last of the scale and above. */
  function near(share) {
    const along = Math.log(MISSING[0] / Math.max(0.5 - share, MISSING.at(-1))) / Math.log(MISSING[0] / MISSING.at(-1));
    return Math.min(Math.max(along, 0), 1);
  }

  function draw(n = cursor?.n ?? 0) {
    width = svg.clientWidth;
    if (!film || !width) return;
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
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
    const below = HEIGHT - EDGE.below;
    for (const [share, text] of missing ? MISSING.map(short) : shares()) {
      add("line", { x1: EDGE.left, x2: width - EDGE.right, y1: y(share), y2: y(share), class: "grid" });
      write(text, EDGE.left - 8, y(share) + 4, "end");
    }
    if (missing) write("percentage points less than the optimum", 0, EDGE.top, "start");
    else add("line", { x1: EDGE.left, x2: width - EDGE.right, y1: y(0.5), y2: y(0.5), class: "optimum" });
    let free = -Infinity;
    const ticks = last() < TICKS[1] ? [0, last()] : TICKS.filter((one) => one <= last());
    for (const tick of ticks) {
      if (x(tick) < free) continue;
      free = x(tick) + 44;
      write(thousands(tick), x(tick), below + 18, "middle");
    }
    changes().forEach((generation) =>
      add("line", { x1: x(generation), x2: x(generation), y1: EDGE.top, y2: below, class: "wave" }));
    write("generation (square-root scale)", width / 2, HEIGHT - 8, "middle", "title");
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
    set(cursor.line, { x1: x(one.generation), x2: x(one.generation), y1: EDGE.top, y2: HEIGHT - EDGE.below });
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
