"""`pigevo play`: what a game is told to have cost, in words and as JSON."""

import json

import pytest

import pigevo as library
from pigevo.cli import play_text
from tests.cli.sat import SMALL, lines


def test_json_is_the_answer_and_the_game_is_told_elsewhere(sit):
    words = f"hold_at:5 {SMALL} --games 2"
    said, told = sit(f"{words} --json", lines("h") * 99), sit(words, lines("h") * 99)
    assert said.err == told.out
    found = json.loads(said.out)
    assert (found["opponent"], found["seed"], found["saved"]) == ("hold_at:5", 7, None)
    assert [game["moved"] for game in found["games"]] == ["first", "second"]
    for game in found["games"]:
        review = game["review"]
        assert review["cost"] == pytest.approx(sum(one["cost"] for one in review["choices"]))
        assert review["start"] - review["cost"] + review["luck"] == pytest.approx(review["end"])
        assert review["end"] == float(game["result"] == "won")
        assert f"cost {review['cost']:.4f} together" in told.out


def test_the_review_lists_what_cost_something(sit):
    found = json.loads(sit("hold_at:2 --seed 3 --json", lines("h") * 99).out)["games"][0]["review"]
    told = sit("hold_at:2 --seed 3", lines("h") * 99).out
    dearest = sorted((one for one in found["choices"] if one["cost"] > 5e-5), key=lambda one: -one["cost"])
    assert len(dearest) > play_text.MOST_TOLD
    listed = [line.split() for line in told.splitlines() if line.endswith(tuple("0123456789")) and " held " in line]
    assert len(listed) == play_text.MOST_TOLD
    assert sorted((float(cells[-1]) for cells in listed), reverse=True) == [
        pytest.approx(one["cost"], abs=5e-5) for one in dearest[: play_text.MOST_TOLD]
    ]
    assert f"(the {len(found['choices']) - play_text.MOST_TOLD} cheapest are not shown)" in told.replace("\n  ", " ")


def test_the_best_response_pays_nothing(sit, pigevo):
    pigevo("respond hold_at:9 --target 20 --save best.npz")
    best = library.load_strategy("best.npz")
    found = json.loads(sit("hold_at:9 --target 20 --seed 1 --json", lines("r") * 99).out)["games"][0]
    answers, record = [], {"games": [{"review": {"choices": []}}]}
    while len(record["games"]) < 2 and len(answers) < 99:  # the record so far says what is asked next
        record = json.loads(sit("hold_at:9 --target 20 --seed 1 --json", lines(*answers, "h")).out)
        one = record["games"][0]
        if one["result"] != "unfinished" and len(one["review"]["choices"]) <= len(answers):
            break
        last = one["review"]["choices"][len(answers)]
        answers.append("r" if best.roll[last["own"], last["opponent"], last["total"]] else "h")
    assert one["review"]["cost"] == 0
    assert found["review"]["cost"] > 0
