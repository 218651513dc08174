// The explanation of the curve: how many genes of a child flip, and how much of that selection can see.
import { make, table } from "../dom.js";
import { counted, percent, points, thousands } from "../numbers.js";
import { flipsOf } from "./settings.js";

const FEW = 1; // expected flips of a child: below, most children have none
const MANY = 5; // from here on luck hid what they spoil in all runs that were tried
const UNSEEN = "A wave is a stretch of generations with cubes of one size. When the run comes to it, this says what the flips do there.";

/** A number of flips as people write it. */
const flipsText = (flips) => (flips >= 100 ? flips.toFixed(0) : String(Number(flips.toPrecision(3))));

/** The uncertainty of a match: the standard deviation of the share of games won. */
const blurOf = ({ games }) => 0.5 / Math.sqrt(games);

/** The flips of a wave and what becomes of them, in sentences. */
function waveSentence(plan, wave) {
  const { mutation, games, exact } = plan;
  const stay = plan.replacement !== "offspring";
  const { size, genes, flips, untouched } = flipsOf(plan)[wave];
  if (mutation === 0) return `Cubes of ${size}: at a rate of 0 nothing flips; children only mix what their parents have, and soon all members are alike.`;
  const count = `Cubes of ${size}: ${counted(genes, "gene")} \u00d7 ${mutation} = ${flipsText(flips)} ${flips === 1 ? "flip" : "flips"} in a child.`;
  if (flips < FEW) return `${count} ${percent(untouched)} of the children have none: little is spoilt.`;
  const harm = `${count} Most flips make play a little worse`;
  if (exact && stay) return `${harm}, but selection sees exactly who plays better, and parents stay: the best strategy is never lost.`;
  if (exact) return `${harm}, but selection sees exactly who plays better and removes most of what they spoil.`;
  if (stay) return `${harm}. Parents stay, so that a good strategy is lost only when a match is luck.`;
  if (flips < MANY) return `${harm}; selection repairs a part of that.`;
  return `${harm}, and a match of ${thousands(games)} games is uncertain by \u00b1${points(blurOf(plan), 1)}: luck hides what they spoil from selection.`;
}

/** The course of the line in a wave of this run, from its figures so far. */
export function courseSentence({ ends }, records, wave) {
  const within = records.filter(({ generation }) => generation >= (ends[wave - 1] ?? 0) && generation <= ends[wave]);
  if (within.length < 2) return "";
  const [start, end] = [within[0], within.at(-1)];
  const top = within.reduce((best, one) => (one.mean > best.mean ? one : best));
  const most = percent(top.mean);
  const between = [start, end].some((one) => percent(one.mean) === most) ? "" : `, with at most ${most} in generation ${thousands(top.generation)}`;
  return ` In this run the line goes from ${percent(start.mean)} in generation ${thousands(start.generation)} to ${percent(end.mean)} in generation ${thousands(end.generation)}${between}.`;
}

/** The explanation of the waves that a run has reached, with all waves in a table and the present spread of the population: `{element, show(plan, reached, spread, records)}`. */
export function whyCard() {
  const sentences = make("div", { id: "evolve-why" });
  const rows = make("div", {});
  const live = make("p", { id: "evolve-spread", class: "soft number" }, "\u00a0");
  let shown = null; // the plan

  function show(plan, reached, spread, records = []) {
    if (shown !== plan)
      rows.replaceChildren(table("Flips of a child in each wave", ["cubes of", "genes", "flips a\u00a0child", "no flip"],
        flipsOf(plan).map(({ size, genes, flips, untouched }) => [String(size), thousands(genes), flipsText(flips), percent(untouched)])));
    shown = plan;
    const said = plan.sizes.slice(0, reached).map((_, wave) => waveSentence(plan, wave) + courseSentence(plan, records, wave));
    sentences.replaceChildren(...(reached ? said : [UNSEEN]).map((text) => make("p", {}, text)));
    rows.querySelectorAll("tbody tr").forEach((row, n) => (n === reached - 1 ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current")));
    live.textContent = spread === undefined ? "\u00a0" : `Members now differ by \u00b1${points(spread, 1)}${plan.exact ? "" : `; a match is uncertain by \u00b1${points(blurOf(plan), 1)}`}.`;
  }

  return { element: make("div", { class: "card why" }, make("h3", {}, "Why the line moves as it does"), sentences, rows, live), show };
}
