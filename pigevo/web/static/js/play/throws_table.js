// A table of the outcomes of a throw: how the pieces lie, the points, and the probability.
import { make, table } from "../dom.js";
import { exact, percent } from "../numbers.js";
import { facesText } from "./die.js";

/** The ways to lie, each named once whatever the order of the pieces. */
function ways({ faces }) {
  const named = faces.map(([lie]) => facesText({ faces: [...lie].sort((a, b) => a.localeCompare(b)) }));
  return [...new Set(named)].join(", ");
}

function brings({ points, ends }) {
  if (!ends) return `+${points}`;
  return ends === "score" ? "loses the score" : points ? `loses the turn, +${points}` : "loses the turn";
}

function rowsOf(throws) {
  return throws.map((one) => [ways(one), brings(one), exact(one.chance, percent(one.chance, one.chance < 0.001 ? 3 : 1))]);
}

/** The outcomes of a throw in a game, folded. */
export function throwsTable({ throws, firstThrows }) {
  const heads = ["thrown", "brings", "probability"];
  const isSame = JSON.stringify(throws) === JSON.stringify(firstThrows);
  const first = isSame ? [] : [make("p", {}, "The first roll of a turn:"), table("The first throw of a turn", heads, rowsOf(firstThrows)), make("p", {}, "Any later one:")];
  return make("details", { class: "throws" }, make("summary", {}, "What a roll brings"), ...first, table("A throw", heads, rowsOf(throws)));
}
