"""`report.html` is one file: the same bytes each time, names are only text, and it belongs to its run."""

import json
import shutil

import matplotlib as mpl
import pytest

import pigevo
from pigevo.cli import main
from pigevo.runs import run
from pigevo.storage.records import with_checksum
from tests.web.page import read, refuse_outside

HOSTILE = "<script>alert('1')</script>\"&amp;<img src=x onerror=alert(2)>"
STRANGE = "a\x1b[31m\u202eb"
"""What a terminal would obey."""


def test_the_same_run_gives_the_same_bytes_whatever_the_place_and_the_users_matplotlib(
    of_run, one, wording, monkeypatch
):
    monkeypatch.chdir(one.parent)
    with mpl.rc_context({"axes.grid": True, "lines.linewidth": 9, "font.size": 30, "svg.fonttype": "path"}):
        wording(one.name)
    assert (one / "report.html").read_bytes() == (of_run.folder / "report.html").read_bytes()


@pytest.mark.slow
def test_the_same_sweep_gives_the_same_bytes(of_sweep, sweep, wording):
    wording(sweep, "--metric", "last_mean")
    assert (sweep / "report.html").read_bytes() == (of_sweep.folder / "report.html").read_bytes()


def test_names_are_only_text(sweep, wording):
    """In settings, in the command and of the folder: no element, and nothing that a terminal obeys."""
    record = json.loads((sweep / "sweep.json").read_text())
    for entry in record["runs"]:
        entry["setting"] = f"{entry['setting']},{HOSTILE}"
        entry["config"]["mutation"] = f"{entry['config']['mutation']}{HOSTILE}"
    kept = {name: record[name] for name in ("name", "swept", "runs")}
    (sweep / "sweep.json").write_bytes(with_checksum({**kept, "overrides": [HOSTILE]}))
    hostile = sweep.parent / (STRANGE + HOSTILE.replace("/", "\N{FRACTION SLASH}"))
    sweep.rename(hostile)
    wording(hostile, "--no-film")
    page, content = read(hostile / "report.html"), (hostile / "report.html").read_text(encoding="utf-8")
    refuse_outside(page)
    assert len(page.all("script")) == 1
    assert page.all("h1")[0]["text"] == "a\\x1b[31m\\u202eb" + hostile.name.removeprefix(STRANGE)
    assert "\x1b" not in content
    assert "\u202e" not in content
    assert "alert" not in page.all("script")[0]["text"]
    assert any(HOSTILE in part["text"] for part in page.all("code"))
    assert any(HOSTILE in part["text"] for part in page.all("text"))
    assert any(HOSTILE in (part.get("@aria-label") or "") for part in page.all("svg"))
    assert all(part["@src"].startswith("data:") for part in page.all("img"))


def test_a_report_belongs_to_its_run(of_run, one):
    shutil.copy(of_run.folder / "report.html", one)
    assert main(["verify", str(one)]) == 0
    settings = pigevo.load_run(one).settings
    run(settings.with_(force=True), one)
    assert not (one / "report.html").exists()
    (one / "report.html").write_text("of somebody")
    run(settings.with_(force=True), one)
    assert (one / "report.html").read_text() == "of somebody"
