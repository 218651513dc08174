"""`report.html` is one file: the same bytes each time, names are only text, and it belongs to its run."""

import json
import os

import pytest

import pigevo
from pigevo.cli import main
from pigevo.runs import run
from pigevo.storage.checksums import sealed_json
from tests.web.page import read, refuse_outside

HOSTILE = "<script>alert('1')</script>\"&amp;<img src=x onerror=alert(2)>"


@pytest.mark.slow
def test_the_same_folder_gives_the_same_bytes(sweep, one, told, monkeypatch, tmp_path):
    for folder in (sweep, one):
        told(folder)
        first = (folder / "report.html").read_bytes()
        monkeypatch.chdir(tmp_path)
        told(os.path.relpath(folder))
        assert (folder / "report.html").read_bytes() == first
        monkeypatch.chdir("/")


def test_the_users_settings_of_matplotlib_change_nothing(one, told):
    import matplotlib as mpl

    told(one, "--no-film")
    first = (one / "report.html").read_bytes()
    with mpl.rc_context({"axes.grid": True, "lines.linewidth": 9, "font.size": 30, "svg.fonttype": "path"}):
        told(one, "--no-film")
    assert (one / "report.html").read_bytes() == first


def test_hostile_names_are_only_text(sweep, told):
    record = json.loads((sweep / "sweep.json").read_text())
    for entry in record["runs"]:
        entry["setting"] = f"{entry['setting']},{HOSTILE}"
        entry["config"]["mutation"] = f"{entry['config']['mutation']}{HOSTILE}"
    kept = {name: record[name] for name in ("name", "swept", "runs")}
    (sweep / "sweep.json").write_bytes(sealed_json({**kept, "overrides": [HOSTILE]}))
    hostile = sweep.parent / HOSTILE.replace("/", "\N{FRACTION SLASH}")
    sweep.rename(hostile)
    told(hostile)
    page = read(hostile / "report.html")
    refuse_outside(page)
    assert len(page.all("script")) == 1
    assert page.all("h1")[0]["text"] == hostile.name
    assert "alert" not in page.all("script")[0]["text"]
    assert any(HOSTILE in part["text"] for part in page.all("code"))
    assert any(HOSTILE in part["text"] for part in page.all("text"))
    assert any(HOSTILE in (part.get("@aria-label") or "") for part in page.all("svg"))
    assert all(part["@src"].startswith("data:") for part in page.all("img"))


def test_names_that_a_terminal_would_obey_are_written_out(sweep, told):
    strange = sweep.parent / "a\x1b[31m\u202eb"
    sweep.rename(strange)
    told(strange, "--no-film")
    content = (strange / "report.html").read_text(encoding="utf-8")
    assert "\x1b" not in content
    assert "\u202e" not in content
    assert "a\\x1b[31m\\u202eb" in content


@pytest.mark.slow
def test_a_reader_is_told_where_the_page_is_in_one_line(sweep, one, capsys):
    for folder in (one, sweep):
        assert main(["report", str(folder), "--no-film"]) == 0
        last = capsys.readouterr().out.splitlines()[-1]
        size = (folder / "report.html").stat().st_size / 1e6
        assert last == f"{folder / 'report.html'}: open it in a browser ({size:.1f} MB)"


def test_a_report_belongs_to_its_run(one, told, capsys):
    told(one, "--no-film")
    assert main(["verify", str(one)]) == 0
    settings = pigevo.load_run(one).settings
    run(settings.with_(force=True), one)
    assert not (one / "report.html").exists()
    (one / "report.html").write_text("of somebody")
    run(settings.with_(force=True), one)
    assert (one / "report.html").read_text() == "of somebody"
