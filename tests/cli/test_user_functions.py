"""Users' functions in every command that calls them: the same sentence for the same error."""

import re
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("duel pupil.py:rule hold_at:3 --target 9", 2),
        ("show pupil.py:rule --target 9", 2),
        ("check pupil.py:rule --kind strategy", 1),
        ("check pupil.py:rule", 1),
    ],
)
def test_a_function_that_divides_by_zero_in_one_state_does_not_play(pigevo, words, status):
    Path("pupil.py").write_text("def rule(i, j, k):\n    return 100 / (k - 5) > 5\n")
    output = pigevo(words)
    assert output.status == status
    assert re.search(
        r"ZeroDivisionError: .* at i = 0, j = 0, k = 5 \(pupil.py, line 2\)",
        " ".join(f"{output.out} {output.err}".split()),
    )
