// A die, drawn: pips where they are on a real one.
import { draw } from "../dom.js";

const LOW = 28;
const MID = 50;
const HIGH = 72;
const PIPS = {
  1: [[MID, MID]],
  2: [[LOW, LOW], [HIGH, HIGH]],
  3: [[LOW, LOW], [MID, MID], [HIGH, HIGH]],
  4: [[LOW, LOW], [HIGH, LOW], [LOW, HIGH], [HIGH, HIGH]],
  5: [[LOW, LOW], [HIGH, LOW], [MID, MID], [LOW, HIGH], [HIGH, HIGH]],
  6: [[LOW, LOW], [HIGH, LOW], [LOW, MID], [HIGH, MID], [LOW, HIGH], [HIGH, HIGH]],
};

/** A die that shows a face, or nothing yet (null); the words about it stand elsewhere. */
export function die(face, className = "die") {
  const lost = face === 1 ? " lost" : face === null ? " blank" : "";
  const pips = (PIPS[face] ?? []).map(([x, y]) => draw("circle", { cx: x, cy: y, r: 9.5 }));
  const body = draw("rect", { x: 4, y: 4, width: 92, height: 92, rx: 20 });
  return draw("svg", { viewBox: "0 0 100 100", class: `${className}${lost}`, "aria-hidden": "true" }, body, ...pips);
}

/** The dice of a turn in a row, with their numbers for who cannot see them. */
export function smallDice(rolls) {
  return rolls.map((face) => die(face, "die small"));
}
