"""What is said of a word that is no strategy."""

import pytest

from pigevo.errors import InputError
from pigevo.strategies import parse_strategy


@pytest.fixture
def refused():
    """A word that is no strategy of a game is refused in one short sentence that says what would be right."""

    def check(word, game, part):
        with pytest.raises(InputError) as caught:
            parse_strategy(word, game)
        assert part in str(caught.value)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return check
