// One game of a person (player 0) against a strategy (player 1): whose turn it is, what was rolled and chosen.
import { cell } from "../engine.js";

export const PERSON = 0;
export const OPPONENT = 1;

/** A new game; in seat 0 the person moves first. */
export function newGame(game, seat) {
  return { game, seat, scores: [0, 0], mover: seat === 0 ? PERSON : OPPONENT, rolls: [], turns: [], choices: [], winner: null };
}

/** The points at risk. */
export function total(state) {
  return state.rolls.reduce((sum, face) => sum + face, 0);
}

/** Whether the one to move may hold: the first roll of a turn is no choice. */
export function isChoice(state) {
  return state.winner === null && state.rolls.length > 0;
}

/** Where the one to move stands: own score, opponent's, turn total. */
export function place(state) {
  return [state.scores[state.mover], state.scores[1 - state.mover], total(state)];
}

/** Whether the opponent, to move, rolls. */
export function opponentRolls(state, roll) {
  return !isChoice(state) || roll[cell(state.game, ...place(state))] === 1;
}

/** The one to move rolls; 1 loses the turn, and who comes to the target banks at once. */
export function rollDie(state, face) {
  note(state, true);
  state.rolls.push(face);
  if (face === 1) endTurn(state, 0);
  else if (state.scores[state.mover] + total(state) >= state.game.target) endTurn(state, total(state));
}

/** The one to move banks the turn total. */
export function hold(state) {
  note(state, false);
  endTurn(state, total(state));
}

function note(state, rolled) {
  if (state.mover !== PERSON || !isChoice(state)) return;
  const [own, opponent, atRisk] = place(state);
  const turn = state.turns.filter((one) => one.player === PERSON).length + 1;
  state.choices.push({ turn, own, opponent, total: atRisk, rolled });
}

function endTurn(state, banked) {
  const [own, opponent] = place(state);
  state.turns.push({ player: state.mover, own, opponent, rolls: state.rolls, banked });
  state.scores[state.mover] += banked;
  state.rolls = [];
  if (state.scores[state.mover] >= state.game.target) state.winner = state.mover;
  else state.mover = 1 - state.mover;
}
