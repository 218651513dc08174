// The words of an address that the page knows.
import { DEFAULTS } from "./evolve/settings.js";

export const TABS = ["play", "look", "watch", "evolve", "draw"];
const OF_PLAY = ["daily", "seed", "game", "opponent", "adviser", "by", "first", "replay", "part", "end", "pace"];
const KNOWN = new Set([...TABS, ...OF_PLAY, ...Object.keys(DEFAULTS)]);

/** The tab that an address opens if nothing comes after a `#`. */
export function tabOf(search) {
  const words = new URLSearchParams(search);
  return TABS.find((tab) => words.has(tab)) ?? TABS[0];
}

/** What is said of the words that the page does not know, in sentences; empty if there are none. */
export function unknownIn(search) {
  const unknown = [...new URLSearchParams(search).keys()].filter((name) => !KNOWN.has(name));
  return unknown.map((name) => `${name.slice(0, 40)} is not a word that the page knows: it is left out.`).join(" ");
}
