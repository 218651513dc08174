// Why the line does what it does: how many genes of a child flip, and what selection can see of it.
import { make, table } from "../dom.js";
import { percent, points } from "../numbers.js";
import { flipsOf } from "./settings.js";

const FEW = 1; // expected flips of a child: below, most children have none
const MANY = 5; // from here on the line falls in all runs that were tried by games of luck

/** A number of flips as people write it. */
export const flipsText = (flips) => (flips >= 10 ? flips.toFixed(0) : flips.toFixed(flips >= 1 || flips === 0 ? 1 : 2));

const thousands = (count) => count.toLocaleString("en");

/** What a match is uncertain by: the standard deviation of its share of games won. */
const blurOf = ({ games }) => 0.5 / Math.sqrt(games);

/** The explanation of a plan, in sentences. */
export function whySentence(plan) {
  const { mutation, games, exact, sizes } = plan;
  const stay = plan.replacement !== "offspring";
  const waves = flipsOf(plan);
  const { size, genes, flips, untouched } = waves.find((wave) => wave.flips >= MANY) ?? waves.at(-1);
  if (mutation === 0) return "Nothing flips at a rate of 0: children only mix what their parents have, and soon all members are alike.";
  const count = `With cubes of ${size} a child has ${thousands(genes)} genes, and genes \u00d7 rate = ${thousands(genes)} \u00d7 ${mutation} = ${flipsText(flips)} of them flip`;
  if (flips < FEW) return `${count}: ${percent(untouched, 0)} of the children have no flip at all. Little is spoilt, and the line can climb while selection finds something better.`;
  const harm = `${count}. Most flips make play a little worse`;
  if (exact && stay) return `${harm}, but selection sees exactly who plays better, and parents stay: the best strategy is never lost.`;
  if (exact) return `${harm}, but selection sees exactly who plays better: it removes most of what they spoil, and the line ${flips < MANY ? "goes on climbing" : "falls far less than with games"}.`;
  if (flips < MANY) return `${harm}; at this rate they spoil about as much as selection repairs, and the line falls little.`;
  if (stay) return `${harm}. Parents stay, so that a good strategy is lost only when a match is luck: the line falls less than without them.`;
  if (sizes.length > 1 && size === sizes[0]) return `${harm}: that is more than selection repairs in a generation, so that the line is low from the first cubes on, and lower when they shrink.`;
  const falls = sizes.length > 1 ? "the line falls when cubes shrink" : "the line stays low";
  return `${harm}, and a match of ${thousands(games)} games is uncertain by \u00b1${points(blurOf(plan), 1)}: luck hides what they spoil, selection cannot keep up, and ${falls}.`;
}

/** The explanation, with the waves and the present spread of the population: `{element, show(plan, wave, spread)}`. */
export function whyCard() {
  const sentence = make("p", { id: "evolve-why" });
  const rows = make("div", {});
  const live = make("p", { id: "evolve-spread", class: "soft number" }, "\u00a0");
  let shown = null;

  function show(plan, wave, spread) {
    if (shown !== plan) {
      shown = plan;
      sentence.textContent = whySentence(plan);
      rows.replaceChildren(table("Flips of a child in each wave", ["cubes of", "genes", "flips a child", "no flip"],
        flipsOf(plan).map(({ size, genes, flips, untouched }) => [String(size), thousands(genes), flipsText(flips), percent(untouched, untouched < 0.1 && untouched >= 0.0005 ? 1 : 0)])));
    }
    if (spread !== undefined) live.textContent = `Members now differ by \u00b1${points(spread, 1)}${plan.exact ? "" : `; a match is uncertain by \u00b1${points(blurOf(plan), 1)}`}.`;
    rows.querySelectorAll("tbody tr").forEach((row, n) => (n === wave ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current")));
  }

  return { element: make("div", { class: "card why" }, make("h3", {}, "Why the line moves as it does"), sentence, rows, live), show };
}
