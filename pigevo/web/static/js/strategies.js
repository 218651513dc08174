// The strategies beside the page: a list, and one bit-packed file each, fetched once.
import { unpack } from "./engine.js";

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
