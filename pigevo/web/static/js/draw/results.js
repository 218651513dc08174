// The exact win probabilities of a drawn strategy against some well-known ones.
import { make } from "../dom.js";
import { exact, inside, percent, points } from "../numbers.js";

const QUIET = 700; // milliseconds without a change, after which the result is read aloud

/** A table of win probabilities against `opponents`, which follows a strategy: `show(roll)`. */
export function results(shared, opponents) {
  const { engine } = shared;
  const rows = opponents.map((one) => {
    const cells = ["first", "second", "overall"].map(() => make("td", {}, "\u2026"));
    return { one, cells, element: make("tr", {}, make("th", { scope: "row" }, one.title), cells) };
  });
  const heads = ["against", "first", "second", "overall"].map((text) => make("th", { scope: "col" }, text));
  const headline = make("p", { class: "headline number" }, "\u2026");
  const change = make("p", { class: "soft change" }, "\u00a0");
  const element = make("div", { class: "results" },
    make("div", { class: "leading" }, make("h3", {}, `It wins against ${inside(opponents[0].title)}`), headline, change),
    make("div", { class: "wide" }, make("table", {}, make("caption", { class: "unseen" }, "Exact win probabilities of your strategy"),
      make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows.map((row) => row.element)))));
  let wanted = null;
  let busy = false;
  let before = null;
  let quiet = 0;

  async function follow() {
    busy = true;
    while (wanted) {
      const roll = wanted;
      wanted = null; // strokes that come meanwhile are followed together
      for (const [n, row] of rows.entries()) {
        const wins = await engine.evaluate(roll, await shared.load(row.one.id));
        for (const [m, seat] of ["first", "second", "overall"].entries()) row.cells[m].replaceChildren(exact(wins[seat]));
        if (n === 0) lead(wins.overall);
      }
    }
    busy = false;
    element.dataset.done = String(Number(element.dataset.done ?? 0) + 1);
    clearTimeout(quiet);
    quiet = setTimeout(() => shared.announce(`It wins ${headline.textContent} against ${inside(opponents[0].title)}.`), QUIET);
  }

  function lead(overall) {
    headline.replaceChildren(exact(overall, percent(overall, 1)));
    const by = before === null ? 0 : overall - before;
    change.textContent = before === null || by === 0 ? "\u00a0" : `${by < 0 ? "" : "+"}${points(by, 4)} by your last change`;
    before = overall;
  }

  function show(roll) {
    wanted = roll;
    if (!busy) follow().catch((error) => {
      busy = false;
      change.textContent = `It could not be computed: ${error.message}`;
    });
  }

  return { element, show };
}
