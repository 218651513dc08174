// A map of hold values, for each pair of scores the turn total from which on a strategy holds; and its view, painted with mouse,
// finger or keys: own score to the right, opponent's upwards, a colour for each hold value.
import { viridis } from "../canvas.js";
import { draw, make } from "../dom.js";
import { rollOf } from "../engine.js";

/** A map with the same hold value everywhere, in the order own score, opponent's score. */
export function evenMap(game, value) {
  return new Uint8Array(game.target ** 2).fill(value);
}

/** The hold value of a map that has the same one at all scores, except where a smaller one wins; null for other maps. */
export function evenValue(game, map) {
  const value = map[0];
  const wins = (at) => game.target - Math.floor(at / game.target);
  return map.every((hold, at) => hold === value || (hold < value && hold === wins(at))) ? value : null;
}

/** The map of a rule's turn totals: a player always rolls once, and never needs more than the target. */
export function mapOfPlan(game, plan) {
  return Uint8Array.from(plan, (total) => Math.min(game.target, Math.max(1, total)));
}

/** The roll of a map. */
export function rollOfMap(game, map) {
  return rollOf(game, (own, other, total) => total < map[own * game.target + other]);
}

/** The decision of a map at a pair of scores, in words. */
export function holdSentence(game, map, own, other) {
  const value = map[own * game.target + other];
  return value >= game.target - own ? "rolls to win" : `holds at ${value}`;
}

/** The scores that a brush covers around a pair: `{own: [first, last], other: [first, last]}`. */
export function covered(game, brush, own, other) {
  const last = game.target - 1;
  const around = (score, by) => [Math.max(0, score - by), Math.min(last, score + by)];
  if (brush === "own") return { own: [own, own], other: [0, last] };
  if (brush === "other") return { own: [0, last], other: [other, other] };
  const by = (Number(brush) - 1) / 2;
  return { own: around(own, by), other: around(other, by) };
}

/** Change the hold values in an area: `change(value)` is the new one, clipped to 1 ... target. */
export function painted(game, map, area, change) {
  for (let own = area.own[0]; own <= area.own[1]; own++)
    for (let other = area.other[0]; other <= area.other[1]; other++) {
      const at = own * game.target + other;
      map[at] = Math.min(game.target, Math.max(1, change(map[at])));
    }
}

/** A map as the table of hold values that `pigevo` reads: lines by own score, columns by the opponent's. */
export function csvOf(game, map) {
  const lines = Array.from({ length: game.target }, (_, own) => map.subarray(own * game.target, (own + 1) * game.target).join(","));
  return `${lines.join("\n")}\n`;
}

const BRIGHTEST = 50; // the hold value of the last colour, as in the figures
const KEYS = "Arrow keys move, with Shift by ten; plus and minus change the hold values under the brush; Enter paints.";

function axis(text, className) {
  const ticks = [0, 25, 50, 75, 100].map((score) => make("span", {}, String(score)));
  return make("div", { class: `axis ${className}`, "aria-hidden": "true" }, make("div", { class: "ticks" }, ticks), make("div", { class: "what" }, text));
}

/** The legend: the colours with their hold values. */
function legend() {
  const steps = 10;
  const stop = (n) => draw("stop", { offset: n / steps, "stop-color": `rgb(${viridis(n / steps).join()})` });
  const ramp = draw("linearGradient", { id: "hold-colours" }, Array.from({ length: steps + 1 }, (_, n) => stop(n)));
  const bar = draw("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("defs", {}, ramp), draw("rect", { width: 100, height: 6, fill: "url(#hold-colours)" }));
  const numbers = [0, 10, 20, 30, 40, `${BRIGHTEST}+`].map((value) => make("span", {}, String(value)));
  return make("div", { class: "legend" }, bar, make("div", { class: "ticks" }, numbers), make("div", { class: "what" }, "holds at, or wins"));
}

/**
 * The map of a game. `on` has the callbacks `begin()` before a stroke, `stroke(own, other)` for each pair of scores that is
 * painted, `change(by)` for plus and minus, and `moved(own, other)`; and `brush()`, which returns the brush.
 */
export function mapView(game, on) {
  const { target } = game;
  const canvas = make("canvas", { width: target, height: target, "aria-hidden": "true" });
  const paper = canvas.getContext("2d");
  const area = draw("rect", { class: "brush" });
  const spot = draw("rect", { class: "spot", width: 1, height: 1 });
  const over = draw("svg", { viewBox: `0 0 ${target} ${target}`, "aria-hidden": "true" }, area, spot);
  const field = make("div", {
    class: "map", tabindex: "0", role: "application", "aria-label": `Map of hold values. ${KEYS}`, "aria-describedby": "map-readout",
    onkeydown: pressed, onpointerdown: down, onpointermove: over_, onpointerup: up, onpointercancel: up,
  }, canvas, over);
  const element = make("div", { class: "map-frame" }, axis("opponent\u2019s score", "up"), field, axis("own score", "along"), legend());
  let at = [0, 0];
  let painting = false;

  function move(own, other) {
    const clamped = (score) => Math.min(target - 1, Math.max(0, score));
    at = [clamped(own), clamped(other)];
    outline();
    on.moved(...at);
  }

  function outline() {
    const { own, other } = covered(game, on.brush(), ...at);
    const box = { x: own[0], y: target - 1 - other[1], width: own[1] - own[0] + 1, height: other[1] - other[0] + 1 };
    for (const [name, value] of Object.entries(box)) area.setAttribute(name, value);
    spot.setAttribute("x", at[0]);
    spot.setAttribute("y", target - 1 - at[1]);
  }

  function pressed(event) {
    const step = event.shiftKey ? 10 : 1;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves) move(at[0] + moves[0], at[1] + moves[1]);
    else if (event.key === "+" || event.key === "=") on.change(1);
    else if (event.key === "-" || event.key === "_") on.change(-1);
    else if (event.key === "Enter" || event.key === " ") stroke(...at);
    else return;
    event.preventDefault();
  }

  function stroke(own, other) {
    on.begin();
    on.stroke(own, other);
  }

  function pointed(event) {
    const box = field.getBoundingClientRect();
    const share = [(event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height];
    return share.map((part) => Math.floor(part * target));
  }

  function down(event) {
    if (event.button !== 0) return;
    painting = true;
    field.setPointerCapture(event.pointerId);
    move(...pointed(event));
    stroke(...at);
  }

  function over_(event) {
    if (!painting && event.pointerType !== "mouse") return;
    const before = at;
    move(...pointed(event));
    if (!painting) return;
    const steps = Math.max(Math.abs(at[0] - before[0]), Math.abs(at[1] - before[1]), 1);
    const end = at;
    for (let n = 1; n <= steps; n++) // a fast hand leaves no gaps
      on.stroke(...[0, 1].map((axis_) => Math.round(before[axis_] + (n / steps) * (end[axis_] - before[axis_]))));
  }

  function up() {
    painting = false;
  }

  /** Draw the hold values, each at most as many points as are missing to the target. */
  function show(map) {
    const image = paper.createImageData(target, target);
    for (let own = 0; own < target; own++)
      for (let other = 0; other < target; other++) {
        const value = Math.min(map[own * target + other], target - own);
        image.data.set([...viridis(value / BRIGHTEST), 255], 4 * ((target - 1 - other) * target + own));
      }
    paper.putImageData(image, 0, 0);
  }

  outline();
  return { element, field, show, outline, at: () => at };
}
