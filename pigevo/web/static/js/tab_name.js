// The name of this tab of the browser, under which localStorage has what the tab keeps.
//
// sessionStorage has this name and nothing else: what changes there is old in a page that comes back to a process of the browser
// in which the tab was before, while all processes read the same in localStorage.
import { freshSeed } from "./dice.js";

const KEY = "pigevo tab";

/** The name of this tab, which stays when the page is loaded again. */
export function tabName() {
  const name = sessionStorage.getItem(KEY) ?? String(freshSeed());
  sessionStorage.setItem(KEY, name);
  return name;
}

/** Whether an entry of localStorage is of this tab. */
export const isOwn = ({ tab }) => tab === tabName();
