// A map of where a strategy first holds, by own and opponent's score, fainter where play seldom comes.
import { viridis } from "../colours.js";
import { followColours } from "../dom.js";
import { largestColour } from "../look/palette.js";
import { STEPS, frameAxes, frameCell, penFor } from "../look/paper.js";

export const CHOOSE = "Choose a pair of scores on a map.";

const LEFT = 40;
const BELOW = 42;
const ABOVE = 8;
const LEAST = 0.3;

/** A map in a canvas; `picked(i, j, done)` is called with a pair of scores under the pointer, or of the arrow keys. */
export function createMap(canvas, picked) {
  let target = 0;
  let image = null;
  let at = null;

  const place = () => {
    const size = Math.min(canvas.clientWidth - LEFT - 4, canvas.clientHeight - BELOW - ABOVE);
    return { size, unit: size / target };
  };

  function draw() {
    const { pen, width } = penFor(canvas);
    if (!width || !image) return; // and the canvas is empty
    const { size, unit } = place();
    pen.imageSmoothingEnabled = false;
    pen.drawImage(image, LEFT, ABOVE, size, size);
    axes(pen, size, target, getComputedStyle(canvas).color);
    if (at) frameCell(pen, LEFT + at.i * unit, ABOVE + size - (at.j + 1) * unit, unit);
  }

  function pointed(event, done) {
    const { size, unit } = place();
    const i = Math.floor((event.offsetX - LEFT) / unit);
    const j = Math.floor((ABOVE + size - event.offsetY) / unit);
    if (i >= 0 && j >= 0 && i < target && j < target) picked(i, j, done);
  }

  canvas.addEventListener("click", (event) => pointed(event, true));
  canvas.addEventListener("pointermove", (event) => event.pointerType === "mouse" && pointed(event, false));
  canvas.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    const within = (value) => Math.min(Math.max(value, 0), target - 1);
    picked(within((at?.i ?? 0) + far * step[0]), within((at?.j ?? 0) + far * step[1]), true);
  });
  new ResizeObserver(draw).observe(canvas);
  followColours(draw);

  return {
    show(plane, size, shades, pale) {
      target = size;
      image = painted(plane, size, pale ? shades : 0);
      draw();
    },
    clear() {
      image = null;
      draw();
    },
    mark(i, j) {
      at = i === null ? null : { i, j };
      draw();
    },
  };
}

/** A canvas with a pixel for each pair of scores, the opponent's score upwards; `most` shades, 0 for colours in full. */
function painted({ holds, shades }, target, most) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = target;
  const pen = canvas.getContext("2d");
  const pixels = pen.createImageData(target, target);
  for (let i = 0; i < target; i++)
    for (let j = 0; j < target; j++) {
      const full = most ? Math.max(LEAST, shades[i * target + j] / most) : 1;
      const colour = viridis(holds[i * target + j] / largestColour(target));
      const to = 4 * ((target - 1 - j) * target + i);
      pixels.data.set([...colour, 255 * full], to); // what is behind it shows through
    }
  pen.putImageData(pixels, 0, 0);
  return canvas;
}

function axes(pen, size, target, ink) {
  frameAxes(pen, ink, [LEFT, ABOVE, size], "own score", "opponent’s score", [31, 9]);
  for (let n = 0; n <= 4; n++) {
    const value = Math.round((n * target) / 4);
    pen.textAlign = n === 4 ? "right" : "center";
    pen.fillText(value, LEFT + (value * size) / target, ABOVE + size + 12);
    pen.textAlign = "right";
    pen.fillText(value, LEFT - 5, ABOVE + size - (value * size) / target + (n === 4 ? 4 : 0));
  }
}

/** The scale of the colours, in a canvas. */
export function createScale(canvas) {
  let target = 0;

  function draw() {
    const { pen, width } = penFor(canvas);
    if (!width || !target) return;
    const top = largestColour(target);
    for (let x = 0; x < width; x++) {
      pen.fillStyle = `rgb(${viridis(x / width).join(" ")})`;
      pen.fillRect(x, 0, 1, 16);
    }
    pen.fillStyle = getComputedStyle(canvas).color;
    pen.font = "13px system-ui, sans-serif";
    pen.textBaseline = "middle";
    for (let n = 0; n <= 5; n++) {
      pen.textAlign = n === 0 ? "left" : n === 5 ? "right" : "center";
      pen.fillText(`${Math.round((n * top) / 5)}${n === 5 ? "+" : ""}`, (n * width) / 5, 28);
    }
  }

  followColours(draw);
  return {
    show(size) {
      target = size;
      draw();
    },
  };
}
