"""`pigevo fair-test`: to read, as JSON, and wrong words."""

import json


def test_to_read(pigevo):
    said = pigevo("fair-test hold_at:3 hold_at:8 --target 20 --seed 1").out
    record = json.loads(pigevo("fair-test hold_at:3 hold_at:8 --target 20 --seed 1 --json").out)
    assert f"exact    {record['overall']:.6f}" in said
    assert f"needed   {record['needed']:,} games tell them apart with 0.95 confidence and a power of 0.8" in said
    assert f"{record['match']['wins']:,} won" in said
    assert f"interval {record['low']:.4f} to {record['high']:.4f}" in said
    verdict = f"{record['better']} is better" if record["better"] else "open: the interval holds a half"
    assert f"verdict  {verdict}" in said


def test_level_ones(pigevo):
    said = pigevo("fair-test hold_at:3 hold_at:3 --target 20").out
    assert "they are level: no number of games tells them apart" in said
    assert "played   1,538 games, seed 0:" in said


def test_none_played(pigevo):
    said = pigevo("fair-test hold_at:3 hold_at:4 --target 20 --most 0")
    assert said.status == 0
    assert "played   none: --games or --most allow it" in said.out
    assert json.loads(pigevo("fair-test hold_at:3 hold_at:4 --target 20 --most 0 --json").out)["match"] is None


def test_stalemates_are_told(pigevo):
    said = pigevo("fair-test skip_when_level:3 skip_when_level:5 --target 10 --allow-pass --games 200").out
    assert "of the games; of these skip_when_level:3 wins" in said


def test_two_of_one_name_are_told_apart_by_the_words(pigevo, tmp_path):
    from pigevo.games import Pig
    from pigevo.strategies import Strategy, hold_at

    game = Pig(target=10)
    for n in (2, 4):
        Strategy(game, hold_at(game, n).roll, "champion").save(tmp_path / f"run{n}" / "champion.npz")
    record = json.loads(pigevo("fair-test run2 run4 --target 10 --json").out)
    assert (record["a"], record["b"], record["better"]) == ("run2", "run4", record["better"])


WRONG = [
    ("fair-test hold_at:3", "Missing argument 'B'"),
    ("fair-test hold_at:3 holdat:4", "there is no strategy 'holdat'; did you mean hold_at?"),
    ("fair-test hold_at:3 hold_at:4 --confidence 95", "95.0 is not in the range"),
    ("fair-test hold_at:3 hold_at:4 --power 1", "1.0 is not in the range"),
    ("fair-test hold_at:3 hold_at:4 --games 3", "games = 3: a fair test has an even number of games"),
]


def test_one_sentence(refused):
    for words, message in WRONG:
        refused(words, message)
