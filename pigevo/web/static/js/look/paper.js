// Canvases that are as fine as the screen.

/** A canvas's pen, with the canvas as many pixels wide and high as the screen has for it; 0 where it is not shown. */
export function penFor(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { pen, width, height };
}
