// An opponent that adapts to the person: its belief about the hold value, and its plan. `pigevo.people.adapting` explains the
// mathematics; `data` is the content of `adapting.json`: the target, slips with their prior, the chance that a person changes,
// the limit, and the hold value, gains and losses of each answer. This file uses nothing of the page, and runs in node as well.
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
