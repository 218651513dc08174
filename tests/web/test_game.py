"""A game in the page, its dice, its review and an opponent that adapts, against the same in pigevo."""

import json
import re
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pytest

import pigevo
from pigevo.dice import LARGEST_SEED, Die, Draw
from pigevo.games import GAMES, Pig, Throw
from pigevo.people import (
    Judge,
    Played,
    account,
    analyse,
    answers_to_holds,
    events,
    first_belief,
    learned,
    odds_of,
    parse_people,
    plan,
    review,
)
from pigevo.people.habits import SLIPS
from pigevo.simulation.stepwise import Position, Turn
from pigevo.web.site import GAME, adapting_file, opponents_in, other_games, page_strategies, worth_file
from tests.people.games import turns_by
from tests.reference.any_game import TINY
from tests.web.browser import needs_node, run, written

pytestmark = needs_node
CLOSE = 1e-9

PLAY = """
import { dice } from "./js/dice.js";
import { bestResponse, evaluate } from "./js/engine.js";
import { cell, hold, isChoice, newGame, PERSON, roll, throwsOf, total } from "./js/play/game.js";
import { ofFile } from "./js/play/opponents.js";
import { review, sizeOf } from "./js/play/review.js";
const decides = (atRisk, ended) => (7 * atRisk + 3 * ended) % 5 !== 0;
const opponent = OPPONENT;
const against = { rolls: opponent.rolls, values: await opponent.values() };
say(SEEDS.map((seed) => {
  const state = newGame(game, seed % 2);
  const throwAll = dice(game, BigInt(seed), 0);
  while (state.result === null && state.turns.length < 2000) {
    const chosen = state.mover === PERSON ? decides(total(state), state.turns.length) : against.rolls(state.at, total(state));
    if (!isChoice(state) || chosen) roll(state, throwAll(throwsOf(game, total(state))));
    else hold(state);
  }
  const turns = state.turns.map(({ player, throws, banked }) => [player === PERSON, throws.map(({ points, ends }) => (ends ? 0 : points)), banked]);
  const reviewed = review(state, against);
  const judged = reviewed.judged.map((one) => ({ ...one, size: sizeOf(one.cost) }));
  return { ...reviewed, judged, turns, scores: state.scores, result: state.result ?? "unfinished" };
}));
"""
OF_FILE = 'ofFile(game, { id: "it" }, read("theirs").buffer)'
OF_TABLE = """(() => {
  const theirs = read("theirs"), pig = { target: 100, sides: 6 };
  const answer = bestResponse(pig, theirs);
  const { other } = evaluate(pig, answer, theirs);
  const rolls = (place, atRisk) => theirs[cell(game, place) * 100 + atRisk] === 1;
  return { rolls, values: async () => Float64Array.from({ length: 10000 }, (_, at) => 1 - other[100 * at]) };
})()"""


def by_pigevo(opponent, seed):
    """The same game, by pigevo."""
    happened = []

    def decide(position):
        ended = sum(isinstance(event, Turn) for event in happened)
        return (7 * position.total + 3 * ended) % 5 != 0

    for event in events(opponent, seed % 2, Draw(seed, "dice"), decide):
        happened.append(event)
    return Played.of(opponent, seed % 2, happened)


def check(opponent, script, content, folder, seeds):
    """Play with these seeds in both, and compare all that has happened and what every choice was worth."""
    (folder / "theirs").write_bytes(content)
    script = PLAY.replace("OPPONENT", script).replace("SEEDS", str(list(seeds)))
    results, judge = set(), Judge(opponent)
    for seed, played in zip(seeds, run(script, folder, opponent.game), strict=True):
        game = by_pigevo(opponent, seed)
        expected = review(game, judge)
        assert played["turns"] == [[turn.player == seed % 2, list(turn.rolls), turn.banked] for turn in game.turns]
        assert (tuple(played["scores"]), played["result"]) == (game.scores, game.result)
        for name in ("start", "end", "cost", "luck"):
            assert played[name] == pytest.approx(getattr(expected, name), abs=CLOSE), name
        for judged, right in zip(played["judged"], expected.judged, strict=True):
            at, position = judged["place"], right.position
            choice = [at["turn"], at["own"], at["other"], judged["total"], judged["rolled"]]
            assert choice == [position.turn, position.own, position.opponent, position.total, right.rolled]
            assert (judged["until"], judged["size"]) == (right.until, right.size)
            worths = [right.choice.roll, right.choice.hold, right.cost]
            assert [judged["roll"], judged["hold"], judged["cost"]] == pytest.approx(worths, abs=CLOSE)
        results.add(game.result)
    return results


