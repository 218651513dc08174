"""Streams that are closed or full, for every command: an answer that cannot be given is told, a remark is lost."""

import re

import pytest

from pigevo.cli.commands import command_names
from tests.fuzz import case
from tests.fuzz.words import COMMANDS

FULL = "/dev/full"
RUN = "debug=fast game.target=9 population.size=6 workers=1"
LINES = [
    *([name, *examples[0].split()] for name, examples in COMMANDS.items()),
    RUN.split(), ["--cfg", "job"], ["--help"], case.SWEPT,
]  # fmt: skip
SILENT = LINES[-1:]
"""What says everything on standard error."""


def names(words):
    return " ".join(words[:2])


def test_every_command_is_among_them():
    assert sorted(COMMANDS) == command_names()


@pytest.mark.slow
@pytest.mark.parametrize("words", LINES, ids=names)
@pytest.mark.parametrize("place", [None, FULL])
def test_remarks_that_cannot_be_printed_are_lost_and_nothing_else(bounded, folder, words, place):
    dry = words[0] == "study"
    output, usual = bounded(words, folder, dry=dry, streams={2: place}), bounded(words, folder, dry=dry)
    assert output.status == usual.status == 0
    assert bool(output.out) == (words not in SILENT)
    assert first_line(output) == first_line(usual)  # the answer alone, which a program may read


def first_line(output):
    return re.sub("[0-9]+", "N", output.out.partition("\n")[0])


QUICK = ("check", "compare", "duel", "people", "solve", "status", "--help", RUN.split()[0])
"""The quick ones of those that answer; the others answer by the same ways."""
ANSWERING = [
    pytest.param(line, marks=() if line[0] in QUICK else pytest.mark.slow) for line in LINES if line not in SILENT
]


@pytest.mark.parametrize("words", ANSWERING, ids=names)
def test_an_answer_that_cannot_be_printed_is_an_error(bounded, folder, words):
    output = bounded(words, folder, dry=words[0] == "study", plain=True, streams={1: FULL})
    assert (output.status, output.err.splitlines()[-1]) == (
        2, "pigevo: standard output cannot be written: No space left on device.",
    )  # fmt: skip


def test_nothing_begins_where_the_answer_has_no_place(bounded, folder):
    for words in LINES:
        output = bounded(words, folder, streams={1: None})
        sentence = "pigevo: standard output is closed: send it to a file, or to /dev/null.\n"
        assert (output.status, output.err, output.changed) == (2, sentence, {}), output


@pytest.mark.parametrize(
    ("words", "streams"),
    [
        (RUN.split(), {0: None, 2: None}), (RUN.split(), {1: FULL, 2: FULL}), (RUN.split(), {0: None, 1: None, 2: None}),
        (["mutation=7"], {1: None, 2: None}), (["mutation=7"], {0: None}), (["duel", "hold_at:3", "optimal"], {0: None}),
    ],
)  # fmt: skip
def test_several_at_once(bounded, folder, words, streams):
    output = bounded(words, folder, plain=True, streams=streams)
    assert output.status == (2 if words == ["mutation=7"] or 1 in streams else 0)
    assert all(
        "pigevo:" not in str(content) for content in output.changed.values()
    )  # no file got the number of a stream
