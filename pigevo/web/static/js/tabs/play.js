// Play: a person against a strategy, by button, key or finger; odds and advice on request, and a review at the end.
import { strangeIn } from "../address.js";
import { choice, make } from "../dom.js";
import { LARGEST_SEED, readSeed, seedOfDay } from "../dice.js";
import { inside, refusal } from "../numbers.js";
import { advicePanel } from "../play/worth.js";
import { gameAtHand, keepAtHand } from "../play/at_hand.js";
import { board, scoreSheet, throwsTable } from "../play/board.js";
import { bestOf, opponentsIn } from "../play/opponents.js";
import { historyView } from "../play/history.js";
import { readReplay } from "../play/replay.js";
import { sitting } from "../play/sitting.js";

const PACE = 650; // milliseconds between two rolls of the opponent
const SLOWEST = 60000;
const DAMAGED = "This link to a game is damaged or from another version of the page: here is a new game.";
const FREELY = ""; // by no rule
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const SMALL = "(max-width: 40rem), (max-height: 500px)"; // a phone, as in style.css, or a phone that is turned
const SEATS = [["in-turn", "both in turn"], ["you", "you"], ["opponent", "the opponent"]];
const SEAT = { you: 0, opponent: 1, "in-turn": null };
const GAME_WORDS = ["game", "opponent", "by"];
const LINK_WORDS = ["game", "opponent", "seed", "part", "first", "replay", "end"];
const DAY_PLAYED = " The game of the day has been played: this is an ordinary game, with dice of its own.";

/** The strategies whose advice a person can follow: the optimum, and rules. */
function advisers(entries) {
  return entries.filter((one) => one === bestOf(entries) || one.rule);
}

/** The rules that a person can be asked to play by. */
function rulesOf(entries) {
  return entries.filter((one) => one.rule);
}

/** Whether a game has everything that the address asks for. */
function goesWith(asked, game) {
  return GAME_WORDS.every((name) => !asked.has(name) || asked.get(name) === game[name]) && (SEAT[asked.get("first")] ?? game.seat) === game.seat;
}

/**
 * What the address asks for: a game, a seed or that of the day, an opponent, an adviser, a rule to play by, who moves first, the pace.
 * `begun` is the game at hand in this browser that goes with the address. With a seed or a game of its own (`lasts` is
 * false) an address always begins with the same game.
 */
function wishes(shared) {
  const asked = new URLSearchParams(location.search);
  const day = asked.has("daily") ? new Date() : null;
  const seed = day ? seedOfDay(day) : asked.has("evolve") ? null : readSeed(asked.get("seed")); // there it is the seed of a run
  const lasts = day !== null || (seed === null && !asked.has("replay"));
  const named = ({ game }) => shared.games.find(({ name }) => name === game);
  const foreign = []; // games that a page with another game by this name has begun
  const fits = (game) => goesWith(asked, game) && (named(game)?.rules === (game.rules ?? "") || !foreign.push(game));
  const begun = lasts ? gameAtHand(day, fits) : null;
  const word = (name) => asked.get(name) ?? begun?.[name];
  const game = shared.games.find(({ name }) => name === word("game")) ?? shared.games[0];
  const entries = opponentsIn(shared, game);
  const known = (among, name) => (among.some((one) => one.id === word(name)) ? word(name) : bestOf(entries).id);
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const pace = asked.has("pace") ? Number(asked.get("pace")) || 0 : calm ? 0 : PACE;
  const wish = {
    game: game.name,
    seed,
    day,
    lasts,
    opponent: known(entries, "opponent"),
    adviser: known(advisers(entries), "adviser"),
    by: rulesOf(entries).find(({ id }) => id === word("by"))?.id ?? FREELY,
    first: Object.hasOwn(SEAT, word("first")) ? word("first") : "in-turn",
    pace: Math.min(Math.max(pace, 0), SLOWEST),
    link: asked.has("replay") ? readReplay(asked) : undefined, // null where it is damaged
  };
  const titleOf = (among, id) => inside(among.find((one) => one.id === id)?.title ?? "your own judgement");
  const wrong = [
    ["game", shared.games.some(({ name }) => name === asked.get("game")), "a game of the page", game.title],
    ["opponent", entries.some(({ id }) => id === asked.get("opponent")), `an opponent in ${game.title}`, titleOf(entries, wish.opponent)],
    ["adviser", advisers(entries).some(({ id }) => id === asked.get("adviser")), `an adviser in ${game.title}`, titleOf(entries, wish.adviser)],
    ["by", asked.get("by") === FREELY || rulesOf(entries).some(({ id }) => id === asked.get("by")), `a rule of the page for ${game.title}`, titleOf(entries, wish.by)],
    ["first", Object.hasOwn(SEAT, asked.get("first")), "you, opponent or in-turn", wish.first],
    ["seed", seed !== null || asked.has("evolve"), `a whole number from 0 to ${LARGEST_SEED}`, "a new seed for each game"],
    ["pace", /^\d+$/.test(asked.get("pace")) && Number(asked.get("pace")) <= SLOWEST, `a whole number of milliseconds up to ${SLOWEST}`, String(wish.pace)],
    ["daily", !asked.get("daily"), "daily without a value", "the game of today"],
  ].filter(([name, right]) => asked.has(name) && !right && !(asked.has("replay") && LINK_WORDS.includes(name)));
  const left = begun ? null : foreign.find((game) => game.acts && !game.over && named(game));
  const waits = left ? `The game that you had begun has other rules than ${named(left).title}: it waits for a page with these rules.` : "";
  const idle = asked.has("replay") ? [] : ["part", "end"].filter((name) => asked.has(name));
  const unused = idle.map((name) => `${name} is a word of a link to a game, which has replay too: it is left out.`);
  if (day && !asked.has("evolve") && asked.has("seed")) unused.push("seed is left out: the game of the day has its date as its seed.");
  const strange = asked.has("evolve") ? "" : strangeIn(location.search); // which says so itself
  wish.wrong = [...wrong.map(([name, , wanted, taken]) => refusal(`${name}=${asked.get(name)}`, wanted, taken)), ...unused, strange, waits].filter(Boolean).join(" ");
  const whole = begun && GAME_WORDS.every((name) => wish[name] === begun[name]);
  return { ...wish, begun: whole ? begun : null };
}

