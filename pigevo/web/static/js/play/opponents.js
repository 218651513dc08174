// The opponents: in Pig to 100 the strategies of the page, in any other game those of its own files.
import { cell as cellOfPig } from "../engine.js";
import { fetched } from "../shared.js";
import { cell } from "./game.js";
import { optimumRolls } from "./worth.js";

const BEST = "optimal";

/** The opponent that learns from the person's games, in Pig to 100; see adaptive.js. */
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
export function ofRoll(shared, entry, roll) {
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
