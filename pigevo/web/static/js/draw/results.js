// The exact win probabilities of a drawn strategy against some well-known ones.
import { make } from "../dom.js";
import { costInPoints, exact, inside } from "../numbers.js";

const QUIET = 700; // milliseconds without a change, after which the result is read aloud
const STANDS = 2000; // milliseconds without a change, after which a strategy is what the next change is compared with

/** A change with its sign; one that two decimals do not show, in words. */
function changeText(change) {
  const size = costInPoints(Math.abs(change));
  return size.startsWith("less") ? `${change > 0 ? "Better" : "Worse"} by ${size}` : `${change > 0 ? "+" : "\u2212"}${size}`;
}

/** A table of win probabilities against `opponents`, which follows a strategy: `show(roll)`; after `refuse(true)` it says that the strategy is the one before. */
export function results(shared, opponents) {
  const { engine } = shared;
  const rows = opponents.map((one) => {
    const cells = ["first", "second", "overall"].map(() => make("td", {}, "\u2026"));
    return { one, cells, element: make("tr", {}, make("th", { scope: "row" }, one.title), cells) };
  });
  const heads = ["against", "first", "second", "overall"].map((text) => make("th", { scope: "col" }, text));
  const whose = make("h3", {});
  const headline = make("p", { class: "headline number" }, "\u2026");
  const change = make("p", { class: "soft change" }, "\u00a0");
  const element = make("div", { class: "results" },
    make("div", { class: "leading" }, whose, headline, change),
    make("div", { class: "wide" }, make("table", {}, make("caption", { class: "unseen" }, "Exact win probabilities of your strategy"),
      make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows.map((row) => row.element)))));
  let wanted = null;
  let busy = false;
  let now = null; // win probabilities against the first opponent
  let stood = null;
  const timers = [0, 0];
  refuse(false);

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
    timers.forEach(clearTimeout);
    timers[0] = setTimeout(() => element.hasAttribute("data-refused") || shared.announce(`It wins ${headline.textContent} against ${inside(opponents[0].title)}.`), QUIET);
    timers[1] = setTimeout(() => (stood = now), STANDS);
  }

  function lead(overall) {
    headline.replaceChildren(exact(overall));
    now = overall;
    stood ??= now; // of the strategy with which the page opens
    change.textContent = now === stood ? "\u00a0" : `${changeText(now - stood)} by your last change`;
  }

  /** Say whose the figures are while a text is refused, which has none. */
  function refuse(refused) {
    element.toggleAttribute("data-refused", refused);
    whose.textContent = `${refused ? "The strategy before this text" : "It"} wins against ${inside(opponents[0].title)}`;
  }

  function show(roll) {
    wanted = roll;
    if (!busy) follow().catch((error) => {
      busy = false;
      change.textContent = `It could not be computed: ${error.message}`;
    });
  }

  return { element, show, refuse };
}
