"""`pigevo describe`: whatever can be chosen, and whatever is printed or written, has a meaning."""

import itertools
import json
from dataclasses import fields

import pytest

from pigevo.cli import glossary, main
from pigevo.cli.choice_descriptions import arguments, sentences, settings_of, takes
from pigevo.cli.commands import command_names
from pigevo.cli.commands.describe import all_meanings, meanings
from pigevo.evolution.game_allocation import ALLOCATION_RULES
from pigevo.evolution.lineage import GAINS
from pigevo.evolution.logbook import COLUMNS, DIGEST_COLUMN, FURTHER, MEASURED, RESULT_FIELDS
from pigevo.evolution.selection import outcomes
from pigevo.settings.schema import CHOICES, GROUPS, Config, choices, registry_of
from pigevo.strategies import STRATEGIES
from pigevo.sweeps import METRICS
from pigevo.sweeps.statistics import Compared, RankedSetting
from tests.cli.small import RUN

CHOSEN = {f"{group}={name}" for group in CHOICES for name in choices(group)}
REGISTERED = {f"{group}={name}" for group in GROUPS for name in registry_of(group)}


@pytest.fixture(autouse=True, scope="module")
def _gathered_once():
    """All meanings are gathered once; a command does so each time."""
    with pytest.MonkeyPatch.context() as patch:
        everything = tuple(all_meanings())
        patch.setattr("pigevo.cli.commands.describe.all_meanings", lambda: everything)
        yield


def senses_of(word):
    """The meanings of a word, each of at least a sentence."""
    senses = meanings(word)
    assert all(len(sense.text) >= 15 and sense.text.rstrip().endswith((".", ")")) for sense in senses), senses
    assert all(sense.text[0].isupper() or sense.text[0] in "`'" for sense in senses), senses
    return senses


def test_every_choice_has_a_meaning():
    for choice in CHOSEN | REGISTERED:
        (sense,) = senses_of(choice)
        group, _, name = choice.partition("=")
        if choice in REGISTERED:
            entry = registry_of(group)[name]
            assert (sense.text, sense.source) == (sentences(entry), entry.source)
            options = [f"{group}.{option}" for option in entry.options]
            assert [row[0].partition("=")[0] for row in sense.settings] == options


def test_every_name_has_a_meaning():
    for name in {*STRATEGIES, *choices("hydra/launcher"), *command_names(), *GROUPS, *(f.name for f in fields(Config))}:
        assert senses_of(name)
    for name, entry in ALLOCATION_RULES.items():
        (sense,) = [sense for sense in senses_of(name) if sense.kind == "a way to spend games"]
        assert (sense.text, sense.source) == (sentences(entry), entry.source)


def test_every_column_has_a_meaning():
    for column in (*COLUMNS, *MEASURED, DIGEST_COLUMN):
        assert "a column of metrics.csv" in [sense.kind for sense in senses_of(column)]
    records = [f.name for record in (RankedSetting, Compared) for f in fields(record)]
    assert all(senses_of(column) for column in (*METRICS, *records, "run", "metric", "value"))
    for word, text in glossary.WORDS.items():
        assert text in [sense.text for sense in meanings(word)]


def keys(record, left_out=("versions", "begun_with", "config", "files")):
    for key, value in record.items():
        if not key[0].isdigit():  # the size of cubes
            yield key
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict) and key not in left_out:
                yield from keys(inner)


def test_every_figure_of_a_result_has_a_meaning_and_no_other(pigevo, no_pictures, tmp_path):
    assert pigevo(f"{RUN} baseline=random_search baseline.populations=2").status == 0
    result = json.loads((tmp_path / "run/result.json").read_text())
    assert set(result) == set(RESULT_FIELDS)  # which a user's selection may not take
    figures = set(keys(result))
    for name in figures:
        assert senses_of(name)
    assert set(glossary.RESULTS) - {"commit", "changed"} <= figures  # which only a checkout has
    of_selections = itertools.chain(*(selection.outcome_columns for selection in outcomes().values()))
    assert set(glossary.METRICS) == {*COLUMNS, *FURTHER, *MEASURED, *of_selections, *GAINS, DIGEST_COLUMN}


def test_a_word_of_one_group_means_that_one(answer):
    assert answer("describe mutator=deap").count("a choice of") == 1


def test_a_word_may_be_written_in_several_ways_and_is_explained_once(record_of):
    assert [sense["word"] for sense in record_of("describe lexicase")["meanings"]] == ["selection=lexicase"]
    assert meanings("random search") == meanings("random-search") == meanings("Random_Search")
    assert len(meanings("game.allow_pass")) == 1  # the same in several choices


def test_unknown_words_suggest_near_ones(refused):
    refused("describe lexicse", "did you mean lexicase")
    refused("describe zzzzzzzz", "has no meaning here")
    refused("describe game=lexicase", "")


def test_no_meaning_is_empty_or_there_twice():
    senses = [(sense.word, sense.kind, sense.text) for sense in all_meanings()]
    assert len(set(senses)) == len(senses)


def test_docstrings_are_read_as_they_are_written():
    def documented(a: int, b: int) -> None:
        """Does it, shape (n,), at once.

        Args:
            a: the first: with a colon,
                on two lines.
            b: the second.

        Returns:
            c: none of them.
        """

    assert arguments(documented) == {"a": "the first: with a colon, on two lines.", "b": "the second."}
    assert takes(int | None) == "a whole number"
    entry = registry_of("selection")["truncation"]
    assert [(option.name, option.default, option.takes) for option in settings_of(entry)] == [
        ("share", 0.5, "a number above 0 and up to 1")
    ]


def test_sentences_take_the_width_of_the_terminal(capsys, monkeypatch):
    widths = {}
    for columns in ("20", "80", "300"):
        monkeypatch.setenv("COLUMNS", columns)
        assert main(["describe", "champion"]) == 0
        widths[columns] = max(map(len, capsys.readouterr().out.splitlines()))
    assert widths["20"] <= 60 < widths["80"] <= 80 < widths["300"] <= 120
