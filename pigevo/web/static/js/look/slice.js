// One slice through the game, all own scores and turn totals at one score of the opponent's, cell by cell; and the values of both
// choices in a cell.
import { frameAxes, frameCell, INK, penFor, STEPS, WHITE } from "../canvas.js";
import { followColours, make } from "../dom.js";
import { cell } from "../engine.js";
import { costInPoints, inside, worthTexts } from "../numbers.js";

const LEFT = 46;
const BELOW = 44;
const ABOVE = 8;
const FAINT = 0.3;

const NEAR = 25; // cells along an edge when it is enlarged
const KINDS = ["hold", "roll", "optimum-rolls", "other-rolls"]; // both hold, both roll, only the optimum rolls, only the other one rolls

/**
 * A slice in a canvas. `state()` gives {optimum, other, seen, j, near}: two rolls, the cells to show in full (or null), the
 * opponent's score, and whether the cells around the chosen one are enlarged. `picked(i, k, done)` is called with a chosen cell;
 * `done` is false while arrow keys move on.
 */
export function createSlice(canvas, game, state, picked) {
  const { target } = game;
  const at = { i: 0, k: 20 };

  /** The layout of the cells: `i` and `k` of the lowest cell drawn, and the number of cells along each edge. */
  function layout() {
    const size = Math.min(canvas.clientWidth - LEFT - 6, canvas.clientHeight - BELOW - ABOVE);
    const count = state().near ? Math.min(NEAR, target) : target;
    const begin = (value) => Math.min(Math.max(value - Math.floor(count / 2), 0), target - count);
    const [i, k] = [begin(at.i), begin(at.k)];
    const unit = size / count;
    return { size, count, unit, i, k, x: (own) => LEFT + (own - i) * unit, y: (total) => ABOVE + size - (total - k) * unit };
  }

  function draw() {
    const { pen, width } = penFor(canvas);
    if (!width) return;
    const place = layout();
    const style = getComputedStyle(canvas);
    const colour = (kind) => style.getPropertyValue(`--${kind}`);
    pen.fillStyle = colour("won");
    pen.fillRect(LEFT, ABOVE, place.size, place.size);
    cells(pen, place, KINDS.map(colour));
    axes(pen, place, style.color);
    if (place.count === target) wonLabel(pen, place, target, colour("soft"));
    frameCell(pen, place.x(at.i), place.y(at.k + 1), place.unit);
  }

  function cells(pen, { unit, x, y, count, i: left, k: low }, colours) {
    const { optimum, other, seen, j } = state();
    for (let i = left; i < left + count; i++)
      for (let k = low; k < low + count && i + k < target; k++) {
        const here = cell(game, i, j, k);
        const same = !k || optimum[here] === other[here]; // the first roll of a turn is no choice
        const kind = same ? (k ? optimum[here] : 1) : optimum[here] ? 2 : 3;
        pen.globalAlpha = 1;
        pen.fillStyle = colours[0];
        pen.fillRect(x(i), y(k + 1), unit + 0.6, unit + 0.6);
        pen.globalAlpha = !seen || seen[here] ? 1 : FAINT;
        pen.fillStyle = colours[kind];
        pen.fillRect(x(i), y(k + 1), unit + 0.6, unit + 0.6);
        if (kind > 1) mark(pen, kind, x(i), y(k + 1), unit);
      }
    pen.globalAlpha = 1;
  }

  function pick(i, k, done) {
    at.i = Math.min(Math.max(i, 0), target - 2);
    at.k = Math.min(Math.max(k, 1), target - 1 - at.i);
    draw();
    picked(at.i, at.k, done);
  }

  canvas.addEventListener("click", (event) => {
    const { size, unit, count, i: left, k: low } = layout();
    const [right, up] = [Math.floor((event.offsetX - LEFT) / unit), Math.floor((ABOVE + size - event.offsetY) / unit)];
    if (right >= 0 && up >= 0 && right < count && up < count && left + right + low + up < target) pick(left + right, low + up, true);
  });
  canvas.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    if (step) pick(at.i + far * step[0], at.k + far * step[1], false);
    else pick(at.i, at.k, true);
  });
  new ResizeObserver(draw).observe(canvas);
  followColours(draw);
  return { draw, pick, at };
}

