"""Commands on the folder of a run: `resume`, `verify`, `replay`, `film`, `lineage`, and cells of its map of elites."""

import csv
import json
import re
import shlex
from contextlib import chdir
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import pigevo
import pigevo as package
from pigevo.cli import main
from pigevo.cli.commands.report import describe_film, film_sentence
from pigevo.errors import InputError
from pigevo.evolution.loop import evaluate, first_state, generations, next_state
from pigevo.evolution.operators import Fitness
from pigevo.evolution.population import to_layout
from pigevo.runs.folder import settings_of
from pigevo.runs.pictures import champions, reel_of
from pigevo.simulation import play_pairs
from pigevo.strategies import load_elite_map
from tests.cli.conftest import RUN, SMALL, change, digest_of
from tests.small import resealed, without_champions
from tests.web.page import read
from tests.web.report.conftest import sketch


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize(("generation", "force"), [(4, True), (6, False)])
def test_resume_goes_on_where_the_folder_stands(pigevo, finished, stopping, generation, force):
    with stopping(generation):
        output = pigevo(f"{SMALL} fitness.games=30 hydra.run.dir=other force={str(force).lower()}")
    assert output.status == 130
    assert f"stopped after generation {generation}; " in output.err
    assert "`pigevo resume other` goes on from there" in output.err or not force
    assert ("the same command" in output.err) == (not force)
    rows = list(csv.DictReader(Path("other/metrics.csv").read_text().splitlines()))
    assert all(len(row["digest"]) == 64 for row in rows)
    output = pigevo("resume other --json")
    assert output.status == 0
    assert f"going on after generation {generation} of 6" in output.err
    assert json.loads(output.out)["digest"] == digest_of(finished)
    assert "going on after" in Path("other/run.log").read_text()


@pytest.mark.usefixtures("no_pictures")
def test_a_finished_run_is_shown_and_left_alone(pigevo, finished):
    before = (finished / "result.json").stat().st_mtime_ns
    output = pigevo("resume run")
    assert output.status == 0
    assert "finished before" in output.err
    assert output.out.startswith("The champion wins")
    assert (finished / "result.json").stat().st_mtime_ns == before


@pytest.mark.usefixtures("no_pictures")
def test_a_run_made_again_is_the_same(answer, record_of, finished):
    record = record_of("verify run --generations 3")
    assert record["compared"] == [0, 2, 3]
    assert (record["same"], record["whole"], record["next_recorded"]) == (True, False, 4)
    assert "same to the bit" in answer("verify run --generations 3")


@pytest.fixture
def differs(pigevo):
    """`verify` finds that a run is another one than it was, and says how."""

    def check(message, words=""):
        output = pigevo(f"verify run {words}")
        assert output.status == 1
        assert message in output.out

    return check


@pytest.mark.usefixtures("no_pictures")
def test_up_to_its_end_the_digest_of_the_whole_run_is_compared(answer, differs, finished):
    words = "--generations 99"
    output = " ".join(answer(f"verify run {words}").split())
    assert "and so are the digest of the whole run, its champion and its result" in output
    record = json.loads((finished / "result.json").read_text())
    (finished / "result.json").write_text(json.dumps(record | {"digest": "0" * 64}))
    differs("different: the whole run: its digest is 000000000000 in result.json", words)


@pytest.mark.usefixtures("no_pictures")
def test_a_stopped_run_can_be_verified_too(pigevo, record_of, stopping):
    with stopping(4):
        assert pigevo(RUN).status == 130
    assert record_of("verify run")["compared"] == [0, 2, 3, 4]


@pytest.mark.usefixtures("no_pictures")
def test_another_population_is_reported_with_the_versions_that_changed(differs, finished):
    change(finished, 2, "digest", "0" * 64)
    differs("different: generation 2: the population is another one (digest 000000000000 then")
    differs("no version has changed since the run began")
    record = json.loads((finished / "result.json").read_text())
    record["begun_with"] |= {"numba": "0.1.0", "streams": 0}
    (finished / "result.json").write_text(json.dumps(record))
    differs("changed since the run began: numba 0.1.0, now ")
    differs("changed since the run began: streams 0, now 1")


