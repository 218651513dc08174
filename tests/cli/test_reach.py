"""`pigevo reach` as a person uses it."""

import json

import pigevo


def test_the_states_of_a_thousand_games(pigevo, tmp_path):
    said = pigevo(["reach", "hold_at:7", "optimal", "--target", "20", "--share", "5", "--share", "90",
                   "--to", str(tmp_path / "states.svg")])  # fmt: skip
    assert said.status == 0, said.err
    assert "hold_at:7 against optimal in Pig to 20, which has 4,200 states" in said.out
    assert "1,000 games come to" in said.out
    assert said.out.split("90 %")[1].split("\n")[0].strip() == "no number"
    assert (tmp_path / "states.svg").read_text().startswith("<?xml")


def test_for_programs(pigevo):
    record = json.loads(pigevo("reach hold_at:7 --target 20 --games 10 --share 5 --json").out)
    found = expected("hold_at:7")
    assert (record["states"], record["most"]) == (found.states, found.most)
    assert (record["expected"], record["share"]) == (found.expected(10), found.share(10))
    assert record["needed"] == [{"share": 0.05, "games": found.games_for(0.05)}]


def expected(word):
    one = pigevo.parse_strategy(word, pigevo.Pig(20))
    return pigevo.distinct_states(one, one)


def test_games_of_falling_scores_and_wrong_pictures_are_refused(refused, tmp_path):
    refused("reach hold_at:7 --game two_dice --target 20", "scores can fall")
    refused("reach hold_at:7 --target 20 --to x.txt", "must end with")
    refused("reach hold_at:7 --target 20 --share 0", "--share")
