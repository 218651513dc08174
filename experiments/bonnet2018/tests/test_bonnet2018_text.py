"""What the README on three players says of orbits, coalitions and the two-player optimum stands in the tables."""

import csv
from collections import Counter, defaultdict

import numpy as np
import pytest

from experiments.bonnet2018.tests.test_bonnet2018 import README, STUDY, table_after

TEXT = " ".join(README.split())


def rows(name, **values):
    """The rows of a table that have these values."""
    with (STUDY / f"{name}.csv").open() as file:
        return [row for row in csv.DictReader(file) if values.items() <= row.items()]


def by_orbit(name):
    grouped = defaultdict(list)
    for row in rows(name):
        grouped[int(row["a"]), int(row["b"]), int(row["c"])].append(row)
    return grouped


def test_every_target_printed_is_that_of_the_table():
    for cells in table_after("## Every target to 100"):
        (row,) = rows("targets", target=cells[0])
        assert cells[1:4] == [f"{float(row[seat]):.6f}" for seat in ("first", "second", "third")]
        assert [cell.replace(",", "") for cell in cells[4:]] == [row[n] for n in ("orbits", "without_pure", "several")]


def test_what_orbits_have_is_counted():
    mixing = [Counter(int(row["mixing_players"]) > 0 for row in orbit) for orbit in by_orbit("orbits").values()]
    kinds = Counter((count[False], count[True]) for count in mixing if count.total() > 1)
    assert kinds == {(2, 1): 75, (3, 2): 4, (1, 2): 2}
    assert "Of the 81 with several, 75 have two pure equilibria and a mixed one, four have three pure and two" in TEXT
    alone = Counter(row["mixing_players"] for row in rows("margins"))
    assert alone == {"2": 35, "3": 1}
    assert [(row["a"], row["b"], row["c"]) for row in rows("margins", mixing_players="3")] == [("36", "44", "84")]


def test_simulated_games_agree_with_the_exact_values():
    simulated = rows("simulation_1")
    rates = (f"{float(row['rate']):.4f}"[1:] for row in simulated)
    assert "gave the seats {}, {} and {}".format(*rates) in TEXT
    assert all(float(row["low"]) < float(row["exact"]) < float(row["high"]) for row in simulated)
    assert {row["games"] for row in simulated} == {"1000000"}


@pytest.mark.parametrize(("column", "view"), [(1, "leader"), (2, "both"), (3, "next")])
def test_what_the_two_player_optimum_loses_is_that_of_the_table(column, view):
    lost = {int(row["target"]): 100 * np.mean([float(row[s]) for s in ("first", "second", "third")])
            for row in rows("shortfall", view=view)}  # fmt: skip
    for cells in table_after("loses, in percentage points"):
        assert cells[column] == f"{lost[int(cells[0])]:.2f}"
    if view == "leader":
        assert [target for target, points in lost.items() if points > 1] == [*range(39, 44), 56, 57]
        assert "more than one percentage point at 39 to 43, 56 and 57 only" in TEXT


def test_what_a_coalition_takes_is_that_of_the_table():
    lost = {int(row["target"]): [100 * float(row[f"lost_{s}"]) for s in ("first", "second", "third")]
            for row in rows("coalition")}  # fmt: skip
    assert "take {:.3f}, {:.3f} and {:.3f} percentage points from him at 100".format(*lost[100]) in TEXT
    most = max(lost, key=lambda target: max(lost[target]))
    assert f"at most {max(lost[most]):.2f} (target {most}), and nothing up to 45" in TEXT
    assert max(max(points) for target, points in lost.items() if target <= 45) < 1e-9 < max(lost[46])


def test_the_switches_printed_are_those_of_the_table():
    words = {"makes": "makes it", "breaks": "breaks it"}
    for cells, row in zip(table_after("## Are policy orbits"), rows("cycles", a="32", b="62", c="61"), strict=True):
        assert cells[0] == row["switcher_needs"]
        assert cells[1:4] == [f"{float(row[name]):+.5f}" for name in ("own", "partner", "third")]
        assert cells[4] == words[row["kind"]]


def test_what_is_said_of_all_cycles_is_counted():
    cycles = by_orbit("cycles")
    switches = [row for cycle in cycles.values() for row in cycle]
    assert (len(cycles), len(switches)) == (35, 140)
    assert all([row["kind"] for row in cycle] == ["makes", "makes", "breaks", "breaks"] for cycle in cycles.values())
    partner, third, own = (np.array([float(row[name]) for row in switches]) for name in ("partner", "third", "own"))
    assert not ((partner < 0) & (third < 0)).any()
    moved = np.median(np.abs(partner) / own)
    assert f"at the median a switch moves {moved:.0f} times as much" in TEXT
    joint = np.array([[float(row[f"joint_{p}"]) for p in ("first", "second", "third")] for row in switches])
    assert joint[:, :2].min() > 0 > joint[:, 2].max()
    assert {row["after_making"] for row in switches} == {"True"}
    assert f"at most {-joint[:, 2].min():.2f} percentage points".replace("0.", ".") in TEXT
    mean = [float(cycles[32, 62, 61][0][f"joint_{p}"]) for p in ("first", "second", "third")]
    assert "at (32, 62, 61) {:.3f} and {:.3f} percentage points".format(*mean[:2]).replace("0.", ".") in TEXT
    assert f"and the third {-mean[2]:.3f} less".replace("0.", ".") in TEXT
    needs_least = sum(min(orbit) in {int(row["switcher_needs"]) for row in cycle} for orbit, cycle in cycles.items())
    assert f"In {needs_least} of the 35 orbits the one who needs least is one of them" in TEXT


def test_rewards_printed_are_those_of_the_table():
    printed, made = table_after("`z, -z/2, -z/2`"), rows("rewards")
    assert len(printed) == len(made)
    for cells in printed:
        (row,) = [row for row in made if (row["target"], row["rewards"]) == (cells[0], cells[1])]
        assert [float(cell) for cell in cells[2:]] == pytest.approx(
            [float(row[seat]) for seat in ("first", "second", "third")], abs=5.1e-5
        )
    counted = {row["target"]: row["without_pure"] for row in rows("rewards", rewards="2, 1, -3")}
    assert f"in {counted['20']} orbits at target 20, and in {counted['40']} at 40" in TEXT
