import pytest

import pigevo
from pigevo.exact.thresholds import Thresholds


@pytest.fixture(scope="session")
def referee():
    """The optimum of the board of the study of rules, prepared for meeting rules."""
    from experiments.rules.tests.cases import GAME

    return Thresholds(pigevo.optimal(GAME).strategy)
