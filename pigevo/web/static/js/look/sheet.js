// The styles of Look and Watch, which are loaded with the first of the two.
import { make } from "../dom.js";

let ready = null;

/** Resolves when the styles are there. */
export function styled() {
  ready ??= new Promise((resolve) => {
    const href = new URL("../../css/look.css", import.meta.url).href;
    document.head.append(make("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  });
  return ready;
}
