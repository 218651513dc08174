// One game of a person (player 0) against a strategy (player 1), in any game whose rules are given as data.
//
// The rules are those of a `Game` of pigevo, as `data/index.json` has them: throws, target, reply, turns, cap and so on. A
// place is the position of the player to move when a turn begins: `{seat, turn, own, other, last}`; seat 0 moved first in the
// game, turns count from 1, and `last` is the points that the other player banked last. This file names no game.
export const PERSON = 0;
export const OPPONENT = 1;

const OPENING = { seat: 0, turn: 1, own: 0, other: 0, last: 0 };

/** A new game; in seat 0 the person moves first. `result` is the person's: won, lost, draw, stalemate; null while the game goes on. `acts` has all rolls and holds of the person, first rolls included. */
export function newGame(game, seat) {
  return { game, seat, at: OPENING, throws: [], turns: [], choices: [], acts: "", scores: [0, 0], mover: seat === 0 ? PERSON : OPPONENT, result: null };
}

/** Where a game begins. */
export function opening() {
  return OPENING;
}

/** The points at risk. */
export function total(state) {
  return state.throws.reduce((sum, one) => sum + (one.ends ? 0 : one.points), 0);
}

/** Whether the player to move may hold: the first roll of a turn is no choice, unless passing is allowed. */
export function isChoice(state) {
  return state.result === null && (state.throws.length > 0 || state.game.passing);
}

/** The possible outcomes of the next throw. */
export function throwsOf(game, atRisk) {
  return atRisk === 0 ? game.firstThrows : game.throws;
}

/** Words about the value of a draw in a chance to win, in games that can end in one. */
export function drawWords(game) {
  return game.turns || game.reply === "second" ? " (a draw counts as half a win)" : "";
}

/** The turn total at which a turn ends by itself. */
export function most(game, { own }) {
  return game.target ? game.size - own : game.size;
}

/** The index of a place in a strategy's arrays; values beyond the end of an axis are clipped. */
export function cell(game, { seat, turn, own, other, last }) {
  const at = { own, opponent: other, difference: own - other, left: game.turns - turn + 1, second: seat, last_turn: last };
  return game.axes.reduce((before, [name, first, size]) => before * size + Math.min(Math.max(at[name] - first, 0), size - 1), 0);
}

/** A score as it counts: if the game has a cap, scores, or in games of turns leads, are clipped to it. */
function counted(game, own, other) {
  if (game.target) return game.reply ? Math.min(own, game.size) : own;
  return game.falls ? Math.min(own, game.cap) : other + Math.min(Math.max(own - other, -game.cap), game.cap);
}

/** Whether nobody has a turn left. */
function isLast(game, { seat, turn, other }, score) {
  if (!game.target) return seat === 1 && turn === game.turns;
  const replies = game.reply === "other" || (game.reply === "second" && seat === 0);
  return other >= game.target || score >= game.size || (score >= game.target && !replies);
}

/** The outcome of a turn that changes the score by `banked`: the other player's place, and the mover's result, or null. */
export function after(game, place, banked) {
  const { seat, turn, own, other } = place;
  const score = counted(game, own + banked, other);
  const level = game.level === "draw" ? "draw" : "lost";
  const result = !isLast(game, place, own + banked) ? null : score === other ? level : score > other ? "won" : "lost";
  return { place: { seat: 1 - seat, turn: turn + seat, own: other, other: score, last: Math.max(banked, 0) }, result };
}

/** The player to move throws; `thrown` is one of `throwsOf`, with the faces that lie on the table. */
export function roll(state, thrown) {
  note(state, true);
  state.throws = [...state.throws, thrown];
  if (thrown.ends) endTurn(state, thrown.ends === "turn" ? thrown.points : -state.at.own);
  else if (total(state) >= most(state.game, state.at)) endTurn(state, total(state));
}

/** The player to move banks the turn total, or passes. */
export function hold(state) {
  note(state, false);
  endTurn(state, total(state));
}

function note(state, rolled) {
  if (state.mover !== PERSON) return;
  state.acts += rolled ? "r" : "h";
  if (isChoice(state)) state.choices.push({ place: state.at, total: total(state), rolled });
}

/** The result of the other player. */
function opposite(result) {
  return { won: "lost", lost: "won" }[result] ?? result;
}

function endTurn(state, banked) {
  const { game, mover, at, throws } = state;
  const { place, result } = after(game, at, banked);
  const before = state.turns.at(-1);
  state.turns.push({ player: mover, own: at.own, score: place.other, throws, banked });
  state.scores[mover] = place.other;
  state.throws = [];
  if (result) state.result = mover === PERSON ? result : opposite(result);
  else if (game.target && !throws.length && before && !before.throws.length) state.result = "stalemate";
  else [state.at, state.mover] = [place, 1 - mover];
}
