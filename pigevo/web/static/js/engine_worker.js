// A worker beside the page: it answers `{number, task, game, rolls}` with `{number, result}` or `{number, error}`.
import { evaluate, bestResponse } from "./engine.js";

const TASKS = {
  evaluate: (game, [a, b]) => evaluate(game, a, b),
  respond: (game, [theirs]) => {
    const roll = bestResponse(game, theirs);
    return { roll, ...evaluate(game, roll, theirs) };
  },
};

self.onmessage = ({ data: { number, task, game, rolls } }) => {
  try {
    const result = TASKS[task](game, rolls);
    const moved = Object.values(result).filter(ArrayBuffer.isView).map((array) => array.buffer);
    self.postMessage({ number, result }, moved);
  } catch (error) {
    self.postMessage({ number, error: String(error) });
  }
};