function help() {
  const key = (name) => make("kbd", {}, name);
  return make("p", { class: "soft help keyboard" },
    "Keys: ", key("R"), " rolls, ", key("H"), " holds, ", key("A"), " gives advice, ", key("O"), " shows the odds, ", key("N"), " begins a new game.");
}

/** Call the action of a pressed key while the tab is shown and nothing is typed or chosen. */
function onKeys(root, actions) {
  document.addEventListener("keydown", (event) => {
    if (root.hidden || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (!event.target.closest("input, select, textarea")) actions[event.key.toLowerCase()]?.();
  });
}

export async function mount(root, shared) {
  const wish = wishes(shared);
  const kinds = choice("Game", shared.games.map(({ name, title }) => [name, title]), { onchange: another });
  const opponents = choice("Opponent", [], { onchange: chosen });
  const counsel = choice("Adviser", [], { onchange: counselled });
  const test = choice("Play by", [], { onchange: chosen });
  const seats = choice("First to move", SEATS, { onchange: chosen });
  const damage = make("p", { class: "trouble", role: "alert", hidden: !wish.wrong }, wish.wrong);
  const rules = make("p", { class: "rules" });
  const brought = make("div", {});
  const about = make("p", { class: "soft about" });
  const [roll, hold] = ["roll", "hold"].map((what) => () => {
    view.goOn();
    games.act(what);
    if (matchMedia(SMALL).matches) foldSettings();
  });
  const view = board({ roll, hold, again, advice: () => games.advice(), odds: () => games.odds() });
  const parts = { view, hints: advicePanel(), sheet: scoreSheet(), history: historyView(), end: make("div", {}) };
  const keep = (game) => wish.lasts && keepAtHand(wish.day, game, { first: seats.select.value, adviser: counsel.select.value });
  const games = sitting(shared, parts, { seed: () => wish.seed, pace: wish.pace, adviser: () => entry(counsel), asked: () => entry(test) ?? null, keep });
  kinds.select.value = wish.game;
  let playing = wish.game;
  seats.select.value = wish.first;
  offer(wish);
  const daily = make("a", { class: "daily", href: "?daily" }, "Game of the day");
  const form = make("form", { class: "setup", onsubmit: (event) => event.preventDefault() }, kinds.field, opponents.field, seats.field, counsel.field, test.field, daily);
  const settings = make("details", { class: "settings" }, make("summary", {}, "Game, opponent, advice"), form);
  settings.open = !matchMedia(SMALL).matches; // the first roll comes before the first setting
  root.append(damage, rules, settings, about,
    view.element, parts.hints.element, parts.end, parts.sheet.element, parts.history.element, help(), brought);

  function game() {
    return shared.games.find(({ name }) => name === kinds.select.value);
  }

  function entries() {
    return opponentsIn(shared, game());
  }

  /** Offer the opponents and advisers of the game; the chosen ones stay where they exist, the optimum where they do not. */
  function offer({ opponent = opponents.select.value, adviser = counsel.select.value, by = test.select.value }) {
    for (const [{ select }, among, before] of [[opponents, entries(), opponent], [counsel, advisers(entries()), adviser]]) {
      select.replaceChildren(...among.map(({ id, title }) => make("option", { value: id }, title)));
      select.value = among.some(({ id }) => id === before) ? before : bestOf(among).id;
    }
    const ruled = rulesOf(entries());
    test.select.replaceChildren(...[{ id: FREELY, title: "your own judgement" }, ...ruled].map(({ id, title }) => make("option", { value: id }, title)));
    test.select.value = ruled.some(({ id }) => id === by) ? by : FREELY;
    test.field.hidden = !ruled.length;
    counsel.field.hidden = counsel.select.options.length < 2;
    rules.textContent = `${game().sentence} Holding adds the turn total to your score${game().passing ? "; you may also pass, without a roll" : ""}.`;
    brought.replaceChildren(throwsTable(game()));
  }

  /** The strategy that is chosen in a list. */
  function entry({ select }) {
    return entries().find(({ id }) => id === select.value);
  }

  function described({ sentence, rule }) {
    return rule ? [`${sentence} `, make("code", {}, rule)] : [sentence];
  }

  /** A sentence about the dice, if they are those of a day, or follow it. */
  function ofTheDay() {
    return wish.day ? [` The game of ${DAY.format(wish.day)}: everybody has these dice.`] : wish.dayPlayed ? [DAY_PLAYED] : [];
  }

  /** A new game is no longer that of a link or of a day: the address forgets it, so that a reload goes on with the new one. */
  function leaveAddress() {
    const dayEnds = wish.day && games.begun();
    const words = new URLSearchParams(location.search);
    if (!dayEnds && !words.has("replay")) return;
    for (const word of dayEnds ? ["daily"] : LINK_WORDS) words.delete(word);
    history.replaceState(null, "", `${location.pathname}${String(words) && `?${words}`}${location.hash}`);
    if (dayEnds) Object.assign(wish, { day: null, dayPlayed: true, seed: null });
    else wish.lasts = true;
  }

  /** The task of the person, if there is a rule to play by. */
  function task() {
    const rule = entry(test);
    return rule ? [" Play by this rule, whatever you think of it: ", ...described(rule), " Your errors are counted, and told after the game."] : [];
  }

  function start() {
    view.goOn();
    leaveAddress();
    about.replaceChildren(...described(entry(opponents)), ...ofTheDay(), ...task());
    return games.start(game(), entry(opponents), SEAT[seats.select.value]);
  }

  /** The game of a link, or a new one where the link is damaged. */
  async function reopen(link) {
    const known = link?.game === kinds.select.value && link.opponent === opponents.select.value;
    about.replaceChildren(...described(entry(opponents)));
    if (known && (await games.reopen(game(), entry(opponents), link))) return;
    damage.textContent = [DAMAGED, wish.wrong].filter(Boolean).join(" ");
    damage.hidden = false;
    await start();
  }

  /** Go on with the game at hand; false where what is kept of it is no game. */
  function resume(past) {
    about.replaceChildren(...described(entry(opponents)), ...ofTheDay(), ...task());
    return games.reopen(game(), entry(opponents), { ...past, by: entry(test) ?? null });
  }

  /** Another opponent or seat was chosen: a game that has begun is played to its end first. */
  function chosen() {
    if (games.isOpen()) about.replaceChildren(...described(entry(opponents)), ...task(), " From the next game on.");
    else start();
  }

  /** Another game was chosen: it begins at once, because its rules differ; the page asks before it ends a game that goes on. */
  function another() {
    const next = kinds.select.value;
    if (!games.isOpen()) return change(next);
    kinds.select.value = playing; // until the question is answered
    const { title } = shared.games.find(({ name }) => name === next);
    view.askToEnd(`End this game and begin ${title}?`, () => {
      change(next);
      view.focus();
    });
  }

  function change(name, wishes = {}) {
    kinds.select.value = playing = name;
    offer(wishes);
    start();
  }

  /** Another adviser was chosen: its description is shown at once, its advice on request. */
  function counselled() {
    const { title, sentence, rule } = entry(counsel);
    about.replaceChildren(rule ? `Your adviser is ${inside(title)}. ` : "", ...described({ sentence, rule }));
  }

  /** Fold the settings, so that the board has their room. */
  function foldSettings() {
    if (!settings.open) return;
    settings.open = false;
    view.element.scrollIntoView({ block: "nearest" });
  }

  /** Begin a new game; the page asks before it ends one that goes on. */
  function again() {
    if (games.isOpen()) view.askToEnd("End this game?", end);
    else end();
  }

  function end() {
    start();
    view.focus();
  }

  /** Play against a strategy of one's own, which is for Pig to 100; the page asks before it ends a game that goes on. */
  function challenged({ id, title }) {
    const begin = () => change(shared.games[0].name, { opponent: id });
    if (!games.isOpen()) return begin();
    offer({});
    view.askToEnd(`End this game and play against ${inside(title)}?`, () => {
      begin();
      view.focus();
    });
  }

  document.addEventListener("strategies", ({ detail }) => {
    window.addEventListener("hashchange", () => challenged(shared.strategies.find(({ id }) => id === detail)), { once: true }); // when this tab is shown
  });
  onKeys(root, { r: roll, h: hold, a: () => games.advice(), o: () => games.odds(), n: again });
  if (wish.link !== undefined) await reopen(wish.link);
  else if (!wish.begun || !(await resume(wish.begun))) start(); // and not waited for: the opponent may move first, at its pace
  const own = shared.strategies.findLast((one) => one.own); // it was chosen before this tab was there
  if (own) challenged(own);
}
