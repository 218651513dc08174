// Two surfaces side by side, turned together, with mouse, finger or keys.
import { firstHolds, rollsAgain } from "../engine.js";
import { followColours, make } from "../dom.js";
import { percent } from "../numbers.js";

const KEYS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], "+": [0, 0, 1 / 1.1], "=": [0, 0, 1 / 1.1],
  "-": [0, 0, 1.1],
};

/** Whether the browser can draw in three dimensions; asked before the library is loaded. */
export function canDraw() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl2"));
  } catch {
    return false;
  }
}

/** A figure with a canvas and a caption. */
export function surfaceFigure(name) {
  const canvas = make("canvas", {
    tabindex: 0, role: "img", class: "surface", "data-surface": name,
    "aria-label": "Surface; the arrow keys turn it, plus and minus bring it nearer and further, Home turns it back",
  });
  const caption = make("figcaption", {});
  return { canvas, caption, figure: make("figure", { class: "card" }, canvas, caption) };
}

/** Put views into figures and link them. */
export async function openSurfaces(game, figures) {
  const { createView } = await import("./scene.js");
  const views = [];
  for (const [n, { canvas }] of figures.entries()) {
    views.push(createView(canvas, game.target, (position) => views[1 - n]?.pose(position)));
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Home") views[n].reset();
      else if (KEYS[event.key]) views[n].turn(...KEYS[event.key]);
      else return;
      event.preventDefault();
    });
  }
  followColours(() => views.forEach((view) => view.recolour()));
  return views;
}

/** The heights of a surface, and the cells in which the strategy rolls again above it. */
export function landscape(game, roll) {
  const heights = firstHolds(game, roll);
  return { heights, again: rollsAgain(game, roll, heights) };
}

/** The words below a surface. */
export function caption(place, title, { again }, target) {
  const share = percent(again.pairs / target ** 2, 0);
  const gaps = again.pairs
    ? `Above its surface it rolls again, at larger turn totals, for ${share} of the pairs of scores.`
    : "Above its surface it never rolls again.";
  place.replaceChildren(make("strong", {}, title), ` ${gaps}`);
}
