"""`pigevo play`: hints, advisers and odds."""

import pytest

import pigevo as library
from pigevo.games.game import GAMES
from pigevo.strategies.rules import parse_rule
from tests.cli.sat import SMALL, lines


def test_a_hint_has_both_win_probabilities_against_both(sit):
    said = sit("hold_at:20 --seed 7 --second", lines("r", "r", "?", "q")).out
    game = library.Pig()
    for b in (library.hold_at(game, 20), library.optimal(game).strategy):
        best = library.best_response(b)
        waiting = 1 - library.state_values(b, best.strategy)[:, :, 0]  # by b's own score, then by the person's
        hold = waiting[0, 11]
        roll = (
            waiting[0, 0] + sum(library.state_values(best.strategy, b)[0, 0, 11 + face] for face in range(2, 7))
        ) / 6
        assert f"  {b.name:10}  {roll:.4f}  {hold:.4f}  roll by {roll - hold:.4f}\n" in said


def test_against_the_optimum_a_hint_is_one_line(sit):
    said = sit("--seed 7", lines("?", "q")).out
    assert said.count("\n  optimal   0.") == 1


def advised(sit, words, *answers):
    return " ".join(sit(words, lines(*answers, "q")).out.split())


def test_a_hint_also_says_what_the_adviser_would_do(sit):
    rule = "rule: 21+(j-i)/8; race either>=71"
    sentence = parse_rule(rule).sentence
    words = ["hold_at:20", "--second", "--seed", "7", "--adviser", rule]
    said = advised(sit, words, "r", "r", "?")  # 11 at risk, at 0 against 0
    assert f"{rule} would roll. {sentence}" in said
    assert said.count("would") == said.count(sentence) == 1
    assert "against roll hold better hold_at:20 0." in said  # what both are worth, as ever
    assert max(map(len, sit(words, lines("r", "r", "?", "q")).out.splitlines())) <= 60
    assert "would" not in sit(words[:-2], lines("r", "r", "?", "q")).out


@pytest.mark.parametrize(("n", "does"), [(11, "hold"), (12, "roll")])
def test_an_adviser_has_its_own_mind(sit, n, does):
    said = advised(sit, f"hold_at:20 --second --seed 7 --adviser hold_at:{n}", "r", "r", "?")
    assert "total 11, score 11 if banked; roll or hold? ? against roll hold better hold_at:20" in said
    assert f"roll by 0.0192 hold_at:{n} would {does}. [4]" in said


def test_an_adviser_that_leaves_it_to_chance(sit, tmp_path):
    game = library.Pig(target=20)
    roll = library.hold_at(game, 8).roll.astype(float) * 0.25
    roll[game.beginning] = 1.0
    path = tmp_path / "quarter.npz"
    library.Strategy(game, roll, "quarter").save(path)
    assert "quarter would roll with 25.0 %, or hold." in advised(
        sit, ["hold_at:9", *SMALL.split(), "--adviser", str(path)], "?"
    )


@pytest.mark.parametrize("name", [name for name, entry in GAMES.items() if "target" in entry.options])
def test_a_rule_advises_in_every_game_with_a_target(sit, name):
    target = 6 if name == "piglet" else 25
    words = ["hold_at:9", "--game", name, f"game.target={target}", "--seed", "3", "--adviser", "rule: end"]
    said = sit(words, lines("?", "r") * 300)
    assert (said.status, said.err) == (0, "")
    assert "rule: end would roll.\n  Roll to win.\n" in said.out


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--adviser", "nobody"], "there is no strategy 'nobody'"),
        (["--adviser", "rule: 21+"], "must be one of"),
        (["--adviser", "rule: 25; race own>=70", "--game", "ten_rounds"], "needs a game with a target"),
    ],
)
def test_an_adviser_that_is_none(sit, words, what):
    said = sit([*words, "--seed", "3"], lines("r"))
    assert (said.status, said.out) == (2, "")
    assert what in said.err
    assert said.err.count("\n") == 1


def test_odds_come_and_go(sit):
    said = sit(f"{SMALL}", lines("o", "r", "r", "o", "r", "r", "q")).out
    assert said.count("a roll: 16.7 % to lose the turn") == 3
    assert "odds are hidden" in said
    assert sit(f"{SMALL} --odds", lines("q")).out.count("a roll: 16.7 %") == 1
