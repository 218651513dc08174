// The explanation of the curve: how many genes of a child flip, and how much of that selection can see.
import { make, table } from "../dom.js";
import { percent, points } from "../numbers.js";
import { flipsOf } from "./settings.js";

const FEW = 1; // expected flips of a child: below, most children have none
const MANY = 5; // from here on the line falls in all runs that were tried by games of luck
const UNSEEN = "When the run comes to a wave, this says what the flips do there.";

/** A number of flips as people write it. */
export const flipsText = (flips) => (flips >= 10 ? flips.toFixed(0) : flips.toFixed(flips >= 1 || flips === 0 ? 1 : 2));

const thousands = (count) => count.toLocaleString("en");

/** The uncertainty of a match: the standard deviation of the share of games won. */
const blurOf = ({ games }) => 0.5 / Math.sqrt(games);

/** The effect of the flips of a wave on the curve, in sentences. */
export function waveSentence(plan, wave) {
  const { mutation, games, exact } = plan;
  const stay = plan.replacement !== "offspring";
  const { size, genes, flips, untouched } = flipsOf(plan)[wave];
  if (mutation === 0) return "Nothing flips at a rate of 0: children only mix what their parents have, and soon all members are alike.";
  const count = `Cubes of ${size}: ${thousands(genes)} genes \u00d7 ${mutation} = ${flipsText(flips)} flips in a child.`;
  if (flips < FEW) return `${count} ${percent(untouched, 1)} of the children have none: little is spoilt, and the line can climb while selection finds something better.`;
  const harm = `${count} Most flips make play a little worse`;
  if (exact && stay) return `${harm}, but selection sees exactly who plays better, and parents stay: the best strategy is never lost.`;
  if (exact) return `${harm}, but selection sees exactly who plays better and removes most of what they spoil: the line ${flips < MANY ? "goes on climbing" : "is higher than with games"}.`;
  if (flips < MANY) return `${harm}: ${wave ? "they spoil about as much as selection repairs, and the line falls slowly or not at all" : "the line climbs until they spoil as much as selection repairs"}.`;
  if (stay) return `${harm}. Parents stay, so that a good strategy is lost only when a match is luck${wave ? ": the line falls less than without them" : ""}.`;
  return `${harm}, and a match of ${thousands(games)} games is uncertain by \u00b1${points(blurOf(plan), 1)}: luck hides what they spoil, selection cannot keep up, and the line ${wave ? "falls" : "stays low"}.`;
}

/** The explanation of the waves that a run has reached, with all waves in a table and the present spread of the population: `{element, show(plan, reached, spread)}`. */
export function whyCard() {
  const sentences = make("div", { id: "evolve-why" });
  const rows = make("div", {});
  const live = make("p", { id: "evolve-spread", class: "soft number" }, "\u00a0");
  let shown = { plan: null, reached: -1 };

  function show(plan, reached, spread) {
    if (shown.plan !== plan)
      rows.replaceChildren(table("Flips of a child in each wave", ["cubes of", "genes", "flips a child", "no flip"],
        flipsOf(plan).map(({ size, genes, flips, untouched }) => [String(size), thousands(genes), flipsText(flips), percent(untouched, 1)])));
    if (shown.plan !== plan || shown.reached !== reached) {
      const told = plan.sizes.slice(0, reached).map((_, wave) => waveSentence(plan, wave));
      sentences.replaceChildren(...[...new Set(reached ? told : [UNSEEN])].map((text) => make("p", {}, text)));
      rows.querySelectorAll("tbody tr").forEach((row, n) => (n === reached - 1 ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current")));
      shown = { plan, reached };
    }
    if (spread !== undefined) live.textContent = `Members now differ by \u00b1${points(spread, 1)}${plan.exact ? "" : `; a match is uncertain by \u00b1${points(blurOf(plan), 1)}`}.`;
  }

  return { element: make("div", { class: "card why" }, make("h3", {}, "Why the line moves as it does"), sentences, rows, live), show };
}
