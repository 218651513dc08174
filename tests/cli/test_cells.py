"""A cell of a map of elites is a strategy: on the command line, in a report, and where it is read from Python."""

import json
import re
import shlex
from contextlib import chdir

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.strategies import load_elite_map
from tests.web.page import read
from tests.web.report.conftest import sketch

WORDS = (
    "illuminate", "debug=fast", "game.target=15", "population.size=40", "cubes.sizes=[6,2]", "cubes.generations=[2,2]",
    "selection.cells=[5,5]", "workers=1", "figures=none",
)  # fmt: skip
RUN = "outputs/illuminate/run"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with `outputs/illuminate/run`, and its map."""
    root = tmp_path_factory.mktemp("cells")
    pigevo.evolve(*WORDS, folder=root / RUN)
    return root, load_elite_map(root / RUN / "archive.npz")


def win_against_optimum(strategy):
    return pigevo.win_probability(strategy, pigevo.optimal(strategy.game).strategy).overall


def test_a_cell_plays_as_its_elite_does_in_the_game_of_the_run(place, capsys):
    root, elites = place
    x, y = elites.places[-1].tolist()
    for word in (f"{RUN}@{x},{y}", f"{RUN}/archive.npz@{x},{y}"):
        with chdir(root):
            assert main(["duel", word, "optimal", "--json"]) == 0
        output = json.loads(capsys.readouterr().out)
        assert output["exact"]["overall"] == pytest.approx(elites.wins[-1], abs=1e-12)
    with chdir(root / "outputs/illuminate"):
        assert pigevo.parse_strategy(f"run@{x},{y}", elites.grid.game) == elites.strategy(x, y)
        mixed = pigevo.parse_strategy(f"mix:0.5,run@{x},{y},optimal", elites.grid.game)
        parts = elites.strategy(x, y).roll, pigevo.optimal(mixed.game).strategy.roll
        assert mixed.roll.mean() == (parts[0] / 2 + parts[1] / 2).mean()
        assert main(["tournament", f"run@{x},{y}", "optimal", "--target", "15", "--json"]) == 0
        assert main(["show", f"run@{x},{y}", "--picture", "none", "--json"]) == 0


def test_the_map_is_that_of_the_run(place):
    root, elites = place
    run = pigevo.load_run(root / RUN)
    for name, array in run.archive.items():
        assert np.array_equal(array, elites.arrays[name])
        assert np.array_equal(array, run.elite_map.arrays[name])
    assert run.result["elites"]["filled"] == len(elites.wins) == np.isfinite(elites.table).sum()
    best = elites.wins.argmax()
    assert elites.wins[best] == pytest.approx(run.result["champion"]["overall"], abs=1e-12)
    for n in (0, best):
        strategy = elites.strategy(*elites.places[n])
        assert win_against_optimum(strategy) == pytest.approx(elites.wins[n], abs=1e-12)


def test_a_wrong_cell_is_a_sentence(place, tmp_path):
    root, elites = place
    folder, (x, y) = root / RUN, np.argwhere(np.isnan(elites.table))[0].tolist()  # an empty cell
    wrong = {
        f"{folder}@5,0": "there is no cell 5,0: the map has cells 0,0 to 4,4.",
        f"{folder}@{x},{y}": f"the cell {x},{y} has no elite;",
        f"{tmp_path}@0,0": "a cell is RUN@X,Y, with the folder of a finished run of selection=map_elites.",
    }
    for word, message in wrong.items():
        with pytest.raises(InputError, match=re.escape(message)):
            pigevo.parse_strategy(word, elites.grid.game)
    with pytest.raises(InputError, match="plays Pig to 15, not Pig to 100"):
        pigevo.parse_strategy(f"{folder}@{elites.places[0, 0]},{elites.places[0, 1]}", pigevo.Pig())


def test_a_run_says_how_much_of_its_map_it_has_filled(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([f"experiment={WORDS[0]}", *WORDS[1:]]) == 0
    output = capsys.readouterr().out
    elites = pigevo.load_run(next((tmp_path / "outputs/illuminate").iterdir())).elite_map
    line = f"map            an elite in {len(elites.wins)} of 25 cells (coverage {elites.coverage:.3f}), QD score {elites.qd_score:.2f}"
    assert line in output
    assert "pigevo report outputs/illuminate/" in output


def test_a_run_without_a_map_says_so():
    run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", "figures=none")
    with pytest.raises(InputError, match="only selection=map_elites makes one"):
        assert run.elite_map


def test_a_map_that_was_changed_is_refused_and_found_by_verify(place, tmp_path, capsys):
    folder = tmp_path / "run"
    made = pigevo.evolve(*WORDS, folder=folder).elite_map
    other = type(made)(**{**vars(made), "wins": made.wins / 2})
    other.save(folder / "archive.npz")
    with pytest.raises(InputError, match=r"archive\.npz"):
        pigevo.parse_strategy(f"{folder}@{made.places[0, 0]},{made.places[0, 1]}", made.grid.game)
    assert main(["verify", str(folder)]) != 0
    assert "archive.npz holds other arrays than the run" in capsys.readouterr().out


def test_a_damaged_map_is_a_sentence(place, tmp_path):
    root, elites = place
    whole = (root / "outputs/illuminate/run/archive.npz").read_bytes()
    for number, part in enumerate((whole[:-100], whole[: len(whole) // 2], b"", b"PK" + whole[2:-2])):
        (tmp_path / f"{number}.npz").write_bytes(part)
        with pytest.raises(InputError, match="is damaged, or not a map of elites of pigevo"):
            load_elite_map(tmp_path / f"{number}.npz")
    saved = elites.strategy(*elites.places[0]).save(tmp_path / "strategy.npz")
    with pytest.raises(InputError, match="not a map of elites"):
        load_elite_map(saved)
    outside = type(elites)(**{**vars(elites), "places": elites.places + 9})
    with pytest.raises(InputError, match="a cell lies outside the map"):
        load_elite_map(outside.save(tmp_path / "outside.npz"))


def test_every_cell_of_the_report_leads_to_a_strategy_with_its_figure(place, tmp_path, monkeypatch):
    root, elites = place
    sketch(monkeypatch)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with chdir(root):
        assert main(["report", RUN, "--no-film", "--json"]) == 0
        file = root / RUN / "report.html"
        text, page = file.read_text(encoding="utf-8"), read(file)
        targets = re.findall(r'href="#(cell-\d+-\d+)"', text)
        assert sorted(targets) == sorted(f"cell-{x}-{y}" for x, y in elites.places.tolist())
        assert all(text.count(f'id="{target}"') == 1 for target in targets)
        commands = [code["text"] for code in page.all("code") if code["text"].startswith("pigevo show ")]
        assert len(commands) == len(elites.wins)
        for command, wins in list(zip(commands, elites.wins, strict=True))[:3]:
            strategy = pigevo.parse_strategy(shlex.split(command)[2], elites.grid.game)
            assert win_against_optimum(strategy) == pytest.approx(wins, abs=1e-12)
            assert f"{wins:.4f}" in page.text_of("body")
