// Look: the optimum's surface beside a strategy's, a slice through both, and the values of the choices in a cell.
import { followColours, make, styled } from "../dom.js";
import { cell, firstHolds, rollsAgain, seenCells } from "../engine.js";
import { createSlice, judged, sentences, showVerdict } from "../look/slice.js";
import { inside, percent } from "../numbers.js";

const BY_HAND = "Drag a surface to turn it";
const BY_KEYS = ", or use the arrow keys; plus and minus bring it nearer and further, Home turns it back";

/** All parts by name; `all` are those to be put on the page, in their order. */
function lookParts(game, strategies, figures) {
  const last = game.target - 1;
  const strategy = make("select", { id: "look-strategy" });
  const offer = (chosen) => {
    strategy.replaceChildren(...strategies().map((one) => make("option", { value: one.id }, one.title)));
    if (chosen) strategy.value = chosen;
  };
  offer();
  const sentence = make("p", { class: "soft" });
  const again = check("look-again");
  const fade = check("look-fade");
  const near = check("look-near");
  const opponent = make("input", { type: "range", id: "look-opponent", min: 0, max: last, value: 40 });
  const opponentSays = make("output", { class: "number", for: "look-opponent" }, "40");
  const slice = make("canvas", {
    id: "look-slice", class: "slice", tabindex: 0, role: "application",
    "aria-label": "Slice: own score across, turn total up. The arrow keys go from cell to cell, ten with Shift; Enter says what both choices are worth.",
  });
  const verdict = make("div", { id: "look-verdict", class: "verdict" });
  const own = number("look-own", last - 1, 0);
  const total = number("look-total", last, 1);
  const names = [1, 2].map(() => make("span", {}));
  const inCaption = make("span", {});
  const surfaces = make("div", { class: "pair" }, ...figures.map(({ figure }) => figure));
  const hint = make("p", { class: "soft" }, BY_HAND, make("span", { class: "keyboard" }, BY_KEYS), ".");
  const againRow = labelled(again, "Mark where it rolls again above its surface");

  const all = [
    make("h2", {}, "The shape of a strategy"),
    make("p", {}, "A strategy rolls below its surface and holds on it: the height is the smallest turn total at which it holds, " +
      "or wins, for each own and each opponent’s score."),
    make("div", { class: "row" }, make("label", { for: "look-strategy" }, "Beside the optimum"), strategy),
    sentence,
    make("div", { class: "row slide" },
      make("label", { for: "look-opponent" }, "Opponent’s score"), opponent, opponentSays),
    surfaces, againRow, hint,
    make("div", { class: "pair slices" },
      make("figure", { class: "card" }, legend(names), slice,
        make("div", { class: "row" }, labelled(near, "Enlarge around the cell"),
          labelled(fade, "Faint where a player of ", inCaption, " never comes"))),
      make("div", { class: "card beside" },
        verdict,
        make("div", { class: "row" },
          make("label", { class: "entry" }, "Own score", own), make("label", { class: "entry" }, "Turn total", total)),
        make("p", { class: "soft" }, "Choose a cell of the slice. Win probabilities are exact, both players being the optimum afterwards."))),
  ];
  const withoutSurfaces = () => {
    surfaces.replaceWith(make("p", { class: "trouble", id: "look-no-surface" },
      "This browser cannot draw in three dimensions (it has no WebGL 2); the slices below show the same."));
    hint.remove();
    againRow.remove();
  };
  return {
    all, strategy, offer, sentence, again, fade, near, opponent, opponentSays, slice, verdict, own, total, surfaces, withoutSurfaces,
    named: [...names, inCaption], keys: `${BY_HAND}${BY_KEYS}.`,
  };
}

function legend([first, second]) {
  const key = (kind, ...words) => make("li", {}, make("span", { class: `key ${kind}`, "aria-hidden": "true" }), make("span", {}, ...words));
  return make("ul", { class: "keys" },
    key("roll", "both roll"), key("hold", "both hold"), key("optimum-rolls", "only the optimum rolls"),
    key("other-rolls", "only ", first, " rolls"));
}

const check = (id) => make("input", { type: "checkbox", id });
const labelled = (input, ...words) => make("label", { class: "check", for: input.id }, input, make("span", {}, ...words));
const number = (id, max, min) => make("input", { type: "number", id, min, max, step: 1, inputmode: "numeric" });

const KEYS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], "+": [0, 0, 1 / 1.1], "=": [0, 0, 1 / 1.1],
  "-": [0, 0, 1.1],
};

/** Whether the browser can draw in three dimensions; asked before the library is loaded. */
function canDraw() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl2"));
  } catch {
    return false;
  }
}

/** A figure with a canvas and a caption. */
function surfaceFigure(name) {
  const canvas = make("canvas", {
    tabindex: 0, role: "img", class: "surface", "data-surface": name,
    "aria-label": "Surface; the arrow keys turn it, plus and minus bring it nearer and further, Home turns it back",
  });
  const caption = make("figcaption", {});
  return { canvas, caption, figure: make("figure", { class: "card" }, canvas, caption) };
}

