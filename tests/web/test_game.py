"""A game in the page and its review, against the same game played by pigevo."""

import json

import pytest

from pigevo.dice import Draw
from pigevo.people import Judge, Played, events, review
from pigevo.web.site import GAME, shown_strategies
from tests.web.in_node import needs_node, run

pytestmark = needs_node

PLAY = """
import { evaluate } from "./js/engine.js";
import { bestResponse } from "./js/response.js";
import { seededDice } from "./js/dice.js";
import { hold, isChoice, newGame, opponentRolls, PERSON, rollDie, total } from "./js/play/game.js";
import { review } from "./js/play/review.js";
const game = { target: 100, sides: 6 };
const theirs = read("theirs");
const state = newGame(game, SEAT);
const dice = seededDice(SEEDn, 0);
while (state.winner === null) {
  const rolls = state.mover === PERSON ? !isChoice(state) || total(state) < 13 + state.turns.length : opponentRolls(state, theirs);
  if (rolls) rollDie(state, dice.next().value);
  else hold(state);
}
const roll = bestResponse(game, theirs);
const { judged, ...rest } = review(state, { roll, ...evaluate(game, roll, theirs) });
say({ ...rest, judged, scores: state.scores, won: state.winner === PERSON, turns: state.turns });
"""


def played(opponent, seat, seed):
    """The same game, by pigevo: the person holds at 13 and one more for each turn of both that has ended."""
    ended = 0
    happened = []

    def decide(place):
        return place.total < 13 + ended

    for event in events(opponent, seat, Draw(seed, "dice"), decide):
        happened.append(event)
        ended = sum(type(one).__name__ == "Ended" for one in happened)
    return Played.of(opponent, seat, happened)


FOUR = [(one, *game) for one, game in zip(shown_strategies(), [(0, 5), (1, 12)] * 2, strict=False)]


@pytest.mark.parametrize(("one", "seat", "seed"), FOUR, ids=lambda value: getattr(value, "id", None))
def test_the_review_is_that_of_pigevo(tmp_path, one, seat, seed):
    said = run(PLAY.replace("SEAT", str(seat)).replace("SEED", str(seed)), tmp_path, theirs=one.strategy.roll)
    game = played(one.strategy, seat, seed)
    expected = review(game, Judge(one.strategy))
    assert tuple(said["scores"]) == game.scores
    assert said["won"] == (game.result == "won")
    assert [[r if r > 1 else 0 for r in turn["rolls"]] for turn in said["turns"]] == [list(t.rolls) for t in game.turns]
    assert [turn["banked"] for turn in said["turns"]] == [turn.banked for turn in game.turns]
    for name in ("start", "end", "cost", "luck"):
        assert said[name] == pytest.approx(getattr(expected, name), abs=1e-9), name
    assert len(said["judged"]) == len(expected.judged) > 10
    for found, right in zip(said["judged"], expected.judged, strict=True):
        place = right.place
        assert [found[key] for key in ("turn", "own", "opponent", "total", "rolled")] == [
            place.turn, place.own, place.opponent, place.total, right.rolled,
        ]  # fmt: skip
        assert [found["roll"], found["hold"], found["cost"]] == pytest.approx(
            [right.choice.roll, right.choice.hold, right.cost], abs=1e-9
        )
    assert sum(found["cost"] > 1e-6 for found in said["judged"]) > 0  # it is a game with something to judge


def test_odds_are_those_of_pigevo(tmp_path):
    from pigevo.people import odds_of
    from pigevo.simulation.stepwise import Place

    places = [(0, 0), (0, 20), (90, 4), (94, 4), (60, 37)]
    script = 'import { odds } from "./js/play/review.js"; say(PLACES.map(([own, total]) => odds({ target: 100, sides: 6 }, own, total)));'
    said = run(script.replace("PLACES", json.dumps(places)), tmp_path)
    for (own, total), found in zip(places, said, strict=True):
        right = odds_of(Place(GAME, 0, 1, own, 0, rolls=(total,) if total else ()))
        assert [found["ends"], found["wins"]] == pytest.approx([right.ends, right.wins])
        assert found["change"] == pytest.approx(sum(p * points for points, p in GAME.die) - GAME.bust * total)
