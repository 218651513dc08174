// The engine as the page sees it: promises, answered by the worker one after the other.
import { worth } from "./engine.js";

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
