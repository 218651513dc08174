// Numbers as text: win probabilities are percentages with one decimal. What a choice is worth or costs has two, as most costs are below 0.1.
import { make } from "./dom.js";

/** `0.46008` as `46.0 %`; a share that is not 0 is never shown as 0. */
export function percent(share, digits = 1) {
  if (share > 0 && Number((100 * share).toFixed(digits)) === 0) return `less than ${10 ** -digits}\u00a0%`;
  return `${(100 * share).toFixed(digits)}\u00a0%`.replace("-", "\u2212");
}

/** What a choice is worth: `0.46008` as `46.01 %`, so that it differs from the other choice where that costs something. */
export function worthText(share) {
  return percent(share, 2);
}

/** What two choices are worth: with three decimals where two would not differ by the cost that is shown. */
export function worthTexts(one, other) {
  const shown = (share) => Number(share.toFixed(4));
  const digits = inPoints(shown(one) - shown(other)) === inPoints(one - other) ? 2 : 3;
  return [percent(one, digits), percent(other, digits)];
}

/** A cost: `0.0204` as `2.04 percentage points`; a cost that is not 0 is never shown as 0. */
export function costInPoints(cost) {
  return cost > 0 && cost < 0.00005 ? "less than 0.01 percentage points" : points(cost);
}

/** A difference of win probabilities: `0.0204` as `2.04 percentage points`. */
export function points(difference, digits = 2) {
  return `${inPoints(difference, digits)} percentage points`;
}

/** A difference of win probabilities in percentage points, without the unit: `0.0204` as `2.04`. */
export function inPoints(difference, digits = 2) {
  return (100 * difference).toFixed(digits).replace("-", "\u2212");
}

/** The same as `worthText`, with its sign. */
export function signed(share) {
  return signedBy(share, worthText(share));
}

/** The same as `inPoints`, with its sign. */
export function signedInPoints(difference, digits = 2) {
  return signedBy(difference, inPoints(difference, digits));
}

function signedBy(amount, text) {
  return `${amount > 0 ? "+" : amount < 0 ? "" : "\u00b1"}${text}`;
}

/** A share as an element that also holds all its digits. */
export function exact(share, text = percent(share)) {
  return make("span", { class: "number", "data-value": String(share) }, text);
}

/** A count with commas: `3600` as `3,600`. */
export function thousands(count) {
  return count.toLocaleString("en");
}

/** The genes of a wave by the size of its cubes: `cubes of 5`, `single cells`. */
export function genesText(size) {
  return String(size) === "1" ? "single cells" : `cubes of ${size}`;
}

/** `1 choice`, `2 choices`, `2 inaccuracies`. */
export function counted(number, what) {
  return `${thousands(number)} ${number === 1 ? what : `${what}s`.replace(/([^aeiou])ys$/, "$1ies")}`;
}

/** That something is not what is wanted, and what is taken instead, in a sentence. */
export function refusal(given, wanted, taken) {
  const short = given.length > 40 ? `${given.slice(0, 40)}...` : given;
  return `${short} is not ${wanted}: ${taken} is taken.`;
}

/** A title inside a sentence: `The optimum` as `the optimum`. */
export function inside(title) {
  return title.replace(/^(The|Your) /, (word) => word.toLowerCase());
}
