// Play: a person against a strategy, by button, key or finger; odds and advice when asked, and a review at the end.
import { choice, make } from "../dom.js";
import { inside } from "../numbers.js";
import { freshDice, readSeed, seededDice } from "../dice.js";
import { advicePanel } from "../play/advice.js";
import { board, turnTold } from "../play/board.js";
import { hold, isChoice, newGame, OPPONENT, opponentRolls, PERSON, place, rollDie, total } from "../play/game.js";
import { scoreSheet } from "../play/log.js";
import { review } from "../play/review.js";
import { reviewView } from "../play/review_view.js";

const PACE = 650; // milliseconds between two rolls of the opponent
const SEATS = [["in-turn", "you and the opponent in turn"], ["you", "you"], ["opponent", "the opponent"]];

/** What the address asks for: a seed, an opponent, who moves first, the pace. */
function wishes(strategies) {
  const asked = new URLSearchParams(location.search);
  const known = strategies.some((one) => one.id === asked.get("opponent"));
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const pace = asked.has("pace") ? Number(asked.get("pace")) || 0 : calm ? 0 : PACE;
  return {
    seed: readSeed(asked.get("seed")),
    opponent: known ? asked.get("opponent") : strategies[0].id,
    first: SEATS.some(([id]) => id === asked.get("first")) ? asked.get("first") : "in-turn",
    pace: Math.min(Math.max(pace, 0), 5000),
  };
}

