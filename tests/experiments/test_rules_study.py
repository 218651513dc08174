"""The study of rules from beginning to end, on small boards."""

import csv

import pytest

import pigevo
from pigevo.strategies.rules import AtLeast, Constant, Rule, parse_rule
from pigevo.studies.find import experiments_folder, load_study

load_study("rules")
from pigevo_study_rules import around, contest, families, search, study, templates, ten_rounds  # noqa: E402


@pytest.fixture
def small_study(monkeypatch):
    """The study of few families, few forms and two contenders, on small boards."""
    lines = [parse_rule(f"{n}+(j-i)/{d}").base for n in (8, 9) for d in (4, 5)]
    sides = [parse_rule(f"{n} if ahead else {n + 2}").base for n in (7, 8)]
    either = [((AtLeast("either", n),),) for n in (18, 20)]
    doubled = [((AtLeast("either", n),), (AtLeast("sum", 30),)) for n in (18, 20)]
    numbers = [Constant(n) for n in range(5, 12)]
    made = [families.Family("n", numbers), families.Family("two", numbers, either),
            families.Family("three", lines, either), families.Family("four", sides, doubled)]  # fmt: skip
    monkeypatch.setattr(search, "families", lambda *_: made)
    monkeypatch.setattr(study, "TARGETS", (40, 30))
    monkeypatch.setattr(study, "STARTS", 1)
    monkeypatch.setattr(study, "PROVEN", {1: 1})
    monkeypatch.setattr(templates, "EXHAUSTED", templates.EXHAUSTED[:1])
    monkeypatch.setattr(templates, "FIVE", ("8+(j-i)/4; race own>=18 or opponent>=18 or sum>=30",))
    monkeypatch.setattr(contest, "CONTENDERS", {"random rules": contest.CONTENDERS["random rules"]})
    monkeypatch.setattr(study, "OTHERS", {"ten_rounds": ten_rounds})
    monkeypatch.setattr(ten_rounds, "FORMS", ())
    monkeypatch.setattr(ten_rounds, "families", lambda: [[Rule(Constant(20))]])
    monkeypatch.setattr(around.table, "__defaults__", (1,))


@pytest.mark.slow
def test_the_whole_study_goes_from_beginning_to_end(tmp_path, small_study):
    study.run_full(tmp_path, 2, 1)
    kept = {path.name.replace("_30", "_50") for path in tmp_path.glob("*.*")}
    here = {path.name for path in (experiments_folder() / "rules").glob("*.*") if path.suffix in (".md", ".csv")}
    assert kept >= here - {"README.md", "two_dice.md"}
    assert (tmp_path / "fronts.png").read_bytes().startswith(b"\x89PNG")
    told = [one for one in csv.DictReader((tmp_path / "front.csv").open()) if one["front"] == "least loss"]
    games = [pigevo.Pig(target=40), pigevo.Pig(target=30)]
    assert {one["game"] for one in told} == {str(game) for game in games}
    for one in told:
        game = games[one["game"] == str(games[1])]
        won = pigevo.win_probability(parse_rule(one["rule"]).strategy(game), pigevo.optimal(game).strategy).overall
        assert abs(1 - 2 * won - float(one["difference"])) < 1e-9
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    study.run_full(tmp_path, 2, 1)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before
