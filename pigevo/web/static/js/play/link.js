// The link to a finished game, to share.
import { make } from "../dom.js";
import { wordsOf } from "./replay.js";

/** The link to a game, and a button that copies it; null where others have no such opponent. */
export function linkView(game) {
  if (game.against.hidden || game.entry.own) return null;
  const address = `${location.origin}${location.pathname}?${wordsOf(game)}`;
  const copy = make("button", { type: "button", onclick: copied }, "Copy the link");
  function copied() {
    navigator.clipboard.writeText(address).then(() => (copy.textContent = "Copied"), () => (copy.textContent = "Copying is not allowed here"));
  }
  return make("p", { class: "share" }, make("a", { href: address }, "Link to this game"), navigator.clipboard ? copy : null);
}
