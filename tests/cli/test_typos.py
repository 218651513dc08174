"""Words that were probably meant otherwise: the sentence says what was meant."""

from pathlib import Path

import pytest

RULES = "mine.py:rule"
MEANT = {
    "mutation=0,005 debug=fast": "a comma where numbers have a point: did you mean mutation=0.005?",
    "-m mutation=0,005 debug=fast": "a comma where numbers have a point: did you mean mutation=0.005?",
    "fitness.games=1,5 debug=fast": "If one number is meant, did you mean fitness.games=1.5?",
    "duel hold_at20 optimal": "there is no strategy 'hold_at20'; did you mean hold_at:20?",
    "duel holdat:20 optimal": "did you mean hold_at:20?",
    "duel hold_at=20 optimal": "did you mean hold_at:20?",
    "tournament score20,0 hold_at:5": "did you mean score:20,0?",
    "show RUN": "RUN stands for the folder of a run, outputs/EXPERIMENT/SETTINGS: write that instead",
    "verify RUN": "RUN stands for the folder of a run",
    "report SWEEP": "SWEEP stands for the folder of a sweep, outputs/sweeps/NAME",
    "compare SWEEP": "SWEEP stands for the folder of a sweep",
    "duel A B": "A stands for a strategy, such as hold_at:20 or optimal",
    "check FILE.py:FUNCTION": f"stands for a function in a file, such as {RULES}",
}


@pytest.mark.parametrize("words", MEANT)
def test_it_says_what_was_meant(refused, words):
    refused(words, MEANT[words])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hold_at:200 optimal", "hold_at:200: 200 points are more than the 100 that win in Pig to 100; did you mean hold_at:20?"),
        ("hold_at:33 optimal --target 30", "33 points are more than the 30 that win in Pig to 30."),
    ],
)  # fmt: skip
def test_points_out_of_reach_are_played_with_a_word(pigevo, words, message):
    output = pigevo(f"duel {words}")
    assert (output.status, message in output.err) == (0, True)


def test_what_is_meant_as_it_is_typed_is_left_alone(pigevo, answer):
    assert pigevo("duel hold_at:30 hold_at:20 --target 30").err == ""
    Path("RUN").mkdir()
    assert "stands for" not in pigevo("show RUN").err
    answer("show hold_at:7 --target 9 --dpi 30 --title A")
