// The elements of the Watch tab.
import { make } from "../dom.js";
import { CHOOSE } from "../canvas.js";

/** All parts by name; `all` are those to be put on the page, in their order. */
export function watchParts(films) {
  const run = make("select", { id: "watch-run" }, ...films.map(({ file, title }) => make("option", { value: file }, title)));
  const name = make("p", { class: "soft" });
  const code = make("code", {});
  const command = make("p", { class: "soft" }, "In a terminal with pigevo, this command evolves the same champions again: ", code);
  const chart = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  chart.setAttribute("class", "course");
  chart.setAttribute("role", "img");
  const short = make("input", { type: "checkbox", id: "watch-short" });
  const slider = make("input", { type: "range", id: "watch-frame", min: 0, step: 1, value: 0 });
  const button = (name, text, label) => make("button", { type: "button", id: `watch-${name}`, "aria-label": label }, text);
  const first = button("first", "❙◀", "First generation");
  const back = button("back", "◀", "Step back");
  const play = make("button", { type: "button", id: "watch-play", class: "first" }, "Play");
  const on = button("on", "▶", "Step forward");
  const says = make("output", { id: "watch-says", class: "says number", for: "watch-frame" });
  const map = (name) => make("canvas", {
    id: `watch-${name}`, class: "heat", tabindex: 0, role: "application",
    "aria-label": `Map of the turn totals at which the ${name} first holds: own score across, opponent’s score up. ` +
      "The arrow keys go from one pair of scores to the next, ten with Shift.",
  });
  const champion = map("champion");
  const optimum = map("optimum");
  const title = make("h3", {});
  const pale = make("input", { type: "checkbox", id: "watch-pale", checked: true });
  const scale = make("canvas", { class: "scale", "aria-hidden": "true" });
  const pair = make("p", { id: "watch-pair", class: "number" }, CHOOSE);
  const all = [
    make("h2", {}, "Evolution, generation by generation"),
    make("div", { class: "row" }, make("label", { for: "watch-run" }, "Run"), run),
    name,
    make("div", { class: "controls" },
      make("div", { class: "row" }, first, back, play, on, says),
      make("label", { class: "unseen", for: "watch-frame" }, "Generation"), slider),
    make("div", { class: "card sheet" }, chart, legend(),
      make("label", { class: "check", for: "watch-short" }, short, make("span", {}, "Show the distance to the optimum on a logarithmic scale"))),
    make("div", { class: "pair" },
      make("figure", { class: "card" }, title, champion),
      make("figure", { class: "card" }, make("h3", {}, "The optimum"), optimum)),
    make("div", { class: "card" },
      make("p", {}, "Colour: the turn total at which it first holds, or wins."), scale,
      make("label", { class: "check", for: "watch-pale" }, pale, make("span", {}, "Fainter where play against the optimum seldom comes")),
      pair),
    command,
  ];
  return { all, run, name, command, code, chart, short, slider, first, back, play, on, says, champion, optimum, title, pale, scale, pair };
}

function legend() {
  const key = (kind, words) => make("li", {}, make("span", { class: `line ${kind}`, "aria-hidden": "true" }), make("span", {}, words));
  return make("ul", { class: "keys" },
    key("champion", "the champion against the optimum"), key("mean", "mean of the population"),
    key("range", "from its worst to its best"), key("optimum", "the optimum itself"));
}
