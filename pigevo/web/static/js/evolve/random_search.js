// Random search with the budget of a run and the same luck in its choice: `pigevo.evolution.random_search`.
//
// Groups of random strategies are evaluated as generations of the run are; the best of them all meet each other, and the
// best of these is the result. A result after more groups uses the scores of those before.
import { bits, drawOf, ranking } from "../dice.js";
import { evaluate, evaluatePairs, everyone, everyPair, finished } from "./loop.js";
import { overall, turnsOf } from "./referee.js";

const MOST_STRATEGIES = 10000;
const MOST_GAMES = 1000000;

/** A search with a plan's settings, on one grid: `best(strategies, against)` is the win probability of its result. */
export function randomSearch(plan, grid) {
  const { seed, size } = plan;
  const scores = [];
  const groupOf = (number) => bits(drawOf(seed, "validation", number), size * grid.genes);
  let most = Math.floor(MOST_STRATEGIES / size);

  function draw(groups) {
    for (let number = scores.length / size; number < Math.min(groups, most); number++) {
      const evaluation = evaluate(plan, grid, groupOf(number), number);
      if (evaluation.games) most = Math.min(most, Math.floor(MOST_GAMES / evaluation.games));
      scores.push(...evaluation.scores);
    }
    return Math.max(1, Math.min(groups, most));
  }

  return {
    best(strategies, against) {
      const groups = draw(Math.ceil(strategies / size));
      const chosen = ranking(scores, drawOf(seed, "selection", groups, 2)).slice(0, size);
      const finalists = new Uint8Array(chosen.length * grid.genes);
      chosen.forEach((place, n) => {
        const [group, member] = [Math.floor(place / size), place % size];
        finalists.set(groupOf(group).subarray(member * grid.genes, (member + 1) * grid.genes), n * grid.genes);
      });
      const last = finished(evaluatePairs(plan, grid, finalists, everyPair(everyone(chosen.length)), groups));
      const winner = ranking(last.scores, drawOf(seed, "selection", groups, 3))[0];
      return overall(turnsOf(grid, finalists.subarray(winner * grid.genes, (winner + 1) * grid.genes)), against);
    },
  };
}
