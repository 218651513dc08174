// One slice through the game: all own scores and turn totals at one score of the opponent's, cell by cell.
import { followColours } from "../dom.js";
import { cell } from "../engine.js";
import { INK, WHITE, STEPS, frameAxes, frameCell, penFor } from "../canvas.js";

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
