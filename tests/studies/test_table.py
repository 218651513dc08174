"""Published | ours | agrees?"""

import csv

import numpy as np

from pigevo.studies.table import HEADER, exact_row, markdown, sampled_row, write_table


def test_a_published_number_agrees_if_it_lies_in_the_band_or_beside_it_by_its_reading():
    ours = np.linspace(0.1, 0.2, 101)
    rows = [sampled_row("f", "w", p, ours, "why not", reading=0.01) for p in (0.09, 0.096, 0.15, 0.204, 0.21)]
    assert [row.agrees for row in rows] == [False, True, True, True, False]
    assert [row.remark for row in rows] == ["why not", "", "", "", "why not"]
    assert np.allclose([rows[0].low, rows[0].ours, rows[0].high], [0.105, 0.15, 0.195])


def test_an_exact_number_agrees_if_it_is_printed_alike():
    assert exact_row("t", "w", 0.5347, 0.534698, 4).agrees
    assert not exact_row("t", "w", 0.5348, 0.534698, 4).agrees


def test_the_table_numbers_each_remark_once_and_is_written_as_csv_too(tmp_path):
    rows = [
        exact_row("t", "w", 0.5, 0.4, 2, "off"),
        exact_row("t", "v", 0.3, 0.4, 2, "off"),
        exact_row("t", "u", 1, 1, 2),
    ]
    text = markdown(rows)
    assert text.count("no [1]") == 2
    assert text.count("[1] off") == 1
    assert "| t | u | 1 | 1.0000, exact | yes |" in text
    write_table(tmp_path, "table", rows)
    read = list(csv.reader((tmp_path / "table.csv").open()))
    assert tuple(read[0]) == HEADER
    assert read[1][4:7] == ["", "", "False"]
