// Drawings of what is thrown: dice, a coin, pigs. A face is a word or a number, as in the rules of the game.
import { draw, make } from "../dom.js";

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
const COIN = { heads: "H", tails: "T" };
const PIG = { "dot up": [90, true], "dot down": [90, false], trotter: [0], razorback: [180], snouter: [38], "leaning jowler": [62], touching: [0] }; // degrees, and whether the dot is seen

function dieFace(face) {
  const pips = (PIPS[face] ?? []).map(([x, y]) => draw("circle", { cx: x, cy: y, r: 9.5 }));
  const number = Number(face) > 6 ? [draw("text", { x: 50, y: 64, "text-anchor": "middle" }, face)] : [];
  return [draw("rect", { x: 4, y: 4, width: 92, height: 92, rx: 20 }), ...pips, ...number];
}

function coinFace(face) {
  return [draw("circle", { class: "body", cx: 50, cy: 50, r: 45 }), draw("circle", { class: "rim", cx: 50, cy: 50, r: 37 }),
    draw("text", { x: 50, y: 65, "text-anchor": "middle" }, COIN[face])];
}

/** A pig from the side, its nose to the right, turned as it has landed; from above where it lies on its side. */
function pigFace(face) {
  const [turned, dotted] = PIG[face];
  const legs = [26, 38, 56, 68].map((x) => draw("rect", { class: "body", x, y: 60, width: 7, height: 20, rx: 3 }));
  return [draw("g", { transform: `rotate(${turned} 50 52)` }, ...legs,
    draw("path", { class: "tail", d: "M16 48 q-10 -4 -6 -12 q6 -4 7 4" }),
    draw("ellipse", { class: "body", cx: 46, cy: 50, rx: 32, ry: 20 }), draw("circle", { class: "body", cx: 76, cy: 44, r: 14 }),
    draw("rect", { class: "body", x: 85, y: 41, width: 11, height: 12, rx: 4 }), draw("path", { class: "body", d: "M66 34 l4 -13 l10 10 z" }),
    draw("circle", { class: "mark", cx: 80, cy: 41, r: 2.4 }), dotted ? draw("circle", { class: "mark", cx: 44, cy: 50, r: 6 }) : null)];
}

/** A piece that shows a face; the words about it stand elsewhere. `look` is lost, blank or small, or several of them. */
function piece(face, look) {
  const kind = face in COIN ? "coin" : face in PIG ? "pig" : "";
  const drawn = kind === "coin" ? coinFace(face) : kind === "pig" ? pigFace(face) : dieFace(face);
  return draw("svg", { viewBox: "0 0 100 100", class: `die ${kind} ${look}`, "aria-hidden": "true" }, ...drawn);
}

/** The pieces of a game before the first throw. */
export function blankPieces({ throws }) {
  const [faces] = throws.at(-1).faces[0];
  return make("span", { class: "pieces" }, faces.map((face) => piece(face, "blank")));
}

/** The pieces on the table after a throw. */
export function pieces({ faces, ends }, size = "") {
  const lost = (face) => Boolean(ends) && (faces.length === 1 || face === "1" || face in PIG);
  return make("span", { class: "pieces" }, faces.map((face) => piece(face, `${size} ${lost(face) ? "lost" : ""}`)));
}

/** The throws of a turn in a row. */
export function smallDice(throws) {
  return throws.map((one) => pieces(one, "small"));
}

/** A throw in words: `5`, `2 and 6`, `heads`, `trotter and razorback`. */
export function facesText({ faces }) {
  return faces[0] === "touching" ? "touching pigs" : faces.join(" and ");
}
