// The curve of a run: its population and champion against the optimum, by generation, beside random search.
import { draw } from "../dom.js";
import { thousands } from "../numbers.js";

const HEIGHT = 250;
const EDGE = { left: 44, right: 12, top: 22, below: 40 };
const HIGHEST = 0.55;

/** A chart in an SVG element: `show({generations, ends, sizes, records, search, before})` draws all anew. */
export function evolveChart(svg) {
  let shown = null;

  function paint() {
    const width = svg.clientWidth;
    if (!shown || !width) return;
    const { generations, ends, sizes, records, search, before } = shown;
    const below = HEIGHT - EDGE.below;
    const x = (generation) => EDGE.left + ((width - EDGE.left - EDGE.right) * generation) / generations;
    const y = (share) => EDGE.top + (below - EDGE.top) * (1 - share / HIGHEST);
    const line = (points, kind) => draw("polyline", { points: points.map(([g, share]) => `${x(g).toFixed(1)},${y(share).toFixed(1)}`).join(" "), class: kind });
    const across = (share, kind) => draw("line", { x1: EDGE.left, x2: width - EDGE.right, y1: y(share), y2: y(share), class: kind });
    const text = (words, left, top, anchor, kind = "tick") => draw("text", { x: left, y: top, "text-anchor": anchor, class: kind }, String(words));
    const now = records.at(-1)?.generation ?? 0;
    const known = search.filter(([generation]) => generation <= now);
    const least = width < 500 ? 60 : 45;
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((one) => x(one) - x(0) >= least) ?? generations;
    const ticks = Array.from({ length: Math.floor(generations / step) + 1 }, (_, n) => n * step);

    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    svg.replaceChildren(
      ...[0, 0.1, 0.2, 0.3, 0.4, 0.5].flatMap((share) => [across(share, share === 0.5 ? "optimum" : "grid"), text(`${100 * share} %`, EDGE.left - 6, y(share) + 4, "end")]),
      ...ticks.map((generation) => text(thousands(generation), x(generation), below + 16, "middle")),
      text("generation", (EDGE.left + width - EDGE.right) / 2, HEIGHT - 6, "middle", "title"),
      ...ends.slice(0, -1).map((end) => draw("line", { x1: x(end), x2: x(end), y1: EDGE.top, y2: below, class: "wave" })),
      ...sizes.map((size, n) => text(sizes.length > 3 || width < 500 ? size : `cubes of ${size}`, (x(ends[n - 1] ?? 0) + x(ends[n])) / 2, EDGE.top - 8, "middle")),
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
