// The opponents: in Pig to 100 the strategies of the page and the one that adapts, in any other game those of its own files.
//
// The opponent that adapts learns from the games of a sitting where the person holds, and shows its belief after each.
// `pigevo.people.adapting` explains the mathematics of its belief and of its plan; `data` is the content of `adapting.json`: the target,
// slips with their prior, the chance that a person changes, the limit, and the hold value, gains and losses of each answer.
import { uniform } from "../dice.js";
import { make } from "../dom.js";
import { cell as cellOfPig, rollOf } from "../engine.js";
import { counted, exact, percent, signed, worthText } from "../numbers.js";
import { fetched } from "../shared.js";
import { cell, PERSON } from "./game.js";
import { optimumRolls } from "./worth.js";

const BEST = "optimal";

/** The opponent that learns from the person's games, in Pig to 100. */
export const ADAPTIVE = {
  id: "adaptive", title: "The opponent that adapts", rule: "",
  sentence: "It learns over your games where you hold, and answers with what does best against that as often as it can without risking more than 1\u00a0% of a game.",
};

/** The values of best play with the opponent to move, from those of the engine, by the opponent's scores. */
function waiting({ target }, { other }) {
  return Float64Array.from({ length: target ** 2 }, (_, at) => 1 - other[at * target]);
}

/** An opponent of Pig to 100: a table of bits, and its values computed here. */
async function ofThePage(shared, entry) {
  return ofRoll(shared, entry, await shared.load(entry.id));
}

/** The same for a roll that is loaded already. */
function ofRoll(shared, entry, roll) {
  const { engine } = shared;
  const rolls = ({ own, other }, total) => roll[cellOfPig(engine.game, own, other, total)] === 1;
  const values = () => (entry.id === BEST ? (shared.optimum ??= engine.evaluate(roll, roll)) : engine.respond(roll));
  let computed = null;
  return { entry, rolls, values: () => (computed ??= values().then((one) => waiting(engine.game, one))) };
}

async function loaded(game, entry) {
  return ofFile(game, entry, await (await fetched(`games/${game.name}/${entry.id}.worth`)).arrayBuffer());
}

/** An opponent of another game, from its file: 64-bit values, then 16-bit turn totals to hold at, which the optimum's file lacks. */
export function ofFile(game, entry, content) {
  const count = game.axes.reduce((product, [, , size]) => product * size, 1);
  const values = new Float64Array(content, 0, count);
  const holds = new Uint16Array(content, 8 * count);
  const isForced = (total) => total === 0 && !game.passing;
  const byTotals = (place, total) => isForced(total) || total < holds[cell(game, place)];
  return { entry, rolls: holds.length ? byTotals : optimumRolls(game, values), values: async () => values };
}

/** A function that loads opponents, each once: from `(game, entry)` to `{entry, rolls(place, total), values()}`. */
export function opponentsOf(shared) {
  const opened = new Map();
  document.addEventListener("strategies", ({ detail }) => opened.delete(`pig/${detail}`));
  return (game, entry) => {
    const name = `${game.name}/${entry.id}`;
    if (!opened.has(name)) {
      const opponent = game.opponents.length ? loaded(game, entry) : ofThePage(shared, entry);
      opened.set(name, opponent.catch((error) => (opened.delete(name), Promise.reject(error))));
    }
    return opened.get(name);
  };
}

/** The opponents in a game. */
export function opponentsIn(shared, game) {
  return game.opponents.length ? game.opponents : [...shared.strategies, ADAPTIVE];
}

/** The optimum among opponents. */
export function bestOf(entries) {
  return entries.find(({ id }) => id === BEST);
}

const CONFIDENCE = 0.95;

function sum(values) {
  return values.reduce((whole, one) => whole + one, 0);
}

/** The prior: of each hold value from 1 on, with each pair of slips, early x late. */
function prior({ target, slipChances }) {
  const weights = Array.from({ length: target }, (_, n) => 1 / (n + 1));
  const whole = sum(weights);
  return weights.map((weight) => slipChances.map((chance) => (weight / whole) * chance));
}

