"""Planning many runs is the same as planning each, and quicker; a setting is named by the fewest keys."""

import re
import subprocess
import sys

import pytest

from pigevo.errors import InputError
from pigevo.settings.compose import Composer
from pigevo.settings.settings import Settings
from pigevo.sweeps.labels import flat, flat_together, label, swept
from pigevo.sweeps.planning import combinations, plan_jobs
from pigevo.sweeps.record import sweep_name

RUNS = [
    *([f"mutation={mutation}", f"seed={seed}"] for mutation in ("0", "1e-3") for seed in (0, 7)),
    *([f"seed={seed}", "experiment=cube_random", "debug=fast"] for seed in (0, 7)),
    *(["population.size=8", f"generations={n}", "experiment=knockout_random"] for n in (1, 3)),
    *([f"mutation={rate}", f"game.target={n}", f"seed={n}"] for rate in ("0.5", "1", "2e-1") for n in (20, 30)),
    *(["game=piglet", f"game.heads={heads}"] for heads in ("1", "1.0", "0.25")),
]


@pytest.fixture
def plan(tmp_path):
    return lambda runs: plan_jobs(runs, Composer(), lambda composed, settings, number: tmp_path / settings.folder)


def test_runs_that_are_planned_together_are_those_planned_alone(plan, tmp_path):
    for words, job in zip(RUNS, plan(RUNS), strict=True):
        alone = Settings.of(*words).with_(workers=1, figures="none")
        assert job.settings == alone
        assert job.settings.values == alone.values
        assert job.settings.folder == alone.folder
        assert job.folder == tmp_path / alone.folder
        assert job.overrides == tuple(words)
        plans = [(p.seed, p.size, p.rate, p.workers, p.waves, p.generations) for p in (job.settings.plan, alone.plan)]
        assert plans[0] == plans[1]


def test_a_folder_can_depend_on_the_number_of_the_run_and_its_config(tmp_path):
    jobs = plan_jobs(RUNS[:3], Composer(), lambda composed, _, number: tmp_path / f"{number}-{composed.values['seed']}")
    assert [job.folder.name for job in jobs] == ["0-0", "1-7", "2-0"]


def test_runs_that_differ_in_numbers_alone_are_composed_once(tmp_path):
    class Counting(Composer):
        composed = 0

        def __call__(self, *words):
            self.composed += 1
            return super().__call__(*words)

    composer = Counting()
    runs = [["debug=fast", f"seed={seed}", f"mutation={rate}"] for rate in (0, 0.1, 0.2) for seed in range(50)]
    runs.append(["debug=fast", "seed=0", "mutation=0.1", "selection=truncation"])
    jobs = plan_jobs(runs, composer, lambda composed, settings, number: tmp_path / settings.folder)
    assert composer.composed == 2
    assert len({job.folder for job in jobs}) == 151


@pytest.mark.parametrize("made_of", ["seed", "generations"])
def test_what_a_config_makes_of_a_number_is_made_for_each_run(tmp_path, made_of):
    text = f"# @package _global_\nexperiment: grows\nrecord_every: ${{{made_of}}}\n"
    (tmp_path / "own/experiment").mkdir(parents=True)
    (tmp_path / "own/experiment/grows.yaml").write_text(text)
    composer = Composer(tmp_path / "own")
    runs = [["experiment=grows", f"{made_of}={number}"] for number in (3, 4)]
    jobs = plan_jobs(runs, composer, lambda composed, settings, number: tmp_path / settings.folder)
    assert [job.settings.record_every for job in jobs] == [3, 4]


def test_a_seed_is_read_as_hydra_reads_it(plan):
    """Also among seeds that are read without it."""
    assert [job.settings.seed for job in plan([["seed=1"], ["seed=007"], ["seed=1_000"]])] == [1, 7, 1000]
    with pytest.raises(InputError, match="cannot be read"):
        plan([["seed=1"], ["seed=\u0663"]])  # an Arabic digit


def test_pictures_are_drawn_in_a_sweep_only_where_its_config_says_how(tmp_path):
    (tmp_path / "own/experiment").mkdir(parents=True)
    text = "# @package _global_\nexperiment: printed\nfigures: pdf\n"
    (tmp_path / "own/experiment/printed.yaml").write_text(text)
    runs = [["experiment=printed"], ["seed=1"], ["seed=1", "figures=svg"]]
    jobs = plan_jobs(runs, Composer(tmp_path / "own"), lambda composed, settings, number: tmp_path / str(number))
    assert [job.settings.figures for job in jobs] == ["pdf", "none", "svg"]


@pytest.mark.parametrize("wrong", ["seed=-1", "mutation=1.5", "mutation=x", "seed=1.5", "population.size=7"])
def test_a_wrong_run_among_others_is_refused(plan, wrong):
    with pytest.raises(InputError, match=wrong.partition("=")[0]):
        plan([["seed=1"], ["mutation=0.1"], [wrong], ["seed=2"]])


