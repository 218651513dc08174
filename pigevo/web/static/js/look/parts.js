// Small pieces of a document.

/** An element with properties, attributes (`aria-...`, `for`, `role`, `data-...`) and children. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Add a sheet of styles once. */
export function addStyle(name) {
  const href = new URL(`../../${name}`, import.meta.url).href;
  if ([...document.querySelectorAll("link[rel=stylesheet]")].some((link) => link.href === href)) return null;
  const link = make("link", { rel: "stylesheet", href });
  const ready = new Promise((resolve) => (link.onload = link.onerror = resolve));
  document.head.append(link);
  return ready;
}

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

export const percent = (share, digits = 2) => `${(100 * share).toFixed(digits)} %`;
