// The words of an address that the page knows, and the name of the tab of the browser in which it is open.
import { freshSeed } from "./dice.js";

export const TABS = ["play", "look", "watch", "evolve", "draw"];
export const OF_PLAY = ["daily", "seed", "game", "opponent", "adviser", "by", "first", "replay", "part", "end", "pace"];

/** The tab that an address opens if nothing comes after a `#`. */
export function tabOf(search) {
  const words = new URLSearchParams(search);
  return TABS.find((tab) => words.has(tab)) ?? TABS[0];
}

/** What is said of words that stand there twice, and of those that neither Play nor a tab with `more` of them knows, in sentences; empty if there are none. */
export function strangeIn(search, more = []) {
  const asked = new URLSearchParams(search);
  const known = [...TABS, ...OF_PLAY, ...more];
  const sentences = [...new Set(asked.keys())].map((name) => {
    if (!known.includes(name)) return `${name.slice(0, 40)} is not a word that the page knows: it is left out.`;
    return asked.getAll(name).length > 1 ? `${name} stands there more than once: the first one is taken.` : "";
  });
  return sentences.filter(Boolean).join(" ");
}

// sessionStorage has this name and nothing else: what changes there is old in a page that comes back to a process of the browser
// in which the tab was before, while all processes read the same in localStorage.
const TAB_KEY = "pigevo tab";

/** The name of this tab, under which localStorage has what the tab keeps; it stays when the page is loaded again. */
export function tabName() {
  const name = sessionStorage.getItem(TAB_KEY) ?? String(freshSeed());
  sessionStorage.setItem(TAB_KEY, name);
  return name;
}

/** Whether an entry of localStorage is of this tab. */
export const isOwn = ({ tab }) => tab === tabName();
