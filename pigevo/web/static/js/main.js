// The page: five tabs, each loaded when it is first opened; the address says which one is shown.
import { strangeIn, TABS, tabOf } from "./address.js";
import { startEngine, openStrategies } from "./shared.js";

const LOADERS = {
  play: () => import("./tabs/play.js"),
  look: () => import("./tabs/look.js"),
  watch: () => import("./tabs/watch.js"),
  evolve: () => import("./tabs/evolve.js"),
  draw: () => import("./tabs/draw.js"),
};
const mounted = new Set();
let ready = null; // a promise of what all tabs share

function announce(text) {
  const place = document.getElementById("announcer");
  place.textContent = "";
  setTimeout(() => (place.textContent = text), 30); // screen readers read each change, also if the words are the same
}

async function shared() {
  const opened = await openStrategies();
  return { ...opened, engine: startEngine(opened.game), announce };
}

function trouble(sentence) {
  const text = document.createElement("p");
  text.className = "trouble";
  text.setAttribute("role", "alert");
  text.textContent = sentence;
  return text;
}

const ended = ({ message }) => message.replace(/\.?$/, ".");

/** Say in the part that is shown that a choice has failed, until the next one. */
function tell({ reason }) {
  const text = trouble(`That could not be shown: ${ended(reason)}`);
  document.querySelector("main > section:not([hidden])").prepend(text);
  text.scrollIntoView({ block: "nearest" });
  document.addEventListener("change", () => text.remove(), { once: true });
}

/** What is said of strange words of the address in the tab that is shown first; Play says it itself, and Evolve of the words of a run. */
function saidFirst(name) {
  return name === "play" || new URLSearchParams(location.search).has("evolve") ? "" : strangeIn(location.search);
}

async function mount(name) {
  if (mounted.has(name)) return;
  mounted.add(name);
  const said = mounted.size === 1 ? saidFirst(name) : "";
  const root = document.getElementById(name);
  try {
    ready ??= shared();
    const [tab, context] = await Promise.all([LOADERS[name](), ready]);
    root.replaceChildren();
    await tab.mount(root, context);
    if (said) root.prepend(trouble(said));
  } catch (error) {
    mounted.delete(name);
    ready = null;
    root.replaceChildren(trouble(`This part could not be shown: ${ended(error)} Load the page again.`));
  }
}

function show() {
  const asked = location.hash.slice(1).split("/")[0];
  const name = TABS.includes(asked) ? asked : tabOf(location.search);
  for (const tab of TABS) {
    document.getElementById(tab).hidden = tab !== name;
    const link = document.querySelector(`nav a[href="#${tab}"]`);
    if (tab === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${document.querySelector(`nav a[href="#${name}"]`).textContent} - Pig`;
  mount(name);
}

/** Have the page stored, so that it works without its server, if the browser allows it. */
function storeThePage() {
  if (location.protocol.startsWith("http")) navigator.serviceWorker?.register(new URL("../service_worker.js", import.meta.url)).catch(() => {});
}

document.getElementById("late")?.remove(); // what it says is no longer so
document.getElementById("skip").addEventListener("click", () => document.getElementById("main").focus());
window.addEventListener("hashchange", show);
window.addEventListener("unhandledrejection", tell);
show();
window.addEventListener("load", storeThePage);
