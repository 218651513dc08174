// A test of how well a person keeps to a rule: errors are counted, and games go into a CSV that `pigevo people` reads.
import { make } from "../dom.js";
import { counted } from "../numbers.js";
import { OPPONENT, PERSON } from "./game.js";

const COLUMNS = ["game", "player", "seat", "turn", "dice", "rolls", "banked", "score", "rule"];
const YOU = "you";
const MOST = 60; // letters of a name

/** The number of a person's decisions in a game, and of those against a rule: `{decisions, early, late}`. */
export function errorsOf({ choices }, rolls) {
  const wrong = choices.filter(({ place, total, rolled }) => rolls(place, total) !== rolled);
  const early = wrong.filter(({ rolled }) => !rolled).length;
  return { decisions: choices.length, early, late: wrong.length - early };
}

/** Games `{state, name, rule}` as a record: a row for each turn, the rule with those of the person. */
export function csvOf(games) {
  const rows = games.flatMap((game, number) => rowsOf(game, String(number + 1)));
  return [COLUMNS, ...rows].map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

function rowsOf({ state, name, rule }, number) {
  const counts = [0, 0];
  return state.turns.map(({ player, throws, banked, score }) => {
    const faces = throws.map(({ points, ends }) => (ends ? 1 : points)).join(" ");
    const seat = player === PERSON ? state.seat : 1 - state.seat;
    const who = player === OPPONENT ? name.slice(0, MOST) : YOU;
    return [number, who, seat + 1, ++counts[player], faces, throws.length, banked, score, player === PERSON ? rule : ""];
  });
}

function quoted(cell) {
  const text = String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What is known after a game: the errors under this rule so far, and a button that saves all games of the test. */
export function testView(games) {
  const { entry } = games.at(-1);
  const same = games.filter((one) => one.entry === entry);
  const [decisions, early, late] = ["decisions", "early", "late"].map((name) => same.reduce((sum, { errors }) => sum + errors[name], 0));
  const words = `${early + late} of ${decisions} decisions in ${counted(same.length, "game")} ${early + late === 1 ? "was" : "were"} not the rule\u2019s: held too early ${counted(early, "time")}, rolled on too long ${counted(late, "time")}.`;
  return make("section", { class: "card by-rule" }, make("h2", {}, "By the rule"),
    make("p", {}, make("code", {}, entry.rule), " ", make("span", { class: "counted" }, words)),
    make("p", { class: "soft" }, "The saved file has all your games by a rule; ", make("code", {}, "pigevo people rule_games.csv"), " says the rate of errors with an interval. Save before you load the page again: it forgets these games."),
    make("button", { type: "button", onclick: () => save(csvOf(games)) }, "Save as CSV"));
}

function save(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  make("a", { href: address, download: "rule_games.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address));
}
