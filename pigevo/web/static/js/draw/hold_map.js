// A map of hold values: for each pair of scores, the turn total from which on a strategy holds.
import { rollOf } from "../engine.js";

/** A map with the same hold value everywhere, in the order own score, opponent's score. */
export function evenMap(game, value) {
  return new Uint8Array(game.target ** 2).fill(value);
}

/** The hold value of a map that has the same one at all scores, except where a smaller one wins; null for other maps. */
export function evenValue(game, map) {
  const value = map[0];
  const wins = (at) => game.target - Math.floor(at / game.target);
  return map.every((hold, at) => hold === value || (hold < value && hold === wins(at))) ? value : null;
}

/** The map of a rule's turn totals: a player always rolls once, and never needs more than the target. */
export function mapOfPlan(game, plan) {
  return Uint8Array.from(plan, (total) => Math.min(game.target, Math.max(1, total)));
}

/** The roll of a map. */
export function rollOfMap(game, map) {
  return rollOf(game, (own, other, total) => total < map[own * game.target + other]);
}

/** The decision of a map at a pair of scores, in words. */
export function holdSentence(game, map, own, other) {
  const value = map[own * game.target + other];
  return value >= game.target - own ? "rolls to win" : `holds at ${value}`;
}

/** The scores that a brush covers around a pair: `{own: [first, last], other: [first, last]}`. */
export function covered(game, brush, own, other) {
  const last = game.target - 1;
  const around = (score, by) => [Math.max(0, score - by), Math.min(last, score + by)];
  if (brush === "own") return { own: [own, own], other: [0, last] };
  if (brush === "other") return { own: [0, last], other: [other, other] };
  const by = (Number(brush) - 1) / 2;
  return { own: around(own, by), other: around(other, by) };
}

/** Change the hold values in an area: `change(value)` is the new one, clipped to 1 ... target. */
export function painted(game, map, area, change) {
  for (let own = area.own[0]; own <= area.own[1]; own++)
    for (let other = area.other[0]; other <= area.other[1]; other++) {
      const at = own * game.target + other;
      map[at] = Math.min(game.target, Math.max(1, change(map[at])));
    }
}

/** A map as the table of hold values that `pigevo` reads: lines by own score, columns by the opponent's. */
export function csvOf(game, map) {
  const lines = Array.from({ length: game.target }, (_, own) => map.subarray(own * game.target, (own + 1) * game.target).join(","));
  return `${lines.join("\n")}\n`;
}