FOUR = [(entry, seed) for entry, seed in zip(page_strategies(), [5, 12] * 2, strict=False)]


@pytest.mark.parametrize(("entry", "seed"), FOUR, ids=lambda value: getattr(value, "id", None))
def test_games_of_pig_to_100_are_those_of_pigevo(tmp_path, entry, seed):
    strategy = entry.strategy
    check(strategy, OF_TABLE, strategy.roll.astype(np.uint8).tobytes(), tmp_path, [seed])


SMALL = {
    **TINY,
    "rounds": GAMES["ten_rounds"].bind({"turns": 3, "cap": 40}),
    "two dice": GAMES["two_dice"].bind({"target": 30}),
    "skunk with passing": GAMES["skunk"].bind({"target": 12, "cap": 20, "allow_pass": True}),
    "pig with passing": pigevo.Pig(target=30, allow_pass=True),
    "another die": pigevo.Pig(12, numbers=(0, 1, 1, 2), losing=1),
}


def every_game(tmp_path, game, id, seeds):
    opponent = next(entry for entry in opponents_in(game) if entry.id == id).strategy
    return check(opponent, OF_FILE, worth_file(game, id), tmp_path, seeds)


def cases(games, seeds, *marks):
    """Each game against each of its opponents."""
    pairs = [(game, entry.id) for game in games for entry in opponents_in(game)]
    return [pytest.param(game, id, seeds, id=f"{game}-{id}", marks=marks) for game, id in pairs]


CASES = [*cases(SMALL.values(), range(12)), *cases(other_games().values(), range(4), pytest.mark.slow)]


@pytest.mark.parametrize(("game", "id", "seeds"), CASES)
def test_games_of_every_kind_are_those_of_pigevo(tmp_path, game, id, seeds):
    every_game(tmp_path, game, id, seeds)


def test_games_end_in_every_way(tmp_path):
    ends = set()
    for name, id in (("rounds", "score"), ("equal_turns", "optimal"), ("pig with passing", "skip-when-level")):
        ends |= every_game(tmp_path, SMALL[name], id, range(30))
    assert ends >= {"won", "lost", "draw", "stalemate"}


REASONS = """
import { most } from "./js/play/game.js";
import { ofFile } from "./js/play/opponents.js";
import { judgeOf } from "./js/play/review.js";
const opponent = ofFile(game, { id: "it" }, read("theirs").buffer);
const against = { rolls: opponent.rolls, values: await opponent.values() };
say([[0, 0], [3, 8], [9, 2], [10, 10]].flatMap(([own, other]) => {
  const place = { seat: 0, turn: 1, own, other, last: 0 };
  const judge = judgeOf(game, against, place);
  return Array.from({ length: most(game, place) }, (_, n) => judge(n + 1)).filter(({ right }) => !right).map(({ words, answer }) => [words, answer()]);
}));
"""


def totals_of(game):
    """The turn totals that throws can come to; 1 is none of them in Pig."""
    totals = {throw.points for throw in game.first_effective_throws if not throw.ends}
    for _ in range(game.size):
        totals |= {total + throw.points for total in totals for throw in game.effective_throws if not throw.ends}
        totals = {total for total in totals if total < game.size}
    return totals


@pytest.mark.parametrize("game", [game for game in SMALL.values() if game.target > 10 or not game.target], ids=str)
def test_the_reason_of_a_right_answer_says_that_it_is_worth_more(tmp_path, game):
    (tmp_path / "theirs").write_bytes(worth_file(game, "optimal"))
    reasons = run(REASONS, tmp_path, game)
    assert reasons
    possible = totals_of(game)
    for verdict, reason in reasons:
        assert {int(total) for total in re.findall(r"with (\d+) at risk", reason)} <= possible
        rolled, held = (float(number) for number in re.findall(r"(\d+\.\d+)\u00a0%", reason))
        early = verdict.startswith("Too early")
        assert (rolled > held) is early, (verdict, reason)


