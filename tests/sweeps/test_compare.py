"""Settings of a sweep, and two sweeps, compared by seed."""

import json

import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.storage.records import with_checksum
from pigevo.sweeps.comparison import compare


def test_two_settings_by_seed(sweep, capsys):
    results = pigevo.load_sweep(sweep).results()
    a, b = (results["champion"][results["setting"] == f"mutation={rate}"] for rate in ("0", "0.3"))
    made = compare(str(sweep), "mutation=0", "mutation=0.3")
    (one,) = made.compared
    assert (one.a, one.b, one.seeds) == ("mutation=0", "mutation=0.3", 4)
    assert one.difference == pytest.approx((a - b).mean())
    assert one.effect == pytest.approx((a - b).mean() / (a - b).std(ddof=1))
    (alone,) = compare(str(sweep)).compared
    assert abs(alone.difference) == pytest.approx(abs(one.difference))
    assert main(["compare", str(sweep), "mutation=0", "mutation=0.3"]) == 0
    said = capsys.readouterr().out
    assert "mutation=0  against  mutation=0.3" in said
    assert "of 4 seeds" in said


def test_a_comparison_says_that_runs_are_quick_ones(sweep, capsys):
    record = json.loads((sweep / "sweep.json").read_text())
    for debug in ("none", "fast"):
        record["runs"][0]["config"]["debug"] = debug
        for run in record["runs"][1:]:
            run["config"]["debug"] = "none"
        kept = {name: record[name] for name in ("name", "overrides", "swept", "runs")}
        (sweep / "sweep.json").write_bytes(with_checksum(kept))
        assert main(["compare", str(sweep)]) == 0
        assert ("Runs of debug=fast are among them" in capsys.readouterr().out) == (debug == "fast")


def test_from_python_it_takes_sweeps_and_folders_and_prints_what_the_command_does(sweep, capsys):
    found = pigevo.compare(pigevo.load_sweep(sweep), "mutation=0", "mutation=0.3")
    assert main(["compare", str(sweep), "mutation=0", "mutation=0.3"]) == 0
    assert capsys.readouterr().out == f"{found}\n"
    whole = pigevo.load_sweep(sweep)
    assert [one.difference for one in pigevo.compare(whole, whole).compared] == [0, 0]
    for wrong, said in (((whole, "mutation=0"), "must be a setting"), (("a", "b", "c"), "at most two settings")):
        with pytest.raises(InputError, match=said):
            pigevo.compare(whole, *wrong)


def test_what_is_compared_with_what():
    from pigevo.sweeps.comparison import _pairs, _parts

    assert _pairs("abc", []) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert _pairs("abc", ["b"]) == [("b", "a"), ("b", "c")]
    assert _pairs("abc", ["c", "a"]) == [("c", "a")]
    assert _pairs("abcdefg", []) == [("a", other) for other in "bcdefg"]
    assert _parts("cubes.sizes=[20,10],mutation=0") == ["cubes.sizes=[20,10]", "mutation=0"]


def test_two_sweeps(sweep, capsys, tmp_path):
    """Each half of the sweep as a sweep of its own."""
    record = json.loads((sweep / "sweep.json").read_text())
    halves = {}
    for rate in (0.0, 0.3):
        halves[rate] = sweep.parent / f"half{rate}"
        halves[rate].mkdir()
        runs = [run for run in record["runs"] if run["config"]["mutation"] == rate]
        kept = {name: record[name] for name in ("name", "overrides", "swept")}
        (halves[rate] / "sweep.json").write_bytes(with_checksum({**kept, "runs": runs}))
    assert main(["compare", *map(str, halves.values()), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["A"].endswith("(mutation=0)")
    (one,) = found["compared"]
    assert (one["a"], one["b"]) == ("A", "B")
    assert one["difference"] == pytest.approx(compare(str(sweep), "mutation=0", "mutation=0.3").compared[0].difference)


def test_two_sweeps_are_told_apart_by_all_settings_in_which_they_differ(sweep):
    from dataclasses import replace

    from pigevo.sweeps.comparison import _two_sweeps

    found = pigevo.load_sweep(sweep)

    def changed(rate, **settings):
        """The runs of one mutation rate, as if they had had other settings too."""
        members = [member for member in found.members if member.values["mutation"] == rate]
        made = tuple(replace(member, values={**member.values, **settings}) for member in members)
        return replace(found, members=made)

    def labels(*sweeps):
        made = _two_sweeps(*sweeps, "champion")
        assert [(one.a, one.b) for one in made.compared] == [("A", "B")]
        return [made.names[name].partition(" ")[2] for name in "AB"]

    fitness = found.members[0].values["fitness"]
    exact = {"name": "exact"}
    assert labels(changed(0), changed(0.3)) == ["(mutation=0)", "(mutation=0.3)"]
    assert labels(changed(0), changed(0.3, generations=7, workers=3)) == [
        "(generations=6,mutation=0)",
        "(generations=7,mutation=0.3)",
    ]
    assert labels(changed(0, experiment="mine"), changed(0.3, fitness=exact)) == [
        f"(experiment=mine,fitness=games,fitness.games={fitness['games']},fitness.paired=false,mutation=0)",
        "(experiment=null,fitness=exact,mutation=0.3)",
    ]
    assert labels(changed(0), changed(0)) == ["", ""]


def test_settings_that_vary_inside_a_sweep_label_no_sweep(sweep):
    from dataclasses import replace

    from pigevo.sweeps.comparison import _two_sweeps

    found = pigevo.load_sweep(sweep)
    later = tuple(replace(member, values={**member.values, "generations": 7}) for member in found.members)
    made = _two_sweeps(found, replace(found, members=later), "champion")
    assert [made.names[name].partition(" ")[2] for name in "AB"] == ["(generations=6)", "(generations=7)"]
    assert {(one.a, one.b) for one in made.compared} == {
        (f"A: mutation={rate}", f"B: mutation={rate}") for rate in ("0", "0.3")
    }