/** The mark of a cell in which the two differ: a horizontal bar if only the optimum rolls, a vertical one if only the other does. */
function mark(pen, kind, x, y, unit) {
  if (unit < 3) return;
  pen.fillStyle = kind === 2 ? INK : WHITE;
  const [long, thin] = [unit * 0.6, Math.max(1, unit * 0.2)];
  const [wide, high] = kind === 2 ? [long, thin] : [thin, long];
  pen.fillRect(x + (unit - wide) / 2, y + (unit - high) / 2, wide, high);
}

function axes(pen, { size, count, i, k, x, y }, ink) {
  frameAxes(pen, ink, [LEFT, ABOVE, size], "own score", "turn total", [32, 11]);
  for (let n = 0; n <= 5; n++) {
    const along = Math.round((n * count) / 5);
    pen.textAlign = "right";
    pen.fillText(k + along, LEFT - 6, y(k + along));
    pen.textAlign = n === 5 ? "right" : "center";
    pen.fillText(i + along, x(i + along) + (n === 5 ? 4 : 0), ABOVE + size + 12);
  }
}

function wonLabel(pen, { x, y }, target, ink) {
  pen.fillStyle = ink;
  pen.font = "600 15px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText("the game is won", x(target * 0.7), y(target * 0.72));
}

const ROUNDING = 1e-12; // a smaller difference is rounding
const NAMES = { roll: "Roll", hold: "Hold" };

/** The figures of both choices in a state: `values` are the optimum's against itself, `worth` the engine's. */
export function judged(game, worth, values, optimum, other, i, j, k) {
  const { roll, hold } = worth(values, i, j, k);
  const gain = roll - hold;
  const choose = (strategy) => (strategy[cell(game, i, j, k)] ? "roll" : "hold");
  return {
    i, j, k, roll, hold,
    better: Math.abs(gain) <= ROUNDING ? "either" : gain > 0 ? "roll" : "hold",
    cost: Math.abs(gain),
    optimum: choose(optimum),
    other: choose(other),
  };
}

/** One sentence on what is better, and one on what the strategy does. */
export function sentences(verdict, title) {
  const worse = verdict.better === "roll" ? "Holding" : "Rolling";
  const first =
    verdict.better === "either"
      ? "Both choices are worth the same."
      : `${NAMES[verdict.better]}: ${worse.toLowerCase()} would cost ${costInPoints(verdict.cost)}.`;
  if (!title) return [first, ""];
  const right = verdict.better === "either" || verdict.other === verdict.better;
  return [first, `${title} ${verdict.other}s, ${right ? "and that is right" : `and so gives away ${costInPoints(verdict.cost)}`}.`];
}

/** Show the figures of a state in an element, in full in its data attributes. */
export function showVerdict(place, verdict, title, seen) {
  const { i, j, k, roll, hold, better, cost } = verdict;
  Object.assign(place.dataset, { i, j, k, roll, hold, better, cost, optimum: verdict.optimum, other: verdict.other });
  const [first, second] = sentences(verdict, title);
  const [rolled, held] = worthTexts(roll, hold);
  place.replaceChildren(
    make("h3", {}, `You have ${i}, the opponent ${j}, and ${k} at risk`),
    bar("Roll", roll, rolled, better !== "hold", takers(verdict, "roll", title)),
    bar("Hold", hold, held, better !== "roll", takers(verdict, "hold", title)),
    make("p", { class: "sentence" }, make("strong", {}, first)),
    make("p", {}, second),
    make("p", { class: "soft" }, seen ? "" : "Who follows this strategy never comes here."),
  );
}

/** Who makes a choice. */
function takers({ optimum, other }, choice, title) {
  return [optimum === choice && "the optimum", other === choice && inside(title)].filter(Boolean).join(" and ");
}

/** A choice's win probability as a number and a bar, with who makes it. */
function bar(name, share, text, best, who) {
  const fill = make("span", { class: best ? "fill best" : "fill" });
  fill.style.width = `${100 * share}%`;
  return make(
    "div", { class: "worth" },
    make("span", { class: "name" }, name),
    make("span", { class: "track", "aria-hidden": "true" }, fill),
    make("span", { class: "number" }, text),
    make("span", { class: "who soft" }, who && `the choice of ${who}`),
  );
}
