// A sitting: game after game between a person and a strategy, shown as they go.
import { dice, freshSeed } from "../dice.js";
import { make } from "../dom.js";
import { ADAPTIVE, adaptiveOf, bestOf, opponentsIn, opponentsOf } from "./opponents.js";
import { facesText, resultSentence, turnSentence } from "./board.js";
import { errorsOf, gameOf, testView } from "./history.js";
import { hold, isChoice, newGame, OPPONENT, PERSON, roll, throwsOf, total } from "./game.js";
import { linkView, replayed, resumed } from "./replay.js";
import { review, reviewView } from "./review.js";
import { worth } from "./worth.js";

const REVIEW_EDGES = 34; // pixels of a review's width beside its chart
const PATIENCE = 400; // milliseconds of loading after which a message says so

const OF_LINK = "This game is from a link: \u201cyou\u201d is the person who played it. \u201cPlay again\u201d gives you the same dice.";

/** What a promise for a strategy becomes; its failure says which one could not be loaded. */
const named = ({ title }, promised) =>
  promised.catch((error) => Promise.reject(new Error(`${error.message.replace(/\.?$/, ".")} ${title} could not be loaded.`)));

/** The task of the person, in words. */
function task(state, last) {
  const [own, other] = state.scores;
  if (state.throws.length) return `You rolled ${facesText(last)}: ${total(state)} at risk. Roll again, or hold and have ${own + total(state)}.`;
  if (!state.turns.length) return "You move first: roll.";
  return `Your turn: ${own} against ${other}. ${state.game.passing ? "Roll, or pass." : "Roll."}`;
}

/**
 * Games on a board. `parts` are `{view, hints, sheet, end, history}`; `seed()` decides the dice of the next game, null for a fresh seed; `pace` is the time
 * in milliseconds between two rolls of the opponent; `adviser()` is the strategy whose advice is asked for; `asked()` is the
 * rule that the person is asked to play by, null if none; `keep(game)` is called when a game begins or ends, and after each act of the person.
 */
