// What the tabs of the page share: its data, fetched once, and the engine, which answers from a worker.
import { unpack, worth } from "./engine.js";

/** A file of the page's data. */
export async function fetched(name) {
  const answer = await fetch(new URL(`../data/${name}`, import.meta.url)).catch(() => {
    throw new Error("You are offline, or the server of this page does not answer.");
  });
  if (!answer.ok) throw new Error(`${name} could not be loaded (${answer.status}).`);
  return answer;
}

/** `{game, games, strategies, load, keep}`: the game of the strategies, the rules of all games, `[{id, title, sentence, source, rule, file}]`, a function that loads a roll by its id, and `keep`. */
export async function openStrategies() {
  const { game, games, strategies } = await (await fetched("index.json")).json();
  const rolls = new Map();

  async function read(id) {
    const { file } = strategies.find((one) => one.id === id);
    return unpack(new Uint8Array(await (await fetched(file)).arrayBuffer()), game.target ** 3);
  }

  function load(id) {
    if (!rolls.has(id)) rolls.set(id, read(id).catch((error) => (rolls.delete(id), Promise.reject(error))));
    return rolls.get(id);
  }

  /** Add a strategy that was made on the page; `load` returns it by its id, like the others. */
  function keep(entry, roll) {
    const at = strategies.findIndex((one) => one.id === entry.id);
    strategies.splice(at < 0 ? strategies.length : at, 1, entry);
    rolls.set(entry.id, Promise.resolve(roll));
    document.dispatchEvent(new CustomEvent("strategies", { detail: entry.id }));
  }

  return { game, games, strategies, load, keep };
}

/** An engine for one game. */
export function startEngine(game) {
  const open = new Map();
  let asked = 0;
  let worker = started();

  function started() {
    const one = new Worker(new URL("./engine_worker.js", import.meta.url), { type: "module" });
    one.onmessage = ({ data: { number, result, error } }) => {
      const { resolve, reject } = open.get(number);
      open.delete(number);
      if (error) reject(new Error(error));
      else resolve(result);
    };
    one.onerror = () => {
      for (const { reject } of open.values()) reject(new Error("The exact engine could not be started."));
      open.clear();
      worker = null;
    };
    return one;
  }

  function ask(task, ...rolls) {
    worker ??= started(); // one that has failed never answers
    return new Promise((resolve, reject) => {
      open.set(++asked, { resolve, reject });
      worker.postMessage({ number: asked, task, game, rolls });
    });
  }

  return {
    game,
    /** {first, second, overall, own, other} of A against B; see engine.js. */
    evaluate: (a, b) => ask("evaluate", a, b),
    /** {roll} of the best response to a strategy, and its values against it, as `evaluate` gives them. */
    respond: (theirs) => ask("respond", theirs),
    /** {roll, hold}: the values of both choices, given `values`; `hold` is null before the first roll of a turn. */
    worth: (values, own, opponent, total) => worth(game, values, own, opponent, total),
  };
}