def test_files_are_named_without_folders_where_that_tells_them_apart(tmp_path):
    def settings(*places):
        return [{"mutator": {"name": "custom", "function": f"{tmp_path}/{place}"}, "seed": 0} for place in places]

    assert [values["mutator"] for values in flat_together(settings("a/ops.py:f", "b/ops.py:g"))] == [
        "ops.py:f",
        "ops.py:g",
    ]
    alike = flat_together(settings("a/ops.py:f", "b/ops.py:f"))
    assert [values["mutator"] for values in alike] == [f"{tmp_path}/a/ops.py:f", f"{tmp_path}/b/ops.py:f"]
    listed = flat_together([{"fitness": {"name": "panel", "opponents": [f"{tmp_path}/x.npz", "optimal"]}}])
    assert listed[0]["fitness.opponents"] == "[x.npz,optimal]"


def test_the_name_of_a_sweep_depends_on_its_runs_alone(plan):
    jobs = plan(RUNS)
    name = sweep_name(jobs)
    assert sweep_name([*reversed(jobs), jobs[0]]) == name
    assert sweep_name(jobs[:-1]) != name
    assert name.startswith("cube_random,default,knockout_random,")
    assert len(name) <= 91


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["seed=3"], [["seed=3"]]),
        (["a=1,2", "b=x,y"], [["a=1", "b=x"], ["a=1", "b=y"], ["a=2", "b=x"], ["a=2", "b=y"]]),
        (["seed=range(3)"], [["seed=0"], ["seed=1"], ["seed=2"]]),
        (["cubes.sizes=[20,10],[5]"], [["cubes.sizes=[20,10]"], ["cubes.sizes=[5]"]]),
        (["seed=1,1"], [["seed=1"], ["seed=1"]]),
        (["~x", "fitness=games,exact"], [["~x", "fitness=games"], ["~x", "fitness=exact"]]),
        (["mutation=choice(0.1,0.2)"], [["mutation=0.1"], ["mutation=0.2"]]),
    ],
)
def test_combinations(words, expected):
    assert combinations(words) == expected


@pytest.mark.parametrize(
    ("words", "message"), [(["seed=range(0)"], "the sweep has no runs"), (["seed=[1"], "'seed=[1' cannot be read")]
)
def test_words_that_make_no_sweep(words, message):
    with pytest.raises(InputError, match=re.escape(message)):
        combinations(words)


@pytest.fixture(scope="module")
def values_of():
    """The plain values of settings given as words."""
    composer = Composer()

    def read(*lists):
        composed = [composer(words.split()) for words in lists]
        return [Settings.read(config.values, config.typed, config.base).values for config in composed]

    return read


def test_seeds_and_how_a_run_is_done_are_no_settings(values_of):
    assert swept(values_of("seed=1 workers=1 checkpoint_every=3", "seed=2 force=true")) == []


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        (("mutation=0", "mutation=1e-3"), ["mutation=0", "mutation=0.001"]),
        (("fitness=games", "fitness=exact"), ["fitness=games", "fitness=exact"]),
        (("game.target=20", "game.target=30"), ["game.target=20", "game.target=30"]),
        (
            ("cubes=only_20", "cubes=only_5", "cubes=waves"),
            ["cubes.sizes=[20]", "cubes.sizes=[5]", "cubes.sizes=[20,10,5]"],
        ),
        (
            ("experiment=cube_random", "experiment=knockout_random"),
            ["experiment=cube_random", "experiment=knockout_random"],
        ),
        (
            ("cubes=none", "cubes=waves", "cubes=waves cubes.sizes=[5]"),
            ["cubes=none", "cubes=waves,cubes.sizes=[20,10,5]", "cubes=waves,cubes.sizes=[5]"],
        ),
        (
            ("mutator=bit_flip", "mutator=boundary", "mutator=bit_flip mutation=0.1"),
            ["mutator=bit_flip,mutation=0.01", "mutator=boundary", "mutator=bit_flip,mutation=0.1"],
        ),
    ],
)
def test_a_setting_is_named_by_the_fewest_keys(values_of, lists, expected):
    settings = values_of(*lists)
    keys = swept(settings)
    assert [label(flat(values), keys) for values in settings] == expected


def test_different_runs_have_different_settings_or_seeds(values_of):
    words = [f"mutation={m} population.size={n} seed={s}" for m in (0, 0.1) for n in (4, 6) for s in (1, 2)]
    settings = values_of(*words)
    keys = swept(settings)
    assert sorted(keys) == ["mutation", "population.size"]
    assert len({(label(flat(values), keys), values["seed"]) for values in settings}) == 8


def test_runs_from_before_there_was_a_group_differ_in_nothing_from_those_without(values_of):
    (now,) = values_of("seed=1")
    before = {key: value for key, value in now.items() if key not in ("stop", "islands")}
    assert swept([now, before]) == []
    assert flat(before) == flat(now)


@pytest.mark.slow
@pytest.mark.parametrize("words", [["-m", "seed=1,2"], ["seed=1"]])
def test_what_is_refused_leaves_no_file_without_asserts_either(tmp_path, words):
    (tmp_path / "ops.py").write_text("def one_child(first, second, context):\n    return first[:1]\n")
    words = [sys.executable, "-O", "-m", "pigevo", *words, "crossover=ops.py:one_child", "debug=fast"]
    made = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert (made.returncode, "one_child" in made.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir() if path.name != "__pycache__"] == ["ops.py"]