/** Put views into figures and link them: they are turned together, with mouse, finger or keys. */
async function openSurfaces(game, figures) {
  const { createView } = await import("../look/scene.js");
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
function landscape(game, roll) {
  const heights = firstHolds(game, roll);
  return { heights, again: rollsAgain(game, roll, heights) };
}

/** The words below a surface. */
function caption(place, title, { again }, target) {
  const share = percent(again.pairs / target ** 2, 0);
  const gaps = again.pairs
    ? `Above its surface it rolls again, at larger turn totals, for ${share} of the pairs of scores.`
    : "Above its surface it never rolls again.";
  place.replaceChildren(make("strong", {}, title), ` ${gaps}`);
}

const OPTIMUM = "optimal";

export async function mount(root, shared) {
  const { engine, strategies, load, announce } = shared;
  const { game } = engine;
  await styled();
  const figures = [surfaceFigure("optimum"), surfaceFigure("other")];
  const parts = lookParts(game, () => strategies.filter((one) => one.id !== OPTIMUM), figures);
  root.replaceChildren(...parts.all);
  const optimum = await load(OPTIMUM);
  const values = await engine.evaluate(optimum, optimum);
  const now = { id: "", j: 40, other: optimum, seen: null, title: "" };
  const lands = [landscape(game, optimum), null];
  let views = [];

  const slice = createSlice(
    parts.slice, game,
    () => ({ optimum, other: now.other, seen: parts.fade.checked ? now.seen : null, j: now.j, near: parts.near.checked }),
    (i, k, done) => judge(i, k, done),
  );

  function judge(i, k, done) {
    const verdict = judged(game, engine.worth, values, optimum, now.other, i, now.j, k);
    showVerdict(parts.verdict, verdict, now.title, now.seen[cell(game, i, now.j, k)]);
    parts.own.value = i;
    parts.total.value = k;
    views.forEach((view) => view.mark(i, now.j, k));
    if (!done && document.activeElement === parts.slice) announce(short(verdict, now.title));
    if (done) announce(`${parts.verdict.querySelector("h3").textContent}. ${sentences(verdict, now.title).join(" ")}`);
  }

  function move(j) {
    now.j = j;
    parts.opponent.value = j;
    parts.opponentSays.textContent = j;
    views.forEach((view, n) => view.slice(lands[n].heights, j));
    slice.pick(slice.at.i, slice.at.k, false);
  }

  function show(n) {
    caption(figures[n].caption, n ? now.title : "The optimum", lands[n], game.target);
    figures[n].canvas.setAttribute("aria-label", `Surface of ${n ? now.title : "the optimum"}. ${parts.keys}`);
    views[n]?.surface(lands[n].heights, lands[n].again);
    views[n]?.again(parts.again.checked);
    views[n]?.slice(lands[n].heights, now.j);
  }

  async function choose(id) {
    const roll = await load(id).catch((error) => {
      parts.strategy.value = now.id; // which is still shown
      throw error;
    });
    if (parts.strategy.value !== id) return; // another one was chosen meanwhile
    const shown = strategies.find((one) => one.id === id);
    Object.assign(now, { id, other: roll, title: shown.title, seen: seenCells(game, roll) });
    parts.sentence.textContent = shown.sentence;
    parts.named.forEach((place) => (place.textContent = inside(shown.title)));
    lands[1] = landscape(game, roll);
    show(1);
    move(now.j);
  }

  parts.opponent.addEventListener("input", () => move(Number(parts.opponent.value)));
  for (const box of [parts.fade, parts.near]) box.addEventListener("change", slice.draw);
  parts.again.addEventListener("change", () => views.forEach((view) => view.again(parts.again.checked)));
  parts.strategy.addEventListener("change", () => choose(parts.strategy.value));
  for (const input of [parts.own, parts.total])
    input.addEventListener("change", () => slice.pick(Math.round(parts.own.value), Math.round(parts.total.value), true));

  document.addEventListener("strategies", ({ detail: id }) => {
    parts.offer(parts.strategy.value);
    if (parts.strategy.value === id) choose(id); // it was drawn anew
  });

  await choose(parts.strategy.value);
  show(0);
  if (!canDraw()) return parts.withoutSurfaces();
  views = await openSurfaces(game, figures);
  for (const n of [0, 1]) show(n);
  move(now.j);
  parts.surfaces.dataset.ready = "yes";
}

/** The cell that the arrow keys have reached, in few words. */
function short({ i, k, optimum, other }, title) {
  const both = optimum === other ? `both ${optimum}` : `the optimum ${optimum}s, ${inside(title)} ${other}s`;
  return `${i} and ${k}: ${both}`;
}
