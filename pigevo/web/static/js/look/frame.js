// What stands on the Look tab: controls, figures, slice, verdict.
import { make } from "./parts.js";

const KEYS = "Drag it, or turn it with the arrow keys; plus and minus bring it nearer and further, Home turns it back.";

/** All parts by name; `all` are those to be put on the page, in their order. */
export function lookParts(game, strategies, figures) {
  const last = game.target - 1;
  const options = strategies.map((one) => make("option", { value: one.id }, one.title));
  const strategy = make("select", { id: "look-strategy" }, ...options);
  const sentence = make("p", { className: "soft" });
  const again = check("look-again");
  const fade = check("look-fade");
  const opponent = make("input", { type: "range", id: "look-opponent", min: 0, max: last, value: 40 });
  const opponentSays = make("output", { className: "number", htmlFor: "look-opponent" }, "40");
  const slice = make("canvas", {
    id: "look-slice", className: "slice", tabIndex: 0, role: "application",
    "aria-label": "Slice: own score across, turn total up. The arrow keys go from cell to cell, ten with Shift; Enter says what both choices are worth.",
  });
  const verdict = make("div", { id: "look-verdict", className: "verdict" });
  const own = number("look-own", last - 1, 0);
  const total = number("look-total", last, 1);
  const names = [1, 2].map(() => make("span", {}));
  const inCaption = make("span", {});
  const surfaces = make("div", { className: "pair" }, ...figures.map(({ figure }) => figure));
  const hint = make("p", { className: "soft" }, KEYS);
  const againRow = labelled(again, "Mark where it rolls again above its surface");

  const all = [
    make("h2", {}, "The shape of a strategy"),
    make("p", {}, "A strategy rolls below its surface and holds on it: the height is the smallest turn total at which it holds, " +
      "or wins, for each own and each opponent’s score."),
    make("div", { className: "row" }, make("label", { htmlFor: "look-strategy" }, "Beside the optimum"), strategy, againRow),
    sentence, surfaces, hint,
    make("div", { className: "row slider" },
      make("label", { htmlFor: "look-opponent" }, "Opponent’s score"), opponent, opponentSays),
    make("div", { className: "pair slices" },
      make("figure", { className: "card" }, legend(names), slice,
        make("div", { className: "row" }, labelled(fade, "Pale where who follows ", inCaption, " never comes"))),
      make("div", { className: "card side" },
        verdict,
        make("div", { className: "row" },
          make("label", { className: "field" }, "Own score", own), make("label", { className: "field" }, "Turn total", total)),
        make("p", { className: "soft" }, "Choose a cell of the slice. Win probabilities are exact, both players being the optimum afterwards."))),
  ];
  const withoutSurfaces = () => {
    surfaces.replaceWith(make("p", { className: "trouble", id: "look-no-surface" },
      "This browser cannot draw in three dimensions (it has no WebGL 2); the slices below show the same."));
    hint.remove();
    againRow.remove();
  };
  return {
    all, strategy, sentence, again, fade, opponent, opponentSays, slice, verdict, own, total, surfaces, withoutSurfaces,
    named: [...names, inCaption], keys: KEYS,
  };
}

function legend([first, second]) {
  const key = (kind, ...words) => make("li", {}, make("span", { className: `key ${kind}`, "aria-hidden": "true" }), make("span", {}, ...words));
  return make("ul", { className: "legend" },
    key("roll", "both roll"), key("hold", "both hold"), key("optimum-rolls", "only the optimum rolls"),
    key("other-rolls", "only ", first, " rolls"));
}

const check = (id) => make("input", { type: "checkbox", id });
const labelled = (input, ...words) => make("label", { className: "check", htmlFor: input.id }, input, make("span", {}, ...words));
const number = (id, max, min) => make("input", { type: "number", id, min, max, step: 1, inputMode: "numeric" });