WORDS = """
import { briefly } from "./js/play/board.js";
import { foundWords, shownLuck } from "./js/play/review.js";
const asked = [[1, 1], [3, 3], [0, 1], [0, 3], [2, 3], [1, 3]];
say([asked.map(([found, all]) => foundWords(found, all)), briefly(game), shownLuck({ start: 0.53086, cost: 0.00014, end: 1 }).toFixed(4)]);
"""
FOUND = [
    "The position is right.",
    "Every position is right.",
    "The answer was shown to you.",
    "All 3 answers were shown to you.",
    "You found 2 of 3; the other was shown to you.",
    "You found 1 of 3; the others were shown to you.",
]


def test_the_rules_in_a_line_say_that_no_roll_loses(tmp_path):
    _, brief, _ = run(WORDS, tmp_path, pigevo.Piglet(target=10, heads=1))
    said = "Roll as often as you like: no roll loses anything; hold keeps the turn\u2019s points."
    assert brief == said


@pytest.mark.parametrize("name", other_games())
def test_what_is_said_is_right_for_every_number_and_every_game(tmp_path, name):
    game = other_games()[name]
    found, brief, luck = run(WORDS, tmp_path, game)
    assert (found, luck) == (FOUND, "0.4692")  # 53.09, 0.01 and 100 are shown, which leave 46.92; it is 46.928
    assert ("or the whole score" in brief) is game.falls
    assert ("after the first roll" in brief) is all(not throw.ends for throw in game.first_effective_throws)


NEARLY = """
import { most } from "./js/play/game.js";
import { ofFile } from "./js/play/opponents.js";
import { judgeOf } from "./js/play/review.js";
const opponent = ofFile(game, { id: "it" }, read("theirs").buffer);
const against = { rolls: opponent.rolls, values: await opponent.values() };
const places = Array.from({ length: 90 }, (_, own) => ({ seat: 0, turn: 1, own, other: 50, last: 0 }));
say(places.map((place) => {
  const judge = judgeOf(game, against, place);
  return Array.from({ length: most(game, place) }, (_, n) => judge(n + 1)).filter(({ right }) => right).map(({ words }) => words.replaceAll("\\u00a0", " "));
}));
"""


def test_an_answer_that_is_nearly_the_best_one_is_right_and_the_best_is_told(tmp_path):
    (tmp_path / "theirs").write_bytes(worth_file(GAME, "optimal"))
    several = [answers for answers in run(NEARLY, tmp_path, GAME) if len(answers) > 1]
    assert several
    for answers in several:
        (best,) = [words for words in answers if "Best" not in words]
        told = best.removeprefix("Right: ").removesuffix(".")
        others = [words for words in answers if words != best]
        assert all(words.endswith(f". Best is to {told}, by less than 0.01 percentage points.") for words in others)


BESIDES = """
import { most } from "./js/play/game.js";
import { ofFile } from "./js/play/opponents.js";
import { besides, insteadWords, judgeOf } from "./js/play/review.js";
const opponent = async (name) => {
  const one = ofFile(game, { id: "it" }, read(name).buffer);
  return { rolls: one.rolls, values: await one.values() };
};
const [against, optimum] = [await opponent("theirs"), await opponent("optimum")];
const scores = Array.from({ length: game.target }, (_, score) => score);
say(scores.flatMap((own) => scores.map((other) => {
  const place = { seat: 0, turn: 1, own, other, last: 0 };
  const words = besides(game, against, optimum, place);
  const judge = judgeOf(game, optimum, place);
  const meant = Array.from({ length: most(game, place) }, (_, n) => n + 1).filter((until) => words.endsWith(` best to ${insteadWords(game, place, until)}.`));
  return [words, meant.some((until) => judge(until).right)];
})));
"""


@pytest.mark.parametrize("id", ["optimal", "roll-to-win"])
def test_what_the_optimum_asks_for_is_said_where_it_is_something_else(tmp_path, id):
    game = SMALL["another die"]
    (tmp_path / "theirs").write_bytes(worth_file(game, id))
    (tmp_path / "optimum").write_bytes(worth_file(game, "optimal"))
    said = [(words, right) for words, right in run(BESIDES, tmp_path, game) if words]
    assert bool(said) is (id != "optimal")
    assert all(words.startswith("Against the optimum it would be best to roll ") and right for words, right in said)


