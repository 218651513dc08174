"""Ranges of numbers in a strategy's word."""

import pytest

from pigevo.errors import InputError
from pigevo.strategies import expand


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("hold_at:1..3", ["hold_at:1", "hold_at:2", "hold_at:3"]),
        ("hold_at:5..20..5", ["hold_at:5", "hold_at:10", "hold_at:15", "hold_at:20"]),
        ("hold_at:5..8..2", ["hold_at:5", "hold_at:7"]),
        ("score:20,0..1", ["score:20,0", "score:20,1"]),
        ("score:3..4,0..1", ["score:3,0", "score:3,1", "score:4,0", "score:4,1"]),
        ("hold_at:7..7", ["hold_at:7"]),
        ("optimal", ["optimal"]),
        ("hold_at:20", ["hold_at:20"]),
        ("../up.npz", ["../up.npz"]),
        ("a..b/ops.py:rule", ["a..b/ops.py:rule"]),
    ],
)
def test_what_a_word_stands_for(word, words):
    assert expand(word) == words


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("hold_at:3..1", "is an empty range: write the smaller number first"),
        ("hold_at:1..x", "is no range: write 1..100, or 5..95..5"),
        ("hold_at:1..9..0", "is no range"),
        ("hold_at:..", "is no range"),
        ("hold_at:1..99999", "is too long a range"),
        ("score:1..200,1..200", "stands for 40,000 strategies: 10,000 are the most"),
    ],
)
def test_what_is_no_range(word, told):
    with pytest.raises(InputError, match=told):
        expand(word)
