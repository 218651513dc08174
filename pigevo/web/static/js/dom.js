// Elements in one call, and the style sheet of some tabs. Text is always text: nothing here reads markup.
const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An element of the page: `make("button", { class: "first", onclick: go }, "Go")`. */
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Call `again` when the colours change: for paper, which is light, and when the reader changes between light and dark. */
export function followColours(again) {
  for (const media of ["print", "(prefers-color-scheme: dark)"]) matchMedia(media).addEventListener("change", again);
}

/** An element of a drawing. */
export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** A labelled choice of `[value, text]`. */
export function choice(label, options, attributes = {}) {
  const select = make("select", attributes, options.map(([value, text]) => make("option", { value }, text)));
  return { select, field: make("label", { class: "field" }, make("span", {}, label), select) };
}

/** A table: its heads, and rows of cells, each a text or an element; a row of one cell is a note on the row above, over the whole width. */
export function table(caption, heads, rows) {
  const head = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((cells) => (cells.length > 1 ? make("tr", {}, cells.map((cell) => make("td", {}, cell))) :
    make("tr", { class: "note-row" }, make("td", { colspan: heads.length }, cells))));
  const content = [make("caption", { class: "unseen" }, caption), make("thead", {}, head), make("tbody", {}, body)];
  return make("div", { class: "wide" }, make("table", {}, ...content));
}

let styles = null;

/** Resolves when the styles of Look, Watch and Evolve are there, which are loaded with the first of them. */
export function styled() {
  styles ??= new Promise((resolve) => {
    const href = new URL("../look.css", import.meta.url).href;
    document.head.append(make("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  });
  return styles;
}
