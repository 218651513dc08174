// Why the line does what it does: how many genes of a child flip, and what selection can see of it.
import { make, table } from "../dom.js";
import { percent } from "../numbers.js";
import { flipsOf } from "./settings.js";

const FEW = 1; // expected flips of a child below which most children have none

/** A number of flips as people write it. */
export const flipsText = (flips) => (flips >= 10 ? flips.toFixed(0) : flips.toFixed(flips >= 1 || flips === 0 ? 1 : 2));

const thousands = (count) => count.toLocaleString("en");

/** The explanation of a plan, in sentences. */
export function whySentence(plan) {
  const { mutation, games, exact, sizes } = plan;
  const { size, genes, flips, untouched } = flipsOf(plan).at(-1);
  if (mutation === 0) return "Nothing flips at a rate of 0: children only mix what their parents have, and soon all members are alike.";
  const count = `With cubes of ${size} a child has ${thousands(genes)} genes, so genes \u00d7 rate = ${thousands(genes)} \u00d7 ${mutation} = ${flipsText(flips)} of them flip`;
  if (flips < FEW) return `${count}: ${percent(untouched, 0)} of the children have no flip at all. Little is spoilt, and little is found that was not there.`;
  const whole = `${count}, and ${untouched < 0.005 ? "hardly a child is" : `only ${percent(untouched, 0)} of the children are`} without a flip. Most flips make play a little worse`;
  if (exact) return `${whole}, but here selection sees exactly who plays better, without dice: it removes what flips spoil, so the line need not fall.`;
  const blur = `a match of ${thousands(games)} games is uncertain by \u00b1${percent(0.5 / Math.sqrt(games), 1)}`;
  const falls = sizes.length > 1 ? "so the line falls when cubes shrink" : "so the line stays low";
  return `${whole}, and ${blur}: selection cannot see what flips spoil, ${falls}.`;
}

/** The table of the waves, with the present one marked: `{element, show(plan, wave)}`. */
export function whyCard() {
  const sentence = make("p", { id: "evolve-why" });
  const rows = make("div", {});
  let shown = null;

  function show(plan, wave) {
    if (shown !== plan) {
      shown = plan;
      sentence.textContent = whySentence(plan);
      rows.replaceChildren(table("Flips of a child in each wave", ["cubes of", "genes", "flips a child", "no flip"],
        flipsOf(plan).map(({ size, genes, flips, untouched }) => [String(size), thousands(genes), flipsText(flips), percent(untouched, untouched < 0.1 && untouched >= 0.0005 ? 1 : 0)])));
    }
    rows.querySelectorAll("tbody tr").forEach((row, n) => (n === wave ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current")));
  }

  return { element: make("div", { class: "card why" }, make("h3", {}, "Why the line moves as it does"), sentence, rows), show };
}
