// Canvases that are as fine as the screen, their colours, and the map of where a strategy first holds.
import { followColours } from "./dom.js";

// Viridis, as in pigevo's figures: it is even in grey and for the colour-blind.
const STOPS = ["440154", "482878", "3e4a89", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"].map((hex) =>
  [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));

/** The colour `[r, g, b]` of a share from 0 to 1. */
export function viridis(share) {
  const along = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const below = Math.min(STOPS.length - 2, Math.floor(along));
  return STOPS[below].map((from, n) => Math.round(from + (along - below) * (STOPS[below + 1][n] - from)));
}

// Colours of kinds that the colour-blind tell apart (Okabe & Ito).
export const WHITE = "#ffffff";
export const ORANGE = "#e69f00";
export const INK = "#1b1b1b";
export const VERMILION = "#d55e00";

/** The largest turn total of the colour scale, as in pigevo's figures. */
export const largestColour = (target) => Math.max(40, Math.floor(target / 2));

/** Where the arrow keys go. */
export const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The pen of a canvas, which gets the resolution of the screen, with its width and height; these are 0 if it is not shown. */
export function penFor(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { pen, width, height };
}

/** Draw a frame around a cell whose upper left corner is given, so large that it can be seen. */
export function frameCell(pen, x, y, unit) {
  const room = Math.max(0, (9 - unit) / 2);
  for (const [colour, wide] of [[WHITE, 4], [INK, 2]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = wide;
    pen.strokeRect(x - room, y - room, unit + 2 * room, unit + 2 * room);
  }
}

/** Frame a square whose upper left corner is given, and name its axes at the given distances: below it, and from the left edge of the canvas. */
export function frameAxes(pen, ink, [left, above, size], across, up, [below, beside]) {
  pen.fillStyle = pen.strokeStyle = ink;
  pen.lineWidth = 1;
  pen.strokeRect(left, above, size, size);
  pen.font = "600 14px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(across, left + size / 2, above + size + below);
  pen.save();
  pen.translate(beside, above + size / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(up, 0, 0);
  pen.restore();
  pen.font = "13px system-ui, sans-serif";
}

export const CHOOSE = "Choose a pair of scores on a map.";

const LEFT = 40;
const BELOW = 42;
const ABOVE = 8;
const LEAST = 0.3;

/** A map in a canvas, by own and opponent's score, fainter where play seldom comes; `picked(i, j, done)` is called with a pair of scores under the pointer, or of the arrow keys. */
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