export async function mount(root, shared) {
  const { strategies, engine } = shared;
  const wish = wishes(strategies);
  const opponents = choice("Opponent", strategies.map((one) => [one.id, one.title]), { onchange: chosen });
  const seats = choice("First to move", SEATS, { onchange: chosen });
  const about = make("p", { class: "soft about" });
  const setup = make("form", { class: "setup", onsubmit: (event) => event.preventDefault() }, opponents.field, seats.field, about);
  const view = board({ roll: () => act("roll"), hold: () => act("hold"), again: playAgain, advice, odds: toggleOdds });
  const hints = advicePanel();
  const log = scoreSheet();
  const end = make("div", {});
  const help = make("p", { class: "soft help" }, "Each roll of 2 to 6 is added to what is at risk; a 1 loses it and ends the turn; holding banks it. ",
    `The first to have ${engine.game.target} wins. Keys: `, make("kbd", {}, "R"), " rolls, ", make("kbd", {}, "H"), " holds, ",
    make("kbd", {}, "A"), " gives advice, ", make("kbd", {}, "O"), " shows the odds, ", make("kbd", {}, "N"), " begins a new game.");
  opponents.select.value = strategies.find((one) => one.own)?.id ?? wish.opponent;
  seats.select.value = wish.first;
  root.append(setup, view.element, hints.element, end, log.element, help);

  let played = 0; // games that were begun before the one at hand: each has its own dice
  let now = null; // the game at hand: {state, dice, roll, name, titles, last, values}
  let withOdds = false;

  document.addEventListener("strategies", ({ detail }) => {
    opponents.select.replaceChildren(...strategies.map((one) => make("option", { value: one.id }, one.title)));
    opponents.select.value = detail;
    start();
  });

  function describe() {
    const one = strategies.find(({ id }) => id === opponents.select.value);
    about.textContent = one.sentence;
    return one;
  }

  /** Another opponent or seat: a game that has begun is played to its end first. */
  function chosen() {
    describe();
    if (begun()) about.append(" From the next game on.");
    else start();
  }

  function begun() {
    return now !== null && now.state.winner === null && (now.state.turns.length > 0 || now.state.rolls.length > 0);
  }

  async function start() {
    const { id, title } = describe();
    if (now && now.state.turns.length + now.state.rolls.length) played += 1;
    const number = played;
    const seat = { you: 0, opponent: 1 }[seats.select.value] ?? number % 2;
    const dice = wish.seed === null ? freshDice(engine.game.sides) : seededDice(wish.seed, number, engine.game.sides);
    now = { state: newGame(engine.game, seat), dice, titles: ["You", title], name: title, last: null };
    end.replaceChildren();
    hints.hide();
    const game = now;
    show();
    try {
      game.roll = await shared.load(id);
    } catch (error) {
      return show(`${title} could not be loaded: ${error.message}`);
    }
    if (now !== game) return;
    game.values = engine.respond(game.roll);
    game.values.catch(() => {}); // told where it is needed
    if (seat === 0) show("You move first: roll.");
    else opponentTurn(game, `${title} moves first.`);
  }

  /** Show the game at hand; `text` is read aloud, so it is changed only where there is something to say. */
  function show(text) {
    const { state, titles, last, roll } = now;
    const free = Boolean(roll) && state.winner === null && state.mover === PERSON;
    view.show(state, { titles, last, free, text, withOdds });
    log.show(state, titles);
  }

  function act(what) {
    const game = now;
    const { state } = game;
    if (state.mover === OPPONENT) game.hurry = true;
    if (!game.roll || state.winner !== null || state.mover !== PERSON || (what === "hold" && !isChoice(state))) return;
    hints.hide();
    if (what === "hold") hold(state);
    else rollDie(state, (game.last = game.dice.next().value));
    if (state.winner !== null) return finish(game);
    if (state.mover === OPPONENT) return opponentTurn(game, turnTold(state.turns.at(-1), "You"));
    show(`You rolled ${game.last}: ${total(state)} at risk. Roll again, or hold for ${state.scores[PERSON] + total(state)}.`);
  }

  async function opponentTurn(game, before) {
    const { state, name, roll } = game;
    show(before);
    game.hurry = false;
    while (state.mover === OPPONENT && state.winner === null) {
      if (wish.pace && !game.hurry) await new Promise((done) => setTimeout(done, wish.pace));
      if (now !== game) return;
      if (opponentRolls(state, roll)) rollDie(state, (game.last = game.dice.next().value));
      else hold(state);
      if (state.mover === OPPONENT && state.winner === null) show();
    }
    if (state.winner !== null) return finish(game);
    show(`${turnTold(state.turns.at(-1), name)} Your turn: ${state.scores[PERSON]} against ${state.scores[OPPONENT]}. Roll.`);
  }

  async function finish(game) {
    const { state, name } = game;
    const [own, other] = state.scores;
    hints.hide();
    show(state.winner === PERSON ? `You win by ${own} to ${other}.` : `${name} wins by ${other} to ${own}.`);
    const values = await valuesOf(game);
    if (now !== game || !values) return;
    const shown = reviewView(state, review(state, values), name, end.clientWidth - 34);
    end.replaceChildren(shown.element);
    shown.heading.focus();
  }

  /** What states are worth against this opponent, or null where that could not be computed, which is said. */
  async function valuesOf(game) {
    try {
      return await game.values;
    } catch (error) {
      show(`The win probabilities could not be computed: ${error.message}`);
      return null;
    }
  }

  function playAgain() {
    start();
    view.focus();
  }

  async function advice() {
    const game = now;
    if (!isChoice(game.state) || game.state.mover !== PERSON) return;
    const where = place(game.state);
    const values = await valuesOf(game);
    if (!values) return;
    const judges = [{ name: game.name, values }];
    const best = strategies.find(({ id }) => id === "optimal");
    if (best && best.title !== game.name) {
      const roll = await shared.load(best.id);
      judges.push({ name: best.title, values: await (shared.optimum ??= engine.evaluate(roll, roll)) });
    }
    if (now === game && place(game.state).join() === where.join()) hints.show(judges, engine.worth, where);
  }

  function toggleOdds() {
    withOdds = !withOdds;
    show();
  }

  const KEYS = { r: () => act("roll"), h: () => act("hold"), a: advice, o: toggleOdds, n: playAgain };
  document.addEventListener("keydown", (event) => {
    if (root.hidden || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, select, textarea")) return;
    const action = KEYS[event.key.toLowerCase()];
    if (action) action();
  });
  await start();
}