IN_SHORT = """
import { inShort } from "./js/play/review.js";
const choice = (own, other, total, rolled, cost) => ({ place: { own, other }, total, rolled, cost });
say(GAMES.map((choices) => {
  const judged = choices.map((one) => choice(...one));
  const cost = judged.reduce((sum, one) => sum + one.cost, 0);
  return inShort({ judged, cost, costly: judged.filter(({ cost }) => cost > 0) }).replaceAll("\\u00a0", " ");
}));
"""
RIGHT, UNSEEN = (20, 20, 5, True, 0), (20, 20, 19, False, 4e-5)
GAMES_IN_SHORT = [
    ([], "You had no choice to make."),
    ([RIGHT], "You did nothing wrong that can be seen in 1 choice."),
    ([RIGHT, UNSEEN], "You did nothing wrong that can be seen in 2 choices."),
    ([RIGHT, (30, 20, 4, False, 0.0123)], "You held too early once, when you were ahead; that cost 1.23 percentage points."),
    ([(10, 20, 40, True, 0.01)] * 2 + [(30, 20, 4, False, 0.015)], "You rolled on too long twice; that cost 2.00 of the 3.50 percentage points that your choices cost, all of it when you were behind."),
    ([(10, 20, 4, False, 0.02), (30, 20, 4, False, 0.008), (20, 20, 4, False, 0.001)], "You held too early 3 times; that cost 2.90 percentage points, most of it when you were behind."),
    ([(10, 20, 4, False, 0.02), (30, 20, 4, False, 0.0101)], "You held too early twice; that cost 3.01 percentage points."),
    ([(10, 20, 4, False, 0.02), (30, 20, 4, False, 0.02)], "You held too early twice; that cost 4.00 percentage points."),
    ([(20, 20, 0, False, 0.02)], "You passed where rolling was better once, when the scores were level; that cost 2.00 percentage points."),
]  # fmt: skip


def test_a_review_says_in_short_what_was_wrong_most(tmp_path):
    said = run(IN_SHORT.replace("GAMES", json.dumps([choices for choices, _ in GAMES_IN_SHORT])), tmp_path)
    assert said == [words for _, words in GAMES_IN_SHORT]


TABLE = """
import { cell, most } from "./js/play/game.js";
import { ofFile } from "./js/play/opponents.js";
const { rolls } = ofFile(game, { id: "it" }, read("theirs").buffer);
const placeOf = (at) => ({ seat: at.second ?? 0, turn: game.turns - (at.left ?? 0) + 1, own: at.own ?? Math.max(at.difference, 0),
  other: at.opponent ?? Math.max(-at.difference, 0), last: at.last_turn ?? 0 });
const count = game.axes.reduce((product, [, , size]) => product * size, 1);
const table = new Uint8Array(count * game.size);
for (let state = 0; state < count; state++) {
  const at = {};
  game.axes.reduceRight((left, [name, first, size]) => ((at[name] = first + (left % size)), Math.floor(left / size)), state);
  const here = placeOf(at);
  if (cell(game, here) !== state) throw new Error(`${state} ${JSON.stringify(at)}`);
  for (let total = 0; total < most(game, here); total++) table[state * game.size + total] = rolls(here, total) ? 1 : 0;
}
write("table", table);
"""


@pytest.mark.parametrize(
    "game",
    [*SMALL.values(), *(pytest.param(game, marks=pytest.mark.slow) for game in other_games().values())],
    ids=str,
)
def test_the_optimum_plays_as_its_array(tmp_path, game):
    (tmp_path / "theirs").write_bytes(worth_file(game, "optimal"))
    run(TABLE, tmp_path, game)
    compared = np.broadcast_to(game.decision_states, game.shape)
    roll = pigevo.optimal(game).strategy.roll
    np.testing.assert_array_equal(written(tmp_path / "table", game.shape)[compared], roll[compared])


