// The words of an address that the page knows.
export const TABS = ["play", "look", "watch", "evolve", "draw"];
const OF_PLAY = ["daily", "seed", "game", "opponent", "adviser", "by", "first", "replay", "part", "end", "pace"];

/** The tab that an address opens if nothing comes after a `#`. */
export function tabOf(search) {
  const words = new URLSearchParams(search);
  return TABS.find((tab) => words.has(tab)) ?? TABS[0];
}

/** What is said of the words that neither Play nor a tab with `more` of them knows, in sentences; empty if there are none. */
export function unknownIn(search, more = []) {
  const known = [...TABS, ...OF_PLAY, ...more];
  const unknown = [...new URLSearchParams(search).keys()].filter((name) => !known.includes(name));
  return unknown.map((name) => `${name.slice(0, 40)} is not a word that the page knows: it is left out.`).join(" ");
}
