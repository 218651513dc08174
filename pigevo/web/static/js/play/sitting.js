// A sitting: game after game between a person and a strategy, shown as they go.
import { freshDice, seededDice } from "../dice.js";
import { cell } from "../engine.js";
import { turnSentence } from "./board.js";
import { hold, isChoice, newGame, OPPONENT, opponentRolls, PERSON, place, rollDie, total } from "./game.js";
import { review } from "./review.js";
import { reviewView } from "./review_view.js";

const REVIEW_EDGES = 34; // pixels of a review that are no room for its chart

/**
 * Games on a board. `parts` are `{view, hints, sheet, end}`; `seed` decides the dice, null for fresh ones; `pace` is the time
 * in milliseconds between two rolls of the opponent; `adviser()` is the strategy whose advice is asked for.
 */
export function sitting(shared, { view, hints, sheet, end }, { seed, pace, adviser }) {
  const { engine, strategies } = shared;
  let played = 0; // games that were begun before the one at hand: each has its own dice
  let now = null; // the game at hand: {state, dice, roll, name, last, values, hurry, skip}
  let withOdds = false;

  function begun() {
    return now !== null && now.state.turns.length + now.state.rolls.length > 0;
  }

  /** Begin a game against a strategy; in seat null the seats alternate. */
  async function start({ id, title }, seat) {
    if (begun()) played += 1;
    const dice = seed === null ? freshDice(engine.game.sides) : seededDice(seed, played, engine.game.sides);
    const game = { state: newGame(engine.game, seat ?? played % 2), dice, name: title, last: null };
    now = game;
    end.replaceChildren();
    hints.hide();
    show();
    try {
      game.roll = await shared.load(id);
    } catch (error) {
      if (now === game) show(`${title} could not be loaded: ${error.message}`);
      return;
    }
    if (now !== game) return;
    game.values = engine.respond(game.roll);
    game.values.catch(() => {}); // told where it is needed
    if (game.state.seat === 0) show("You move first: roll.");
    else await opponentTurn(game, `${title} moves first.`);
  }

  /** Show the game at hand; `text` is read aloud, so it is given only where there is something to say. */
  function show(text) {
    const { state, name, last, roll } = now;
    const titles = ["You", name];
    const free = Boolean(roll) && state.winner === null && state.mover === PERSON;
    view.show(state, { titles, last, free, text, withOdds });
    sheet.show(state, titles);
  }

  function throwDie(game) {
    game.last = game.dice.next().value;
    rollDie(game.state, game.last);
  }

  /** The person rolls or holds; while the opponent rolls, that hurries it. */
  function act(what) {
    const game = now;
    const { state, roll } = game;
    if (!roll || state.winner !== null || (what === "hold" && state.mover === PERSON && !isChoice(state))) return;
    if (state.mover === OPPONENT) return hurry(game);
    hints.hide();
    if (what === "hold") hold(state);
    else throwDie(game);
    if (state.winner !== null) finish(game);
    else if (state.mover === OPPONENT) opponentTurn(game, turnSentence(state.turns.at(-1), "You"));
    else show(`You rolled ${game.last}: ${total(state)} at risk. Roll again, or hold, which makes your score ${state.scores[PERSON] + total(state)}.`);
  }

  function hurry(game) {
    game.hurry = true;
    game.skip?.();
  }

  async function opponentTurn(game, before) {
    const { state, name, roll } = game;
    game.hurry = false;
    show(before);
    while (state.mover === OPPONENT && state.winner === null) {
      if (pace && !game.hurry) await new Promise((done) => setTimeout((game.skip = done), pace));
      if (now !== game) return;
      if (opponentRolls(state, roll)) throwDie(game);
      else hold(state);
      if (state.mover === OPPONENT && state.winner === null) show();
    }
    if (state.winner !== null) return finish(game);
    show(`${turnSentence(state.turns.at(-1), name)} Your turn: ${state.scores[PERSON]} against ${state.scores[OPPONENT]}. Roll.`);
  }

  async function finish(game) {
    const { state, name } = game;
    const [own, other] = state.scores;
    show(state.winner === PERSON ? `You win by ${own} to ${other}.` : `${name} wins by ${other} to ${own}.`);
    const values = await valuesOf(game);
    if (now !== game || !values) return;
    const shown = reviewView(state, review(state, values), name, end.clientWidth - REVIEW_EDGES);
    end.replaceChildren(shown.element);
    shown.heading.focus();
  }

  /** What states are worth against this opponent, or null where that could not be computed, which is said. */
  async function valuesOf(game) {
    try {
      return await game.values;
    } catch (error) {
      if (now === game) show(`The win probabilities could not be computed: ${error.message}`);
      return null;
    }
  }

  /** What both choices are worth, against this opponent and against the optimum, and what the adviser does, if it is a rule. */
  async function advice() {
    const game = now;
    if (!isChoice(game.state) || game.state.mover !== PERSON) return;
    const where = place(game.state);
    const values = await valuesOf(game);
    if (!values) return;
    const judges = [{ name: game.name, values }];
    const best = strategies.find(({ id }) => id === "optimal");
    if (best.title !== game.name) {
      const roll = await shared.load(best.id);
      judges.push({ name: best.title, values: await (shared.optimum ??= engine.evaluate(roll, roll)) });
    }
    const { rule, id, title, sentence } = adviser();
    const advised = rule ? { title, sentence, rolls: (await shared.load(id))[cell(engine.game, ...where)] === 1 } : null;
    if (now === game && place(game.state).join() === where.join()) hints.show(judges, engine.worth, where, advised);
  }

  function odds() {
    withOdds = !withOdds;
    show();
  }

  return { start, act, advice, odds, isOpen: () => begun() && now.state.winner === null };
}
