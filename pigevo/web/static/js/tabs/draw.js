// Draw: a strategy of one's own, as a hold value, a rule or a painted map, and what it wins, at once.
import { isOwn, tabName } from "../address.js";
import { choice, make } from "../dom.js";
import { covered, csvOf, evenMap, evenValue, holdSentence, mapOfPlan, mapView, painted, rollOfMap } from "../draw/hold_map.js";
import { ruleField } from "../draw/rules.js";
import { firstHolds } from "../engine.js";
import { costInPoints, exact, inside } from "../numbers.js";

const QUIET = 700; // milliseconds without a change, after which the result is read aloud
const STANDS = 2000; // milliseconds without a change, after which a strategy is what the next change is compared with

/** A change with its sign; one that two decimals do not show, in words. */
function changeText(change) {
  const size = costInPoints(Math.abs(change));
  return size.startsWith("less") ? `${change > 0 ? "Better" : "Worse"} by ${size}` : `${change > 0 ? "+" : "\u2212"}${size}`;
}

/** A table of win probabilities against `opponents`, which follows a strategy: `show(roll)`; after `refuse(true)` it says that the strategy is the one before. */
function results(shared, opponents) {
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

const KNOWN = ["optimal", "hold-at-20", "champion"]; // its opponents
const BRUSHES = [["1", "one pair of scores"], ["5", "5 by 5"], ["11", "11 by 11"], ["21", "21 by 21"], ["own", "the whole column"], ["other", "the whole row"]];
const MOST_UNDONE = 60;
const KEPT = "pigevo map";
const MOST_KEPT = 20; // maps, each of its tab

/** The maps that the browser has kept as `{tab, map}`, the last first. */
function mapsKept() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    return Number.isInteger(kept[0]) ? [{ map: kept }] : kept.filter((one) => Array.isArray(one?.map)); // one map was kept before
  } catch {
    return []; // none, or they are damaged
  }
}

/** The map that was drawn last in this tab, or else in another one, if the browser has kept it. */
function keptMap(game) {
  const fit = mapsKept().filter(({ map }) => map.length === game.target ** 2 && map.every((n) => Number.isInteger(n) && n >= 1 && n <= game.target));
  const kept = fit.find(isOwn) ?? fit[0];
  return kept ? Uint8Array.from(kept.map) : null;
}

/** A function that keeps a map for the next time, once the hand rests or the page is left. */
function keeper() {
  let waiting = 0;
  let drawn = null;
  function store() {
    if (!drawn) return;
    try {
      const maps = [{ tab: tabName(), map: [...drawn] }, ...mapsKept().filter((one) => !isOwn(one))];
      localStorage.setItem(KEPT, JSON.stringify(maps.slice(0, MOST_KEPT)));
    } catch {
      // a browser that keeps nothing draws all the same
    }
    drawn = null;
  }
  addEventListener("pagehide", store);
  return (map) => {
    drawn = map;
    clearTimeout(waiting);
    waiting = setTimeout(store, 400);
  };
}

function slider(id, label, value, most, oninput) {
  const shown = make("output", { class: "number", for: id }, String(value));
  const input = make("input", { type: "range", id, min: 1, max: most, value, oninput: () => {
    shown.textContent = input.value;
    oninput(Number(input.value));
  } });
  const show = (hold) => { // null: there are several, and the slider has no thumb
    input.classList.toggle("several", hold === null);
    shown.textContent = hold === null ? "several totals" : String(hold);
    if (hold !== null) input.value = hold;
    input.setAttribute("aria-valuetext", shown.textContent);
  };
  return { input, show, field: make("div", { class: "slider" }, make("div", {}, make("label", { for: id }, label), " ", shown), input) };
}