@pytest.mark.usefixtures("no_pictures")
def test_an_altered_figure_and_config_are_reported(differs, finished):
    change(finished, 2, "mean", "0.5")
    differs("generation 2: mean is 0.5 in metrics.csv")
    path = finished / ".hydra" / "config.yaml"
    path.write_text(path.read_text().replace("mutation: 0.03", "mutation: 0.3"))
    differs("changed since the run began: the settings: their hash was")


@pytest.mark.usefixtures("no_pictures")
def test_what_a_killed_run_was_adding_is_passed_over(answer, finished):
    (finished / "result.json").unlink()
    path = finished / "metrics.csv"
    path.write_text(path.read_text() + "8,1,1,5")
    answer("verify run")


@pytest.mark.usefixtures("no_pictures")
def test_a_run_without_games_has_none_to_replay(answer, refused):
    answer(f"{SMALL} fitness=exact hydra.run.dir=exact")
    refused("replay exact --generation 2 --pairing 0 --game 0", "fitness=exact plays no games")


@pytest.mark.usefixtures("no_pictures")
def test_games_of_twins_are_not_replayed_and_not_called_games_of_past_champions(answer, refused):
    answer(f"{SMALL} fitness=siblings selection=truncation hydra.run.dir=twins")
    refused("replay twins --generation 0 --pairing 0 --game 0", "fitness=siblings chooses itself who plays whom: only")


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize(  # the third generation is judged on the grid of the second wave
    ("number", "paired"), [(3, "false"), (5, "true"), pytest.param(6, "false", marks=pytest.mark.slow)]
)
def test_every_game_ends_as_the_kernels_count(answer, record_of, number, paired):
    answer(f"{RUN} fitness.games=4 fitness.paired={paired}")
    plan, matches = settings_of(Path("run")).plan, []
    generation = list(generations(plan, first_state(plan)))[number]

    class Watched(Fitness):
        plays = plan.fitness.plays

        def __call__(self, tables, context, original=plan.fitness):
            laid = to_layout(tables, plan.game)
            counts = play_pairs(plan.game, laid, context.pairs.tolist(), 4, context.draw, paired=paired == "true")
            matches.append((context.draw.generation, counts, context.pairs))
            return original(tables, context)

    object.__setattr__(plan, "fitness", Watched())
    again = evaluate(plan, generation.state)
    assert next_state(again) if number < 6 else again.final_order
    ((generation_of_draw, counts, pairs),) = matches
    assert generation_of_draw == generation.number == number
    for pairing in (0, len(pairs) - 1):
        games = [record_of(f"replay run --generation {number} --pairing {pairing} --game {n}") for n in range(4)]
        assert [g["members"] for g in games] == [pairs[pairing][:: 1 if n % 2 == 0 else -1].tolist() for n in range(4)]
        winners = [g["members"][g["result"]] for g in games]
        assert [winners.count(member) for member in pairs[pairing]] == counts[pairing][:2].tolist()


@pytest.mark.usefixtures("no_pictures")
def test_a_replay_is_printed_roll_by_roll(pigevo, record_of, finished):
    words = "replay run --generation 2 --pairing 1 --game 3"
    output, record = pigevo(words), record_of(words)
    assert output.err == ""
    assert "dice: seed 0, stream dice, generation 2, pair 1, game 3" in output.out
    assert f"member {record['members'][record['result']]} wins by" in output.out
    rolls = [str(p) if p else "bust" for turn in record["turns"] for p in turn["rolls"]]
    printed = " ".join(line[26:].split(", holds")[0].strip() for line in output.out.splitlines()[4:-2])
    assert printed == " ".join(rolls)


@pytest.mark.usefixtures("no_pictures")
def test_without_a_checkpoint_the_game_is_the_same(record_of, finished):
    words = "replay run --generation 5 --pairing 2 --game 1"
    near = record_of(words)
    for path in finished.glob("checkpoint*"):
        path.unlink()
    far = record_of(words)
    assert (near.pop("made_from"), far.pop("made_from")) == (5, 0)
    assert near == far


