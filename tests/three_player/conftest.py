import pytest

from pigevo import three_player as tp


@pytest.fixture(scope="session")
def pig62():
    return tp.solve(tp.Game(target=62))
