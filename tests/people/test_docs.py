"""The page of the format says what is so."""

import contextlib
import io
import re
from pathlib import Path

import pigevo
from pigevo.people import neutral_values
from pigevo.people.csv_rows import COLUMNS, MOST_ROWS, NEEDED
from pigevo.people.record_files import LARGEST, LARGEST_TARGET
from tests.people.played import FIGURE_6

PAGE = (Path(__file__).parents[2] / "docs" / "people.md").read_text(encoding="utf-8")


def test_its_table_has_every_column():
    rows = re.findall(r"^\| `(\w+)` \|.*\| (yes)? ?\|$", PAGE, flags=re.M)
    assert [name for name, _ in rows] == list(COLUMNS)
    assert [name for name, needed in rows if needed] == list(NEEDED)


def test_it_prints_the_record_of_the_report_and_the_bounds():
    assert f"```text\n{FIGURE_6}```" in PAGE
    assert f"at most {MOST_ROWS:,} turns and {LARGEST >> 20} MiB" in PAGE
    assert f"at most {LARGEST_TARGET} points" in PAGE
    assert "holds at {} or {} in Pig".format(*neutral_values(pigevo.Pig())) in PAGE


def test_its_code_prints_what_it_says():
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.M | re.S)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "people.md", "exec"), {})
    (promised,) = re.findall(r"# ([\d.]+)\.\.\.", code)
    assert said.getvalue().startswith(promised)