export async function mount(root, shared) {
  const { engine, strategies } = shared;
  const { game } = engine;
  const keep = keeper();
  const undone = [];
  let map = keptMap(game) ?? evenMap(game, 20);
  let inForce = ""; // the text of the rule whose map this is
  let hand = ""; // what changes the map in one go, and is undone as one

  const comparison = results(shared, KNOWN.map((id) => strategies.find((one) => one.id === id)));
  const even = slider("hold-at", "Hold at", 20, game.target, (value) => {
    replace(evenMap(game, value), "slider");
  });
  const rule = ruleField(game, strategies, shared.announce, (plan, refused) => {
    if (plan) replace(mapOfPlan(game, plan), "rule");
    comparison.refuse(refused);
  });
  const brush = choice("Brush", BRUSHES, { onchange: () => view.outline() });
  brush.select.value = "11";
  const paint = slider("paint-at", "Paint: hold at", 25, game.target, () => {});
  const start = choice("Begin with", [["", "choose ..."], ...strategies.map((one) => [one.id, one.title])], { onchange: startFrom });
  const undo = make("button", { type: "button", onclick: takeBack }, "Undo");
  const readout = make("p", { id: "map-readout", class: "readout", "aria-live": "polite" }, "\u00a0");
  const view = mapView(game, { begin, stroke, change, moved: read, brush: () => brush.select.value });
  const challenge = make("button", { type: "button", class: "first", onclick: play }, "Play against it");
  const save = make("button", { type: "button", onclick: download }, "Save as CSV");

  root.append(
    make("p", { class: "lead" }, "A strategy says at which turn total to hold. Choose one for all scores, type a rule, or paint one for each pair of scores."),
    make("div", { class: "drawing" },
      make("div", { class: "card" }, make("h2", {}, "A hold value"), even.field,
        make("h2", {}, "A rule"), rule.element, make("h2", {}, "A painted map"),
        make("div", { class: "tools" }, paint.field, brush.field), view.element, readout,
        make("div", { class: "tools" }, undo, start.field),
        make("p", { class: "soft" }, "Paint with mouse or finger. ", make("span", { class: "keyboard" }, "With the map chosen by Tab: arrow keys move (Shift: by ten), ",
          make("kbd", {}, "+"), " and ", make("kbd", {}, "\u2212"), " change what the brush covers by one, ", make("kbd", {}, "Enter"), " paints."))),
      make("div", { class: "side" }, comparison.element, make("div", { class: "card" }, make("div", { class: "tools" }, challenge, save),
        make("p", { class: "soft" }, "Exact: half a million states solved after each stroke. The saved table plays on as ",
          make("code", {}, "pigevo duel mine.csv optimal"), ".")))));
  show();

  function begin() {
    undone.push({ drawn: map.slice(), text: inForce });
    if (undone.length > MOST_UNDONE) undone.shift();
    hand = "";
  }

  /** Another map, from the slider or from the rule that is typed, whose text stays. */
  function replace(other, by) {
    if (hand !== by) begin();
    hand = by;
    map = other;
    if (by === "rule") inForce = rule.text();
    else forgetRule();
    show();
  }

  /** The map is no longer that of the rule in the field. */
  function forgetRule() {
    inForce = "";
    rule.fill("");
  }

  function stroke(own, other) {
    painted(game, map, covered(game, brush.select.value, own, other), () => Number(paint.input.value));
    forgetRule();
    show();
  }

  function change(by) {
    begin();
    painted(game, map, covered(game, brush.select.value, ...view.at()), (value) => value + by);
    forgetRule();
    show();
  }

  function read(own, other) {
    readout.textContent = `Own ${own}, opponent ${other}: ${holdSentence(game, map, own, other)}.`;
  }

  function show() {
    view.show(map);
    even.show(evenValue(game, map));
    read(...view.at());
    undo.setAttribute("aria-disabled", String(!undone.length));
    comparison.show(rollOfMap(game, map));
    comparison.refuse(false);
    keep(map);
  }

  function takeBack() {
    if (!undone.length) return;
    ({ drawn: map, text: inForce } = undone.pop());
    rule.fill(inForce);
    hand = "";
    show();
  }

  async function startFrom() {
    const id = start.select.value;
    start.select.value = "";
    if (!id) return;
    const holds = firstHolds(game, await shared.load(id));
    begin();
    inForce = strategies.find((one) => one.id === id).rule ?? "";
    rule.fill(inForce);
    map = Uint8Array.from(holds);
    show();
  }

  function play() {
    const text = rule.textOf((plan) => mapOfPlan(game, plan).every((value, at) => value === map[at]));
    const name = text ? { title: "Your rule", sentence: "The rule that you have typed.", rule: text } : { title: "Your strategy", sentence: "The map that you have drawn." };
    shared.keep({ id: "mine", own: true, source: "", ...name }, rollOfMap(game, map));
    location.hash = "play";
  }

  function download() {
    const address = URL.createObjectURL(new Blob([csvOf(game, map)], { type: "text/csv" }));
    make("a", { href: address, download: "mine.csv" }).click();
    URL.revokeObjectURL(address);
  }
}
