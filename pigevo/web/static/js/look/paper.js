// Canvases that are as fine as the screen, and what several of them share.
import { INK, WHITE } from "./palette.js";

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
