// A position in which something was lost is tried again: until which turn total to roll, asked until the answer is right.
import { make } from "../dom.js";
import { points } from "../numbers.js";
import { most } from "./game.js";
import { SEEN, sizeOf } from "./review.js";
import { worthOfRolling } from "./worth.js";

/** Whether a turn total wins at once. */
function wins(game, place, total) {
  return Boolean(game.target && !game.reply && total >= most(game, place));
}

/** What to do in a turn in which the best is to roll until a turn total. */
export function insteadWords(game, place, until) {
  if (until === 0) return "pass";
  return wins(game, place, until) ? "roll until you win" : until === 1 ? "roll once" : `roll until ${until}`;
}

/** What each turn total to roll until is worth at a place: `[until, worth]`. */
function answersTo(game, against, place) {
  const least = game.passing ? 0 : 1;
  return Array.from({ length: most(game, place) + 1 - least }, (_, n) => [n + least, worthOfRolling(game, against, place, n + least)]);
}

function scoresOf(game, { own, other, turn }) {
  return `${own} to ${other}${game.turns ? ` in round ${turn} of ${game.turns}` : ""}`;
}

/** A judge of answers at a place: `{right, words}`. Right is what loses nothing that two decimals show. */
function judgeOf(game, against, place) {
  const answers = answersTo(game, against, place);
  const [best, top] = answers.reduce((one, other) => (other[1] > one[1] ? other : one));
  return (until) => {
    const [, worth] = answers.find(([total]) => total === until);
    const cost = top - worth;
    if (cost < SEEN) return { right: true, words: `Right: ${insteadWords(game, place, until)}.` };
    const size = sizeOf(cost);
    const article = size === "inaccuracy" ? "an" : "a";
    return { right: false, words: `${until < best ? "Too early" : "Too late"}: that costs ${points(cost)}, ${article} ${size}. Try again.` };
  };
}

/**
 * A button that asks for the positions of some judged choices again, the dearest first. `hide(hidden)` is called with whether
 * the answers must not be seen.
 */
export function retryView(game, against, judged, hide) {
  const places = [...new Set([...judged].sort((a, b) => b.cost - a.cost).map(({ place }) => place))];
  const begin = make("button", { type: "button", onclick: () => ask(0) }, "Try these positions again");
  const element = make("div", { class: "retry" }, begin);

  function ask(number) {
    if (number === places.length) return end();
    hide(true);
    const place = places[number];
    const judge = judgeOf(game, against, place);
    const least = game.passing ? 0 : 1;
    const input = make("input", { type: "number", inputmode: "numeric", min: least, max: most(game, place), step: 1, required: true });
    const said = make("p", { role: "status", class: "verdict" });
    const button = make("button", { class: "first" }, "Check");
    const next = make("button", { type: "button", class: "first", hidden: true, onclick: () => ask(number + 1) }, number + 1 === places.length ? "Done" : "Next position");
    const hint = wins(game, place, most(game, place)) ? `${most(game, place)} wins${game.passing ? ", 0 passes" : ""}.` : "";
    const check = (event) => {
      event.preventDefault();
      const { right, words } = judge(input.valueAsNumber);
      said.textContent = words;
      input.disabled = button.hidden = right;
      next.hidden = !right;
      (right ? next : input).focus();
    };
    element.replaceChildren(make("form", { onsubmit: check },
      make("h3", {}, `Position ${number + 1} of ${places.length}: you have ${scoresOf(game, place)}.`),
      make("div", { class: "answer" }, make("label", {}, "Roll until ", input), hint ? make("span", { class: "soft" }, hint) : null, button, next), said));
    input.focus();
  }

  function end() {
    hide(false);
    element.replaceChildren(make("p", { role: "status" }, "Every position is right."), begin);
    begin.focus();
  }

  return element;
}