@pytest.mark.usefixtures("no_pictures")
def test_a_population_that_is_not_the_recorded_one_is_refused(pigevo, refused, finished):
    change(finished, 2, "digest", "0" * 64)
    words = "replay run --generation 2 --pairing 1 --game 3"
    refused(words, "was changed since it was written")
    (finished / "result.json").unlink()
    output = pigevo(words)
    assert output.status == 2
    assert "generation 2, repeated, is not the one in run/metrics.csv" in output.err


TINY = "debug=fast game.target=9 population.size=4 record_every=1"


@pytest.mark.slow
def test_the_film_ends_with_the_champion_of_the_run(pigevo, finished):
    output = pigevo("film run --to film.gif --every 1 --json")
    assert "2 of 7 champions are not recorded: 5 generations are made again, which" in output.err
    record, run = json.loads(output.out), package.load_run(finished)
    assert record["generations"] == [0, 1, 2, 3, 4, 5, 6]
    assert record["overall"][-1] == pytest.approx(run.result["champion"]["overall"])
    for generation, largest in zip(run.metrics["generation"], run.metrics["best"], strict=True):
        assert record["overall"][generation] <= largest + 1e-12
    with Image.open("film.gif") as film:
        assert film.n_frames > 1
    assert [path.name for path in Path().glob("*.gif")] == ["film.gif"]


def test_generations_are_chosen_with_the_ends_of_waves(finished):
    assert reel_of(finished).numbers == (0, 2, 3, 4, 6)
    assert reel_of(finished, 4).numbers == (0, 3, 4, 6)
    assert reel_of(finished, 1).numbers == tuple(range(7))
    assert reel_of(finished, 1).missing == (1, 5)


def test_champions_that_are_recorded_are_not_made_again_for_a_film(pigevo, finished, monkeypatch):
    monkeypatch.setattr("pigevo.runs.pictures.repeated", lambda *_: pytest.fail("made again"))
    monkeypatch.setattr("pigevo.runs.pictures.save_film", lambda _, figures, *__: [*figures])
    output = pigevo("film run --json")
    assert "pigevo: 5 champions that the run has recorded are drawn" in output.err
    assert json.loads(output.out)["generations"] == [0, 2, 3, 4, 6]
    assert dict(champions(reel_of(finished, 2))) == dict(package.load_run(finished).champions)


def test_a_film_of_one_champion_is_said_as_such():
    reel = SimpleNamespace(numbers=(0,), missing=())
    assert film_sentence(reel) == "pigevo: 1 champion that the run has recorded is drawn"
    record = {"film": "a.gif", "generations": [0], "overall": [0.25]}
    assert describe_film(record) == "a.gif: the champion of generation 0, 0.2500 against the optimum"


def test_champions_made_again_for_a_film_are_as_those_recorded(finished):
    recorded = dict(champions(reel_of(finished)))
    without_champions(finished)
    assert reel_of(finished).missing == reel_of(finished).numbers == tuple(range(7))
    again = dict(champions(reel_of(finished)))
    assert {number: again[number] for number in recorded} == recorded
    assert recorded[6] == package.load_run(finished).champion


def test_of_many_champions_some_are_shown_and_few_do_not_make_a_film(finished, monkeypatch):
    monkeypatch.setattr("pigevo.runs.pictures.USUAL_FRAMES", 3)
    assert reel_of(finished).numbers == (0, 3, 6)
    monkeypatch.setattr("pigevo.runs.pictures.USUAL_FRAMES", 60)
    monkeypatch.setattr("pigevo.runs.metrics.Champions.__len__", lambda _: 4)  # of five generations
    assert reel_of(finished).numbers == tuple(range(7))
    monkeypatch.setattr("pigevo.runs.pictures.ENOUGH", 4)
    assert reel_of(finished).numbers == (0, 2, 3, 4, 6)


def test_too_long_a_film_is_refused(finished, monkeypatch):
    monkeypatch.setattr("pigevo.runs.pictures.MOST_FRAMES", 5)
    with pytest.raises(InputError, match="too long: say --every"):
        reel_of(finished, 1)


