"""One process that does command lines, and one folder to begin in, for all tests of a worker."""

import pytest

from tests.fuzz import case
from tests.fuzz.bounded import Bounded


@pytest.fixture(scope="session")
def bounded():
    process = Bounded()
    yield process
    process.close()


@pytest.fixture(scope="session")
def master(bounded, tmp_path_factory):
    folder = tmp_path_factory.mktemp("master")
    case.make(bounded, folder)
    return folder


@pytest.fixture
def folder(master, tmp_path):
    return case.copy(master, tmp_path / "case")