@pytest.mark.parametrize("game", [GAME, *SMALL.values()], ids=str)
def test_odds_are_those_of_pigevo(tmp_path, game):
    places = [(0, 0, 0), (0, 5, 4), (game.target // 2, 3, 0), (max(game.target - 2, 0), 0, 1)]
    script = """import { odds } from "./js/play/worth.js";
    say(PLACES.map(([own, other, total]) => odds(game, { own, other }, total)));"""
    odds = run(script.replace("PLACES", json.dumps(places)), tmp_path, game)
    for (own, other, total), here in zip(places, odds, strict=True):
        right = odds_of(Position(game, 0, 1, own, other, rolls=(total,) if total else ()))
        assert [here[name] for name in ("ends", "falls", "wins")] == pytest.approx(
            [right.ends, right.falls, right.wins]
        )
        throws = game.effective_throws if total else game.first_effective_throws
        changes = {"": lambda t: t.points, "turn": lambda t: t.points - total, "score": lambda t: -own - total}
        assert here["change"] == pytest.approx(sum(t.chance * changes[t.ends](t) for t in throws))


LINK = """
import { dice } from "./js/dice.js";
import { hold, isChoice, newGame, PERSON, roll, throwsOf, total } from "./js/play/game.js";
import { ofFile } from "./js/play/opponents.js";
import { readReplay, replayed, wordsOf } from "./js/play/replay.js";
const against = ofFile(game, { id: "optimal" }, read("theirs").buffer);
const again = (words) => { const link = readReplay(words); return (link && replayed(game, against, link)?.state) ?? null; };
const damaged = (words, name, value) => { const copy = new URLSearchParams(words); copy.set(name, value); return again(copy); };
say([0, 1, 2, 3].map((part) => {
  const state = newGame(game, part % 2);
  const throwAll = dice(game, 12345678901234567n, part);
  while (state.result === null) {
    const chosen = state.mover === PERSON ? (7 * total(state) + state.turns.length) % 5 : against.rolls(state.at, total(state));
    if (!isChoice(state) || chosen) roll(state, throwAll(throwsOf(game, total(state))));
    else hold(state);
  }
  const words = new URLSearchParams(String(wordsOf({ state, entry: { id: "optimal" }, seed: 12345678901234567n, part })));
  const reopened = again(words);
  const plain = ({ turns, scores, result, choices }) => JSON.stringify([turns.map(({ throws, banked }) => [throws.map(({ points }) => points), banked]), scores, result, choices]);
  const replay = words.get("replay");
  const shorter = replay.slice(0, -1), longer = `${replay}h`;
  const wrong = [["replay", shorter], ["replay", longer], ["replay", "x"], ["end", "1-2"], ["seed", "-1"], ["seed", ""], ["part", "x"], ["first", "me"]];
  return { same: plain(state) === plain(reopened), length: replay.length, refused: wrong.map(([name, value]) => damaged(words, name, value)) };
}));
"""


@pytest.mark.parametrize("game", [game for game in SMALL.values() if game.size > 7], ids=str)
def test_a_link_is_the_whole_game_and_damage_is_noticed(tmp_path, game):
    (tmp_path / "theirs").write_bytes(worth_file(game, "optimal"))
    games = run(LINK, tmp_path, game)
    assert all(one["same"] for one in games)
    assert {value for one in games if one["length"] for value in one["refused"]} == {None}
    assert any(one["length"] for one in games)


FACES = """
import { dice } from "./js/dice.js";
const throwAll = dice(game, 3n, 0), counts = {};
for (let n = 0; n < 20000; n++) {
  const { faces, points, ends } = throwAll(game.throws);
  const key = [faces.join("+"), points, ends];
  counts[key] = (counts[key] ?? 0) + 1;
}
say(counts);
"""


@pytest.mark.parametrize("name", ["pig", "piglet", "two_dice", "big_pig", "pass_the_pigs", "progressive"])
def test_what_lies_on_the_table_is_what_the_game_says(tmp_path, name):
    """Of 20,000 throws no way to lie comes as often as six standard deviations from what is expected."""
    game = TINY[name]
    counts = run(FACES, tmp_path, game)
    expected = {}
    for faces, throw in game.faces:
        key = f"{'+'.join(faces)},{throw.points},{throw.ends}"
        expected[key] = expected.get(key, 0) + throw.chance
    assert sum(expected.values()) == pytest.approx(1)
    assert set(counts) <= set(expected)
    for key, chance in expected.items():
        assert abs(counts.get(key, 0) - 20_000 * chance) <= 6 * (20_000 * chance) ** 0.5 + 1, key


@dataclass(frozen=True)
class Leaping(Pig):
    """Pig whose first throw of a turn gains 9 or 2, which no face of its die shows."""

    first_throws = (Throw(9, 0.5), Throw(2, 0.5))


def test_a_throw_without_a_face_shows_its_points(tmp_path):
    first = FACES.replace("game.throws", "game.firstThrows")
    counts = run(first, tmp_path, Leaping(target=12))
    assert set(counts) == {"9,9,", "2,2,"}
    assert sum(counts.values()) == 20_000


REPEATED = """
import { dice } from "./js/dice.js";
say([0, 1].map(() => {
  const throwAll = dice(game, 3n, 2);
  return Array.from({ length: 200 }, () => throwAll(game.throws).faces.join("+"));
}));
"""


@pytest.mark.parametrize("name", ["two_dice", "pass_the_pigs"])
def test_what_lies_on_the_table_is_the_same_when_a_game_is_played_again(tmp_path, name):
    faces, again = run(REPEATED, tmp_path, TINY[name])
    assert faces == again
    assert len(set(faces)) > 5


BY_RULE = """
import { dice } from "./js/dice.js";
import { csvOf, errorsOf } from "./js/play/history.js";
import { hold, isChoice, newGame, PERSON, roll, throwsOf, total } from "./js/play/game.js";
import { planOf, readRule } from "./js/draw/rules.js";
const plan = planOf({ target: 100 }, readRule(rule));
const rolls = ({ own, other }, atRisk) => atRisk < plan[100 * own + other];
const slips = (atRisk, ended) => (atRisk + ended) % 11 === 0;
const games = [0, 1, 2].map((seed) => {
  const state = newGame(game, seed % 2);
  const throwAll = dice(game, BigInt(seed), 0);
  while (state.result === null) {
    const decided = state.mover === PERSON ? rolls(state.at, total(state)) !== slips(total(state), state.turns.length) : total(state) < 20;
    if (!isChoice(state) || decided) roll(state, throwAll(throwsOf(game, total(state))));
    else hold(state);
  }
  return { state, name: "Hold at 20", rule };
});
say({ text: csvOf(games), errors: games.map(({ state }) => errorsOf(state, rolls)) });
"""


@pytest.mark.parametrize("rule", ["21+(j-i)/8; race either>=71", "max(21,j-i); race leaves<=20"])
def test_errors_by_a_rule_are_counted_as_pigevo_counts_them_in_the_saved_games(tmp_path, rule):
    counted = run(f"const rule = {json.dumps(rule)};" + BY_RULE, tmp_path, GAME)
    people = parse_people(counted["text"], GAME)
    players = {player.person.name: player for player in analyse(people).players}
    (habits,) = players.pop("you").by_rule
    sums = {name: sum(errors[name] for errors in counted["errors"]) for name in ("decisions", "early", "late")}
    assert {"decisions": habits.decisions, "early": habits.early, "late": habits.late} == sums
    assert (habits.rule, habits.left_out) == (rule, 0)
    assert habits.errors > 0
    assert [player.by_rule for player in players.values()] == [()]


SEEDED = """
import { seededDice } from "./js/dice.js";
const dice = seededDice(%sn, %s, game.die);
say(Array.from({ length: 2000 }, () => dice.next().value));
"""


@pytest.mark.parametrize("game", [GAME, GAMES["big_pig"].bind({})], ids=str)
@pytest.mark.parametrize(("seed", "part"), [(0, 0), (7, 3), (LARGEST_SEED, 1)])
def test_seeded_dice_are_pigevos(tmp_path, game, seed, part):
    rolls = Draw(seed, "dice").at(part=part).rolls(Die.of(game.die, game.bust))
    assert run(SEEDED % (seed, part), tmp_path, game) == list(islice(rolls, 2000))


def test_a_seed_is_a_number_that_pigevo_takes(tmp_path):
    script = 'import { readSeed } from "./js/dice.js"; say(TEXTS.map((text) => String(readSeed(text))));'
    texts = ["0", "7", str(LARGEST_SEED), str(LARGEST_SEED + 1), "-1", "1.5", "", "x", "9" * 40]
    seeds = run(script.replace("TEXTS", str(texts)), tmp_path)
    assert seeds == [*texts[:3], *["null"] * 6]


def test_a_fresh_seed_is_one_that_pigevo_takes_and_another_each_time(tmp_path):
    script = 'import { freshSeed } from "./js/dice.js"; say(Array.from({ length: 1000 }, () => String(freshSeed())));'
    seeds = {int(seed) for seed in run(script, tmp_path)}
    assert len(seeds) == 1000
    assert 0 <= min(seeds) < LARGEST_SEED // 100
    assert LARGEST_SEED - LARGEST_SEED // 100 < max(seeds) <= LARGEST_SEED


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
def test_the_seed_of_a_day_is_the_same_everywhere(tmp_path, monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    script = 'import { seedOfDay } from "./js/dice.js"; say(TIMES.map((time) => String(seedOfDay(new Date(time)))));'
    times = ["2026-01-31T00:00:00Z", "2026-01-31T23:59:59Z", "2026-02-01T00:00:00Z", "2026-01-31T23:00:00-02:00"]
    assert run(script.replace("TIMES", str(times)), tmp_path) == ["20260131", "20260131", "20260201", "20260201"]


TO_24 = pigevo.Pig(target=24)

LEARN = """
import { account, estimate, firstBelief, learned, plan } from "./js/play/opponents.js";
const data = JSON.parse(readFileSync(`${place}/adapting.json`));
const games = JSON.parse(readFileSync(`${place}/games.json`));
let belief = firstBelief(data);
const plans = [];
const beliefs = games.map((turns, n) => {
  plans.push(plan(data, belief, n % 2));
  belief = learned(data, belief, turns);
  const chances = belief.joint.map((row) => row.reduce((sum, chance) => sum + chance));
  return { plan: plans.at(-1), chances, ...estimate(belief), turns: belief.turns, decisions: belief.decisions };
});
say({ beliefs, account: account(plans, belief) });
"""


def as_the_page_has_it(turn):
    throws = [{"points": points, "ends": None if points else "turn"} for points in turn.dice]
    return {"player": 0, "own": turn.own, "score": turn.score, "throws": throws, "banked": turn.banked}


@pytest.mark.parametrize("value", [3, 8, 15])
def test_beliefs_and_plans_are_those_of_pigevo(tmp_path, value):
    games = [turns_by(TO_24, value, float(SLIPS[3]), float(SLIPS[4]), seed=10 * value + n) for n in range(5)]
    (tmp_path / "adapting.json").write_bytes(adapting_file(TO_24))
    (tmp_path / "games.json").write_text(json.dumps([[as_the_page_has_it(turn) for turn in turns] for turns in games]))
    output, answers = run(LEARN, tmp_path), answers_to_holds(TO_24)
    belief, plans = first_belief(TO_24), []
    for n, (turns, page) in enumerate(zip(games, output["beliefs"], strict=True)):
        plans.append(plan(belief, answers, n % 2))
        ours, theirs = plans[-1], page["plan"]
        assert (theirs["answer"], theirs["to"]) == (ours.answer, ours.to)
        assert [theirs["share"], theirs["mostLoss"]] == pytest.approx([ours.share, ours.most_loss], abs=1e-12)
        assert theirs["gain"] == pytest.approx(ours.gain, abs=1e-7)
        belief = learned(belief, turns)
        assert np.array(page["chances"]) == pytest.approx(belief.chances, abs=1e-5)
        low, high = belief.interval
        assert (page["low"], page["value"], page["high"]) == (low, belief.value, high)
        assert (page["turns"], page["decisions"]) == (belief.turns, belief.decisions)
    right = account(plans, belief)
    figures = [output["account"][name] for name in ("games", "gain", "low", "high", "mostLoss")]
    assert figures == pytest.approx([right.games, right.gain, right.low, right.high, right.most_loss], abs=1e-9)
    assert right.gain > 0


def test_the_numbers_drawn_beside_the_dice_are_those_of_the_terminal(tmp_path):
    script = 'import { uniform } from "./js/dice.js"; say([0, 1, 5].map((part) => uniform(77n, part)));'
    right = [float(Draw(77, "selection").at(part=part).uniforms(1)[0]) for part in (0, 1, 5)]
    assert run(script, tmp_path) == right
