// Look: the optimum's surface beside a strategy's, a slice through both, and the values of the choices in a cell.
import { cell, seenCells } from "../engine.js";
import { styled } from "../dom.js";
import { createSlice } from "../look/slice.js";
import { canDraw, caption, landscape, openSurfaces, surfaceFigure } from "../look/surfaces.js";
import { judged, sentences, showVerdict } from "../look/verdict.js";
import { inside } from "../numbers.js";
import { lookParts } from "../look/frame.js";

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
