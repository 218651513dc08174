import pytest

from tests.cases import solved


@pytest.fixture(scope="session")
def pig62():
    return solved(62)