@pytest.mark.slow
def test_a_run_with_operators_that_only_python_has_is_filmed_too(answer):
    package.evolve(*TINY.split(), "generations=4", crossover=lambda first, second, context: first, folder="own")
    answer("film own --to a.gif")


@pytest.mark.slow
def test_each_champion_of_a_film_is_the_best_of_its_generation_by_the_run_s_own_fitness(record_of):
    words = ["population.size=8", "fitness=exact_vs_optimal", "selection=truncation", "generations=3", "mutation=0.03"]
    run = package.evolve("debug=fast", "game.target=12", "record_every=1", *words, folder="own")
    assert record_of("film own --to a.gif")["overall"] == pytest.approx(run.metrics["best"].tolist())
    assert (run.metrics["worst"] < run.metrics["best"]).any()


@pytest.mark.slow
def test_by_default_a_film_lies_among_the_pictures(answer, finished):
    assert "outputs/pictures/run_Pig-to-12.gif: 3 champions, from generation 0" in answer("film run --every 3")
    assert Path("outputs/pictures/run_Pig-to-12.gif").is_file()


@pytest.mark.slow
def test_a_run_that_has_not_finished_is_shown_as_far_as_it_is(record_of):
    def stops(generation):
        if generation.number == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        package.evolve(*TINY.split(), "generations=9", "checkpoint_every=1", folder="half", on_generation=stops)
    assert record_of("film half --to a.gif")["generations"] == [0, 1, 2, 3]


def test_another_past_is_refused(refused, pigevo, finished):
    change(finished, 2, "digest", "0" * 64)
    refused("film run --to a.gif", "metrics.csv was changed since it was written")
    resealed(finished)
    output = pigevo("film run --to a.gif --every 1")
    assert output.status == 2
    assert "generation 2, repeated, is not the one in run/metrics.csv" in output.err
    assert not Path("a.gif").exists()


def test_another_champion_is_refused(refused, finished):
    path = finished / "champions.csv"
    path.write_text(path.read_text().replace("\n4,", "\n5,"))
    refused("film run --to a.gif", "champions.csv was changed since it was written")


def test_mp4_where_ffmpeg_is_found(answer, finished):
    from matplotlib.animation import FFMpegWriter

    if not FFMpegWriter.isAvailable():
        pytest.skip("ffmpeg is not here")
    answer("film run --to a.mp4 --every 3")
    assert Path("a.mp4").read_bytes()[4:8] == b"ftyp"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["experiment=ten_rounds game.turns=2 game.cap=10", "game=skunk game.target=9 game.cap=12",
              "game=equal_turns game.target=9 game.cap=12", "game=piglet game.target=1"]
)  # fmt: skip
def test_every_game_has_a_film(answer, words):
    answer(f"{words} debug=fast population.size=4 hydra.run.dir=other")
    answer("film other --to a.gif")
    with Image.open("a.gif") as film:
        assert film.n_frames > 1


LINEAGE_WORDS = f"{SMALL.replace('record_every=2', 'record_every=1')} figures=none baseline=none"


@pytest.fixture
def known(answer):
    """A run that records its lineage."""
    answer(f"{LINEAGE_WORDS} lineage=true hydra.run.dir=known")
    return package.load_run("known")


def test_the_line_the_gains_and_the_champions(pigevo, record_of, known):
    output = pigevo("lineage known --to line.png --tournament champions.png")
    assert output.status == 0, output.err
    assert "made again" not in output.err
    assert "back to generation 0" in output.out
    assert "  mutation " in output.out
    for name in ("line.png", "champions.png"):
        assert Path(name).stat().st_size > 1000
    record = record_of("lineage known")
    line, champion = record["line"], known.result["champion"]
    assert [member["generation"] for member in line] == known.metrics["generation"].tolist()
    assert line[-1]["value"] == pytest.approx(champion["overall"], abs=1e-12)
    assert line[-1]["member"] == known.result["champion_member"]
    second, fourth = (record["champions"].index(generation) for generation in (2, 4))
    met = package.win_probability(known.champions[2], known.champions[4])
    assert record["matrix"][second][fourth] == pytest.approx(met.overall, abs=1e-12)
    assert record["selection"]["textbook_takeover"] == 9
    mutation = next(row for row in record["gains"] if row["operator"] == "mutation")
    assert mutation["mean"] == pytest.approx(np.nanmean(known.metrics["gain_mutation"]), abs=1e-15)
    assert 0 <= mutation["better"] + mutation["worse"] <= 1
    fewer = record_of("lineage known --champions 3")
    assert [fewer["champions"][0], fewer["champions"][-1]] == [0, 6]
    assert np.shape(fewer["matrix"]) == (3, 3)