/** The belief before the first game. */
export function firstBelief(data) {
  return { joint: prior(data), games: 0, turns: 0, decisions: 0 };
}

/** The decisions of the person in a turn: the totals at which it rolled, and the one at which it held, or null. */
function decided({ own, throws, banked }, target) {
  let total = 0;
  const rolled = throws.slice(0, -1).map(({ points }) => (total += points));
  const held = banked > 0 && own + banked < target ? banked : null;
  return { rolled, held };
}

/** The chance of the decisions of a turn, of each pair of slips, for one hold value. */
function chances({ rolled, held }, value, slips) {
  const right = rolled.filter((total) => total < value).length;
  const late = slips.map((slip) => slip ** (rolled.length - right) * (held !== null && held >= value ? 1 - slip : 1));
  return slips.flatMap((slip) => {
    const early = (1 - slip) ** right * (held !== null && held < value ? slip : 1);
    return late.map((one) => early * one);
  });
}

/** The belief after one more game, from the person's turns. */
export function learned(data, belief, turns) {
  const first = prior(data);
  const change = belief.games ? data.change : 0;
  let joint = belief.joint.map((row, n) => row.map((one, at) => (1 - change) * one + change * first[n][at]));
  const known = turns.map((turn) => decided(turn, data.target)).filter(({ rolled, held }) => rolled.length || held !== null);
  for (const turn of known) {
    joint = joint.map((row, n) => {
      const likely = chances(turn, n + 1, data.slips);
      return row.map((one, at) => one * likely[at]);
    });
    const whole = sum(joint.map(sum));
    joint = joint.map((row) => row.map((one) => one / whole));
  }
  const decisions = sum(known.map(({ rolled, held }) => rolled.length + (held === null ? 0 : 1)));
  return { joint, games: belief.games + 1, turns: belief.turns + known.length, decisions: belief.decisions + decisions };
}

/** The least interval of a discrete quantity that leaves at most half of 1 - `level` on either side. */
function quantiles(values, weights, level) {
  const order = values.map((_, n) => n).sort((a, b) => values[a] - values[b] || a - b);
  const aside = (1 - level) / 2;
  let before = 0;
  const sums = order.map((n) => (before += weights[n]));
  const low = order[sums.findIndex((one) => one / before > aside)];
  const high = order[sums.findIndex((one) => one / before >= 1 - aside - 1e-12)];
  return [values[low], values[high]];
}

/** The estimate of the hold value, and its 95 % interval. */
export function estimate({ joint }) {
  const values = joint.map((_, n) => n + 1);
  const weights = joint.map(sum);
  const [low, high] = quantiles(values, weights, CONFIDENCE);
  return { value: quantiles(values, weights, 0)[0], low, high };
}

/** The plan for the next game; in seat 0 the opponent that adapts moves first. `answer` is null for the optimum alone. */
export function plan(data, { joint }, seat) {
  const weights = joint.map(sum);
  const worths = data.to.map((to, answer) => {
    const loss = data.losses[answer][seat];
    const share = Math.min(1, data.limit / Math.max(loss, 1e-12));
    const gains = data.gains[answer].map((one) => share * one[seat]);
    return { answer, to, share, mostLoss: share * loss, gains, gain: sum(gains.map((one, n) => one * weights[n])) };
  });
  const best = worths.reduce((one, other) => (other.gain > one.gain ? other : one));
  return best.gain > 0 ? best : { answer: null, to: null, share: 0, mostLoss: 0, gains: weights.map(() => 0), gain: 0 };
}

/** The value of adapting in some games, by the belief after them: the gain, its interval, and the largest possible cost. */
export function account(plans, belief) {
  const gains = belief.joint.map((_, n) => sum(plans.map((one) => one.gains[n])));
  const [low, high] = quantiles(gains, belief.joint.map(sum), CONFIDENCE);
  return { games: plans.length, gain: gains[estimate(belief).value - 1], low, high, mostLoss: sum(plans.map((one) => one.mostLoss)) };
}

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
