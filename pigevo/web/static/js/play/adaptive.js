// The opponent that adapts, in Pig to 100: it learns from the games of a sitting, and shows its belief after each.
import { make } from "../dom.js";
import { uniform } from "../dice.js";
import { rollOf } from "../engine.js";
import { counted, exact, percent, signed, worthText } from "../numbers.js";
import { fetched } from "../shared.js";
import { account, estimate, firstBelief, learned, plan } from "./adapting.js";
import { PERSON } from "./game.js";
import { ofRoll } from "./opponents.js";

const COMPUTED = "adapting.json";

/** What was played in a game, in words. */
function played({ to, share, responds }) {
  const response = `the best response to hold at ${to}`;
  if (to === null) return "It played the optimum: nothing else promised more.";
  const meant = ", which is what wins most against a player who holds there";
  return `It played ${responds ? response : "the optimum"}; it had planned ${response}${meant}, with a probability of ${percent(share, 0)}, and else the optimum.`;
}

/** The opponent of a sitting: `next(entry, optimum, seat, number)`, `learn(state)` and `view()`. */
export function adaptiveOf(shared, seed) {
  const { engine } = shared;
  const answers = new Map(); // by hold value
  const plans = [];
  let data = null;
  let belief = null;

  async function answered(to) {
    if (!answers.has(to)) answers.set(to, engine.respond(rollOf(engine.game, (own, other, total) => total < to)).then(({ roll }) => roll));
    return answers.get(to);
  }

  /** The opponent for a game in which the person has this seat; it is `hidden`, so the page does not show which strategy it is. */
  async function next(entry, optimum, seat, number) {
    data ??= await (await fetched(COMPUTED)).json();
    belief ??= firstBelief(data);
    const chosen = plan(data, belief, 1 - seat);
    const responds = uniform(seed(), number) < chosen.share;
    const roll = responds ? await answered(chosen.to) : null;
    const against = roll ? { ...ofRoll(shared, entry, roll), hidden: true } : { ...optimum, entry, hidden: true };
    return { against, plan: { ...chosen, responds } };
  }

  /** Take the turns of a game, also of one that was left. */
  function learn({ turns }, chosen) {
    plans.push(chosen);
    belief = learned(data, belief, turns.filter(({ player }) => player === PERSON));
  }

  /** What it believes after the games so far, what it played in the last one, and what that was worth. */
  function view() {
    const { value, low, high } = estimate(belief);
    const totals = account(plans, belief);
    const games = counted(totals.games, "game");
    const number = (one) => exact(one, signed(one));
    return make("section", { class: "card adapting", "aria-label": "What the opponent believes" },
      make("h2", {}, `It believes that you hold at ${value}.`),
      make("p", {}, `With 95\u00a0% it is ${low} to ${high}, after ${counted(belief.turns, "turn")} with ${counted(belief.decisions, "decision")}. `, played(plans.at(-1))),
      make("p", {}, `If you hold there, adapting is worth `, number(totals.gain), ` of a game in ${games} (95\u00a0%: `, number(totals.low), " to ", number(totals.high),
        "), beyond what the optimum wins in expectation. Whatever you do, it wins at most ", exact(totals.mostLoss, worthText(totals.mostLoss)), ` of a game less than the optimum is sure of; its limit is ${percent(data.limit, 0)} a game.`));
  }

  return { next, learn, view };
}