def test_a_run_without_the_record_is_made_again(pigevo, answer, record_of, known):
    answer(f"{LINEAGE_WORDS} hydra.run.dir=plain")
    again = pigevo("lineage plain --json")
    assert "6 generations are made again" in again.err
    assert {**record_of("lineage known"), "run": ""} == {**json.loads(again.out), "run": ""}


def test_a_run_without_champions_draws_no_tournament(refused, known):
    without_champions(known.folder)
    refused("lineage known --tournament champions.png", "known has recorded 0 champions")


def test_an_unfinished_run_has_no_lineage_yet(refused, known):
    (known.folder / "result.json").unlink()
    refused("lineage known", "the run has not finished")


def test_a_selection_that_needs_more_than_scores_has_no_intensity(answer, record_of):
    answer("experiment=illuminate debug=fast game.target=9 figures=none lineage=true hydra.run.dir=map")
    assert "intensity" not in answer("lineage map")
    assert record_of("lineage map")["selection"] is None


@pytest.mark.parametrize(
    ("selection", "told"),
    [
        (
            "exponential_rank selection.factor=0.999",
            "takes over after 159.0 generations (184), in 25.0 % of the populations.",
        ),
        ("linear_rank selection.pressure=1", "(0.000 by the textbook), and the best never takes over."),
    ],
)
def test_a_takeover_that_few_populations_see_is_told_with_their_share(monkeypatch, answer, record_of, selection, told):
    monkeypatch.setattr("pigevo.cli.commands.runs.POPULATIONS", 4)
    answer(f"{LINEAGE_WORDS} selection={selection} hydra.run.dir=weak")
    assert told in " ".join(answer("lineage weak").split())
    pressure = record_of("lineage weak")["selection"]
    assert pressure["lost"] == (0.75 if pressure["takeover"] else 1)


MAP_WORDS = (
    "illuminate", "debug=fast", "game.target=15", "population.size=40", "cubes.sizes=[6,2]", "cubes.generations=[2,2]",
    "selection.cells=[5,5]", "workers=1", "figures=none",
)  # fmt: skip
MAP_RUN = "outputs/illuminate/run"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with `outputs/illuminate/run`, and its map."""
    root = tmp_path_factory.mktemp("cells")
    pigevo.evolve(*MAP_WORDS, folder=root / MAP_RUN)
    return root, load_elite_map(root / MAP_RUN / "archive.npz")


def win_against_optimum(strategy):
    return pigevo.win_probability(strategy, pigevo.optimal(strategy.game).strategy).overall


def test_a_cell_plays_as_its_elite_does_in_the_game_of_the_run(place, capsys):
    root, elites = place
    x, y = elites.places[-1].tolist()
    for word in (f"{MAP_RUN}@{x},{y}", f"{MAP_RUN}/archive.npz@{x},{y}"):
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
    run = pigevo.load_run(root / MAP_RUN)
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
    folder, (x, y) = root / MAP_RUN, np.argwhere(np.isnan(elites.table))[0].tolist()  # an empty cell
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
    assert main([f"experiment={MAP_WORDS[0]}", *MAP_WORDS[1:]]) == 0
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
    made = pigevo.evolve(*MAP_WORDS, folder=folder).elite_map
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
        assert main(["report", MAP_RUN, "--no-film", "--json"]) == 0
        file = root / MAP_RUN / "report.html"
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
