// The elements of the Look tab: controls, figures, slice, verdict.
import { make } from "../dom.js";

const BY_HAND = "Drag a surface to turn it";
const BY_KEYS = ", or use the arrow keys; plus and minus bring it nearer and further, Home turns it back";

/** All parts by name; `all` are those to be put on the page, in their order. */
export function lookParts(game, strategies, figures) {
  const last = game.target - 1;
  const strategy = make("select", { id: "look-strategy" });
  const offer = (chosen) => {
    strategy.replaceChildren(...strategies().map((one) => make("option", { value: one.id }, one.title)));
    if (chosen) strategy.value = chosen;
  };
  offer();
  const sentence = make("p", { class: "soft" });
  const again = check("look-again");
  const fade = check("look-fade");
  const near = check("look-near");
  const opponent = make("input", { type: "range", id: "look-opponent", min: 0, max: last, value: 40 });
  const opponentSays = make("output", { class: "number", for: "look-opponent" }, "40");
  const slice = make("canvas", {
    id: "look-slice", class: "slice", tabindex: 0, role: "application",
    "aria-label": "Slice: own score across, turn total up. The arrow keys go from cell to cell, ten with Shift; Enter says what both choices are worth.",
  });
  const verdict = make("div", { id: "look-verdict", class: "verdict" });
  const own = number("look-own", last - 1, 0);
  const total = number("look-total", last, 1);
  const names = [1, 2].map(() => make("span", {}));
  const inCaption = make("span", {});
  const surfaces = make("div", { class: "pair" }, ...figures.map(({ figure }) => figure));
  const hint = make("p", { class: "soft" }, BY_HAND, make("span", { class: "keyboard" }, BY_KEYS), ".");
  const againRow = labelled(again, "Mark where it rolls again above its surface");

  const all = [
    make("h2", {}, "The shape of a strategy"),
    make("p", {}, "A strategy rolls below its surface and holds on it: the height is the smallest turn total at which it holds, " +
      "or wins, for each own and each opponent’s score."),
    make("div", { class: "row" }, make("label", { for: "look-strategy" }, "Beside the optimum"), strategy),
    sentence,
    make("div", { class: "row slide" },
      make("label", { for: "look-opponent" }, "Opponent’s score"), opponent, opponentSays),
    surfaces, againRow, hint,
    make("div", { class: "pair slices" },
      make("figure", { class: "card" }, legend(names), slice,
        make("div", { class: "row" }, labelled(near, "Enlarge around the cell"),
          labelled(fade, "Faint where a player of ", inCaption, " never comes"))),
      make("div", { class: "card beside" },
        verdict,
        make("div", { class: "row" },
          make("label", { class: "entry" }, "Own score", own), make("label", { class: "entry" }, "Turn total", total)),
        make("p", { class: "soft" }, "Choose a cell of the slice. Win probabilities are exact, both players being the optimum afterwards."))),
  ];
  const withoutSurfaces = () => {
    surfaces.replaceWith(make("p", { class: "trouble", id: "look-no-surface" },
      "This browser cannot draw in three dimensions (it has no WebGL 2); the slices below show the same."));
    hint.remove();
    againRow.remove();
  };
  return {
    all, strategy, offer, sentence, again, fade, near, opponent, opponentSays, slice, verdict, own, total, surfaces, withoutSurfaces,
    named: [...names, inCaption], keys: `${BY_HAND}${BY_KEYS}.`,
  };
}

function legend([first, second]) {
  const key = (kind, ...words) => make("li", {}, make("span", { class: `key ${kind}`, "aria-hidden": "true" }), make("span", {}, ...words));
  return make("ul", { class: "keys" },
    key("roll", "both roll"), key("hold", "both hold"), key("optimum-rolls", "only the optimum rolls"),
    key("other-rolls", "only ", first, " rolls"));
}

const check = (id) => make("input", { type: "checkbox", id });
const labelled = (input, ...words) => make("label", { class: "check", for: input.id }, input, make("span", {}, ...words));
const number = (id, max, min) => make("input", { type: "number", id, min, max, step: 1, inputmode: "numeric" });
