"""Published | ours | agrees?"""

import csv

import numpy as np

from pigevo.experiments.common.tables import (
    HEADER,
    Row,
    as_markdown,
    exact,
    read_sections,
    sampled,
    write_section,
    write_table,
)

NO, YES = exact(0.5, 0.4, 2), exact(0.3, 0.3, 2)


def test_a_published_number_agrees_if_it_lies_in_the_band_or_beside_it_by_its_precision():
    ours = np.linspace(0.1, 0.2, 101)
    figures = [sampled(published, ours, precision=0.01) for published in (0.09, 0.096, 0.15, 0.204, 0.21)]
    assert [figure.agrees for figure in figures] == [False, True, True, True, False]
    assert np.allclose([figures[0].low, figures[0].value, figures[0].high], [0.105, 0.15, 0.195])


def test_few_runs_judge_nothing():
    """Three runs of the very law of the published one are no band of 90 % of it."""
    few, enough = (sampled(0.15, np.linspace(0.1, 0.2, n)) for n in (19, 20))
    assert (few.agrees, enough.agrees) == (None, True)
    text = as_markdown([Row("t", "w", 0.15, few, "off"), Row("t", "v", 0.5, NO, "off")])
    assert "| too few runs |" in text
    assert text.splitlines()[-1] == "| all | 2 | too few runs, 20 are needed |  |"


def test_an_exact_number_agrees_if_it_is_printed_alike():
    assert exact(0.5347, 0.534698, 4).agrees
    assert not exact(0.5348, 0.534698, 4).agrees


def test_a_remark_is_said_where_the_texts_rules_do_not_agree_and_numbered_once(tmp_path):
    rows = [Row("t", "w", 0.5, NO, "off"), Row("t", "v", 0.5, NO, "off"), Row("t", "u", 0.3, YES, "not said")]
    text = as_markdown(rows)
    assert text.count("no [1]") == 2
    assert text.count("[1] off") == 1
    assert "not said" not in text
    assert "| t | u | 0.3 | 0.3000, exact | yes |" in text
    write_table(tmp_path, "table", rows)
    read = list(csv.reader((tmp_path / "table.csv").open()))
    assert tuple(read[0]) == (*HEADER, "remark")
    assert read[1][4:] == ["", "", "False", "off"]
    assert read[3][6:] == ["True", ""]


def test_readings_have_columns_of_their_own_and_are_counted_where_they_bear(tmp_path):
    rows = [
        Row("t", "w", 0.5, NO, "off", {"a": YES}),
        Row("t", "v", 0.5, NO, "off", {"a": NO, "b": YES}),
        Row("t", "u", 0.3, YES),
    ]
    lines = as_markdown(rows).splitlines()
    assert lines[0].endswith("| agrees? | a | b |")
    assert lines[2].endswith("| no [1] | 0.3000, exact: yes |  |")
    assert lines[3].endswith("| 0.4000, exact: no | 0.3000, exact: yes |")
    assert lines[-3:] == ["| all | 3 | 1 |  |", "| a | 2 | 0 | 1 |", "| b | 1 | 0 | 1 |"]
    write_table(tmp_path, "table", rows)
    read = list(csv.DictReader((tmp_path / "table.csv").open()))
    assert [row["a: agrees"] for row in read] == ["True", "False", ""]
    assert [row["b: ours"] for row in read] == ["", "0.3", ""]


def test_a_section_is_written_in_place_of_the_one_of_its_name_and_no_other_changes(tmp_path):
    assert read_sections(tmp_path) == {}
    first, second = "| a |\n|---|\n\n### Part\n\n| 1 |\n", "| b |\n"
    write_section(tmp_path, "b_2", second)
    write_section(tmp_path, "a", "old\n")
    write_section(tmp_path, "a", first)
    assert read_sections(tmp_path) == {"a": first, "b_2": second}
    assert (tmp_path / "tables.md").read_text() == f"## a\n\n{first}\n## b_2\n\n{second}"
    assert [path.name for path in tmp_path.iterdir()] == ["tables.md"]