export function sitting(shared, { view, hints, sheet, end, history }, { seed, pace, adviser, asked, keep }) {
  const opponent = opponentsOf(shared);
  const adaptive = adaptiveOf(shared, seed);
  let played = 0; // games that were begun before the one at hand: each has its own dice
  let now = null; // the game at hand: {state, entry, seed, part, throwAll, against, name, last, hurry, skip}
  let withOdds = false;
  const tested = []; // games that were played by a rule to their end

  function begun() {
    return now !== null && now.state.turns.length + now.state.throws.length > 0;
  }

  /** Begin a game of some rules against a strategy; in seat null the seats alternate. */
  async function start(rules, entry, seat) {
    if (begun()) {
      learn(now);
      played += 1;
    }
    const source = { seed: seed() ?? freshSeed(), part: played };
    const throwAll = dice(rules, source.seed, source.part);
    const game = { ...source, state: newGame(rules, seat ?? played % 2), entry, throwAll, name: entry.title, last: null, by: asked(rules) };
    now = game;
    end.replaceChildren();
    hints.hide();
    show(""); // what was said belongs to the game before
    const loaded = await opposed(game, () => (entry === ADAPTIVE ? adapted(rules, game.state.seat) : plain(rules, entry)));
    if (!loaded || now !== game) return;
    Object.assign(game, loaded);
    game.against.values().catch(() => {}); // a failure is shown where the values are needed
    keep(game);
    if (game.state.seat === 0) show(task(game.state, null));
    else await opponentTurn(game, `${entry.title} moves first.`);
  }

  /**
   * What `load()` promises for a game, with `byRolls`, the decisions of the rule that the person is asked to play by: as it is now, because
   * another one may be drawn while the game goes on. Null where something could not be loaded, which is said, as is that it takes long.
   */
  async function opposed(game, load) {
    const { entry, by, state } = game;
    const say = (text) => now === game && show(text);
    const slow = setTimeout(() => say(`${game.name} of ${game.state.game.title} is being computed, which may take half a minute the first time.`), PATIENCE);
    try {
      const [loaded, ruled] = await Promise.all([named(entry, load()), by && named(by, opponent(state.game, by))]);
      return { ...loaded, byRolls: ruled?.rolls };
    } catch (error) {
      say(error.message);
      return null;
    } finally {
      clearTimeout(slow);
    }
  }

  /** Show the finished game of a link with its review, or go on with the game at hand, which has acts; false where it is damaged. */
  async function reopen(rules, entry, past) {
    if (entry === ADAPTIVE) return false; // what it had learned is in no link
    const ofLink = past.acts === undefined;
    const game = { ...past, state: newGame(rules, past.seat), entry, name: entry.title, last: null, ofLink };
    now = game;
    show("");
    const loaded = await opposed(game, () => plain(rules, entry));
    if (!loaded) return true;
    const again = (ofLink ? replayed : resumed)(rules, loaded.against, past);
    if (!again) return false;
    if (now !== game) return true;
    const { throws, turns, result } = again.state;
    played = ofLink ? past.part - 1 : past.part; // who plays the game of a link again has the same dice
    Object.assign(game, again, loaded, { last: throws.at(-1) ?? turns.at(-1)?.throws.at(-1) ?? null });
    if (result !== null) await finish(game);
    else show(task(game.state, game.last));
    return true;
  }

  /** Any other opponent than the one that adapts. */
  const plain = async (rules, entry) => ({ against: await opponent(rules, entry) });

  /** The opponent that adapts, with what it plans for the game at hand. */
  async function adapted(rules, seat) {
    const optimum = await opponent(rules, bestOf(opponentsIn(shared, rules)));
    return adaptive.next(ADAPTIVE, optimum, seat, played);
  }

  /** The opponent that adapts learns from a game, once. */
  function learn(game) {
    if (game.plan) adaptive.learn(game.state, game.plan);
    game.plan = null;
  }

  /** Show the game at hand; `text` is read aloud, so it is given only where there is something to say. */
  function show(text) {
    const { state, name, last, against } = now;
    const titles = ["You", name];
    const free = Boolean(against) && state.result === null && state.mover === PERSON;
    view.show(state, { titles, last, free, text, withOdds });
    sheet.show(state, titles);
  }

  function throwAll(game) {
    game.last = game.throwAll(throwsOf(game.state.game, total(game.state)));
    roll(game.state, game.last);
  }

  /** The person rolls or holds; while the opponent rolls, that hurries it. */
  function act(what) {
    const game = now;
    const { state, against } = game;
    if (!against || state.result !== null || (what === "hold" && state.mover === PERSON && !isChoice(state))) return;
    if (state.mover === OPPONENT) return hurry(game);
    hints.hide();
    if (what === "hold") hold(state);
    else throwAll(game);
    keep(game);
    if (state.result !== null) finish(game);
    else if (state.mover === OPPONENT) opponentTurn(game, turnSentence(state.turns.at(-1), "You"));
    else show(task(state, game.last));
  }

  function hurry(game) {
    game.hurry = true;
    game.skip?.();
  }

  async function opponentTurn(game, before) {
    const { state, name, against } = game;
    game.hurry = false;
    show(before);
    while (state.mover === OPPONENT && state.result === null) {
      if (pace && !game.hurry) await new Promise((done) => setTimeout((game.skip = done), pace));
      if (now !== game) return;
      if (!isChoice(state) || against.rolls(state.at, total(state))) throwAll(game);
      else hold(state);
      if (state.mover === OPPONENT && state.result === null) show();
    }
    if (state.result !== null) return finish(game);
    show(`${turnSentence(state.turns.at(-1), name)} ${task(state, null)}`);
  }

  async function finish(game) {
    const { state, name, plan, by, byRolls, ofLink, counted } = game;
    show(resultSentence(state, name));
    keep(game);
    learn(game);
    if (by) tested.push({ state, name, rule: by.rule, entry: by, errors: errorsOf(state, byRolls) });
    const against = await known(game, game.against);
    if (!against) return;
    const judgement = review(state, against);
    if (!by && !ofLink && !counted) history.add(gameOf(game, judgement));
    if (now !== game) return;
    game.counted = true;
    keep(game);
    const shown = reviewView(state, judgement, { against, optimum: optimumOf(state.game), name }, end.clientWidth - REVIEW_EDGES);
    shown.element.append(...[linkView(game)].filter(Boolean));
    end.replaceChildren(...(ofLink ? [make("p", { class: "soft whose" }, OF_LINK)] : []), ...(by ? [testView(tested)] : []), shown.element, ...(plan ? [adaptive.view()] : []));
    shown.heading.focus();
  }

  /** `{rolls, values}` of an opponent, or null where its values could not be computed, which is said. */
  async function known(game, { rolls, values }) {
    try {
      return { rolls, values: await values() };
    } catch (error) {
      if (now === game) show(`The win probabilities could not be computed: ${error.message}`);
      return null;
    }
  }

  /** The optimum of a game as `{rolls, values}`; null if it cannot be loaded, for example without a server, and then the review leaves it out. */
  async function optimumOf(rules) {
    try {
      const { rolls, values } = await opponent(rules, bestOf(opponentsIn(shared, rules)));
      return { rolls, values: await values() };
    } catch {
      return null;
    }
  }

  /** Show the values of both choices, against this opponent and against the optimum, and the adviser's decision, if it is a rule. */
  async function advice() {
    const game = now;
    const { state, against } = game;
    if (!against || !isChoice(state) || state.mover !== PERSON) return;
    if (game.by) return show("No advice in a game by a rule: it would be no test.");
    const [rules, place, atRisk] = [state.game, state.at, total(state)];
    const best = bestOf(opponentsIn(shared, rules));
    const others = best.id === against.entry.id || against.hidden ? [] : [against];
    const judges = [...others, await opponent(rules, best)];
    const worths = [];
    for (const judge of judges) {
      const one = await known(game, judge);
      if (!one) return;
      worths.push({ name: judge.entry.title, ...worth(rules, one, place, atRisk) });
    }
    const entry = adviser();
    const advised = entry.rule ? { ...entry, rolls: (await opponent(rules, entry)).rolls(place, atRisk) } : null;
    if (now === game && state.at === place && total(state) === atRisk) hints.show(worths, rules, place, atRisk, advised);
  }

  function odds() {
    withOdds = !withOdds;
    show();
  }

  return { start, reopen, act, advice, odds, begun, isOpen: () => begun() && now.state.result === null };
}
