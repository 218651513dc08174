"""Every choice composes with every other, and so do configs of the user's own.

A program that itself uses Hydra and OmegaConf is not changed by it, nor does it change what is composed.
"""

import inspect
import os
import re
import shutil
import subprocess
import sys
import threading
import warnings
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
import yaml
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.singleton import Singleton
from hydra.core.utils import JobRuntime
from hydra.version import VersionBase
from omegaconf import OmegaConf
from omegaconf.basecontainer import BaseContainer

import pigevo
from pigevo.errors import InputError
from pigevo.evolution.operators import KINDS
from pigevo.evolution.plan import STOP
from pigevo.settings import compose as composing
from pigevo.settings import hydra_adapter
from pigevo.settings.compose import Composer, as_overrides
from pigevo.settings.hydra_adapter import private_hydra
from pigevo.settings.schema import CUSTOM, CUSTOM_GROUPS, GROUPS, NEEDED_BY, Config, choices, conf_folder, registry_of
from pigevo.settings.settings import Settings
from pigevo.sweeps.run_sweep import combinations, plan_jobs

EXPERIMENTS = [None, *choices("experiment")]
OPTIONS = [(group, name) for group in GROUPS for name in choices(group)]
MOST = max(len(choices(group)) for group in GROUPS)
OWN = """
import numpy as np
from pigevo import Pig
def game() -> Pig: return Pig()
def population(size, context): return context.draw.bits(size, context.grid.genes)
def fitness(tables, context): return tables.mean(axis=(1, 2, 3))
def selection(scores, context): return np.argsort(-scores)[: len(scores) // 2]
def crossover(first, second, context): return first
def mutator(genomes, context): return genomes
def replacement(survivors, context): return survivors[:0]
def stop(generation): return False
"""


@pytest.fixture(scope="module")
def ops(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "ops.py"
    path.write_text(OWN)
    return path


@pytest.fixture(scope="module")
def settings_of():
    """Settings of words; what two of them share is composed once."""
    composer = Composer()

    def read(*words):
        composed = composer([word for word in words if word])
        return Settings.read(composed.values, composed.typed, composed.base)

    return read


def file_of(group, option):
    return yaml.safe_load((conf_folder() / group / f"{option}.yaml").read_text())


def experiment_words(experiment):
    return f"experiment={experiment}" if experiment else ""


def check(settings_of, ops, experiment, options):
    own = [f"{group}.function={ops}:{group}" for group, option in options.items() if option == CUSTOM]
    settings = settings_of(experiment_words(experiment), *(f"{g}={option}" for g, option in options.items()), *own)
    for group, option in options.items():
        file = file_of(group, option)
        assert settings.choices[group].name == file["name"]
        assert set(settings.values[group]) == {key for key, value in file.items() if value != []}  # without a usual die
    assert settings.experiment == experiment
    for key, listening in NEEDED_BY.items():
        assert (key in settings.values) == (key in settings.choices[listening].uses)


@pytest.mark.parametrize("number", range(MOST))
def test_every_option_with_some_experiment_and_some_of_the_others(settings_of, ops, number):
    options = {group: (names := choices(group))[number % len(names)] for group in GROUPS}
    check(settings_of, ops, EXPERIMENTS[number % len(EXPERIMENTS)], options)


@pytest.mark.slow
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_with_every_option(settings_of, ops, experiment):
    """Half of the groups at once, as the other half is what the experiment chose; groups of like sizes, in few steps."""
    groups, checked = sorted(GROUPS, key=lambda group: -len(choices(group))), set()
    middle = -(-len(groups) // 2)
    for half in (groups[:middle], groups[middle:]):
        for number in range(len(choices(half[0]))):
            options = {group: (names := choices(group))[number % len(names)] for group in half}
            check(settings_of, ops, experiment, options)
            checked |= set(options.items())
    assert checked == set(OPTIONS)


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_debug_is_quick_and_changes_no_choice(settings_of, experiment):
    full, fast = (settings_of(experiment_words(experiment), f"debug={d}").values for d in ("none", "fast"))
    assert max(fast.get("generations", 0), fast["cubes"].get("generations", 0)) <= 6
    if "games" in full["fitness"]:
        assert fast["fitness"]["games"] <= 5 < full["fitness"]["games"]
    assert fast["record_every"] == 1
    assert {group: fast[group]["name"] for group in GROUPS} == {group: full[group]["name"] for group in GROUPS}


def test_a_file_has_all_options_and_the_defaults_of_the_signature():
    """The defaults of the choice of a function's own name; of a pair of a quick and a full value the latter."""
    for group, option in OPTIONS:
        text = re.sub(r"\$\{pigevo\.quick:[^,]*,(.*?)\}", r"\1", (conf_folder() / group / f"{option}.yaml").read_text())
        values = yaml.safe_load(text)
        name = values.pop("name")
        if option == CUSTOM:
            common = {"size"} if group == "population" else set()
            options = set() if group == "game" else {"options"}  # those of a game stand beside its function
            assert set(values) == {"function"} | options | common
            continue
        entry = registry_of(group)[name]
        assert set(values) == set(entry.options), option
        for key in values.keys() & entry.defaults.keys() - {"names"}:  # `population.names` shows several names
            usual = entry.defaults[key]
            plain = list(usual) if isinstance(usual, tuple) else usual
            assert name != option or values[key] == plain or not (values[key] or plain), f"{group}={option}: {key}"


def test_every_registered_name_has_a_file():
    for group in GROUPS:
        own = {CUSTOM} if group in CUSTOM_GROUPS else set()
        assert {file_of(group, option)["name"] for option in choices(group)} == set(registry_of(group)) | own


def test_every_operator_the_game_and_the_stop_rule_can_be_a_users_function():
    assert ("game", *KINDS, STOP) == CUSTOM_GROUPS


def test_every_file_begins_with_a_command():
    for path in conf_folder().rglob("*.yaml"):
        assert re.match(r"(# @package .*\n)?# python -m pigevo ", path.read_text()), path


def test_experiments_set_universal_keys_alone():
    universal = set(inspect.signature(Config).parameters) - set(GROUPS)
    for experiment in choices("experiment"):
        file = file_of("experiment", experiment)
        assert set(file) - {"defaults"} <= universal
        assert all(set(choice) <= {f"override /{group}" for group in GROUPS} for choice in file["defaults"])


def test_every_option_is_checked_by_its_type():
    """Also those that a class inherits from one in another file; without a type anything would pass."""
    for group in GROUPS:
        for name, entry in registry_of(group).items():
            assert set(entry.hints) == set(entry.options), name


def test_inherited_options_out_of_their_range_are_refused():
    with pytest.raises(InputError, match=r"fitness\.every"):
        Settings.of("fitness=archive_games", "fitness.every=0")


@pytest.mark.parametrize(
    ("word", "path", "value"),
    [
        ("seed=${oc.env:PIGEVO_NUMBER,7}", "seed", 7),
        ("mutation=${oc.env:PIGEVO_NUMBER,7e-3}", "mutation", 0.007),
        ("force=${oc.env:PIGEVO_NUMBER,true}", "force", True),
        ("fitness.games=${oc.env:PIGEVO_NUMBER,7}", "fitness.games", 7),
        ("game.target=${oc.env:PIGEVO_SET,7}", "game.target", 12),
        ("debug=${oc.env:PIGEVO_NUMBER,fast}", "debug", "fast"),
    ],
)
def test_a_text_of_the_environment_is_of_the_type_that_is_wanted(monkeypatch, word, path, value):
    monkeypatch.setenv("PIGEVO_SET", "12")
    values = Settings.of(word).values
    for key in path.split("."):
        values = values[key]
    assert (values, type(values)) == (value, type(value))


def test_a_text_of_the_environment_that_is_no_number_is_refused():
    with pytest.raises(InputError, match=r"seed.*'many'.*Integer"):
        Settings.of("seed=${oc.env:PIGEVO_NUMBER,many}")


HEAD = "# @package _global_\nexperiment: mine\n"
WRONG = {
    "itself": (f"{HEAD}a: &a [*a]", "the settings are nested to too many levels"),
    "code": (f"{HEAD}a: !!python/object/apply:os.mkdir [sprung]", "a config file is not valid YAML"),
    "bytes": (b"\xff\xfe", "cannot be composed"),
    "including itself": (f"{HEAD}defaults: [mine]", "or a config includes itself"),
    "no first line": ("experiment: mine\n", "the first line of an experiment's file must be `# @package _global_`"),
    "no such reference": (
        f"{HEAD}game: {{name: pig, target: '${{..}}'}}",
        "game.target cannot be read: extraneous input",
    ),
    "a number": ("3", "Invalid loaded object type"),
}


@pytest.fixture
def compose(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "conf" / "experiment").mkdir(parents=True)

    def composed(content):
        path = tmp_path / "conf" / "experiment" / "mine.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Composer(tmp_path / "conf")(["experiment=mine"]).values

    return composed


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_config(compose, tmp_path, name):
    content, message = WRONG[name]
    with pytest.raises(InputError, match=message):
        compose(content)
    assert not (tmp_path / "sprung").exists()


def test_a_config_with_an_alias_is_a_config(compose):
    values = compose(f"{HEAD}population: {{size: &few 6}}\nfitness: {{games: *few}}\n")
    assert (values["population"]["size"], values["fitness"]["games"]) == (6, 6)


def test_a_missing_folder_of_configs_is_refused():
    with pytest.raises(InputError, match="there is no folder of configs at file:none"):
        Composer()(["hydra.searchpath=[file:none]"])


def test_what_is_shared_in_a_process_is_neither_a_file_of_the_users_nor_the_working_folder(tmp_path, monkeypatch):
    (tmp_path / "experiment").mkdir()
    rates = []
    for rate in (0.1, 0.2):
        (tmp_path / "experiment" / "mine.yaml").write_text(f"# @package _global_\nexperiment: mine\nmutation: {rate}\n")
        rates.append(Composer()([f"hydra.searchpath=['file://{tmp_path}']", "experiment=mine"]).values["mutation"])
    assert rates == [0.1, 0.2]
    for folder in (tmp_path, tmp_path / "experiment"):
        monkeypatch.chdir(folder)
        assert Composer()([]).hydra.runtime.cwd == str(folder)


def test_a_config_that_is_written_or_changed_later_in_a_process_is_read(tmp_path, monkeypatch):
    folder = shutil.copytree(conf_folder(), tmp_path / "conf")
    monkeypatch.setattr(composing, "conf_folder", lambda: folder)
    composing.loading.cache_clear()
    try:
        file, loader = folder / "mutator/late.yaml", composing.loading().config_loader
        for rate in (None, 0.25, 0.5):
            if rate is not None:
                file.write_text(f"name: bit_flip\nrate: {rate}\n")
                os.utime(file, (rate, rate))  # two files written at once may have one time
            _, repository = loader._parse_overrides_and_create_caching_repo("config", [])
            found = repository.load_config("mutator/late")
            assert (None if found is None else found.config.rate) == rate
    finally:
        composing.loading.cache_clear()


@pytest.fixture
def registry(monkeypatch):
    """A registry of resolvers for the test alone."""
    monkeypatch.setattr(BaseContainer, "_resolvers", dict(BaseContainer._resolvers))


def state():
    """What is the whole process's of Hydra and OmegaConf."""
    kinds = (JobRuntime, VersionBase, GlobalHydra, HydraConfig, ConfigStore)
    inside = {kind: dict(vars(Singleton._instances[kind])) for kind in kinds if kind in Singleton._instances}
    inside[ConfigStore] = {"schema": ConfigStore.instance().repo.get("schema.yaml")}
    return type(Singleton._instances), inside, dict(BaseContainer._resolvers)


@pytest.mark.parametrize("words", [["seed=3"], ["seed=nonsense"], ["no=such"], ["experiment=no_such"], ["${"]])
def test_composing_changes_nothing_of_the_process(words):
    JobRuntime.instance().set("name", "caller")
    before = state()
    try:
        Composer()(words)
    except InputError:
        assert words != ["seed=3"]
    assert state() == before
    assert JobRuntime.instance().get("name") == "caller"


def test_composing_in_threads_leaves_the_filters_of_warnings_alone_all_the_time(monkeypatch):
    Composer()([])  # Hydra looks for its plugins once, and has filters for that
    changes, seen, filters = [], [], [*warnings.filters]
    for name in ("catch_warnings", "filterwarnings", "simplefilter"):  # all by which filters change
        monkeypatch.setattr(warnings, name, lambda *_, name=name, **__: changes.append(name) or nullcontext())

    def work(number):
        for n in range(3):
            Composer()([f"+made_{number}_{n}=1"])  # a word that nobody has composed
            seen.append([*warnings.filters])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (changes, seen) == ([], [filters] * 6)


def test_only_the_composing_thread_sees_that_it_composes(registry):
    OmegaConf.register_new_resolver("quick", lambda *_: "caller's", replace=True)
    seen = []

    def look():
        OmegaConf.register_new_resolver("late", lambda: "kept", replace=True)
        seen.append(OmegaConf.create({"a": "${quick:1,2}"}).a)
        seen.append(JobRuntime.instance().get("name"))

    JobRuntime.instance().set("name", "caller")
    with private_hydra():
        assert OmegaConf.create({"a": "${quick:1,2}"}).a == 2
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert seen == ["caller's", "caller"]
    assert OmegaConf.create({"a": "${late:}"}).a == "kept"


def test_other_threads_keep_their_entries_while_those_of_pigevo_are_made(registry, monkeypatch):
    OmegaConf.register_new_resolver("mine", lambda: 1)
    JobRuntime.instance().set("name", "caller")
    seen, setbase = [], hydra_adapter.setbase

    def look():
        seen.append((OmegaConf.has_resolver("mine"), JobRuntime.instance().get("name")))
        OmegaConf.register_new_resolver("late", lambda: 2)

    def meanwhile(version):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        setbase(version)

    monkeypatch.setattr(hydra_adapter, "setbase", meanwhile)
    hydra_adapter._state.cache_clear()
    assert Composer()(["seed=3"]).values["seed"] == 3
    assert seen == [(True, "caller")]
    assert OmegaConf.has_resolver("late")


def test_resolvers_that_a_thread_clears_meanwhile_stay_cleared(registry):
    OmegaConf.register_new_resolver("mine", lambda: 1)
    with private_hydra():
        thread = threading.Thread(target=OmegaConf.clear_resolvers)
        thread.start()
        thread.join()
    assert not OmegaConf.has_resolver("mine")
    assert not OmegaConf.has_resolver("pigevo.quick")


@pytest.mark.parametrize("name", ["quick", "cores", "pigevo.quick", "run_folder", "oc.env", "hydra", "now"])
def test_resolvers_of_a_caller_and_of_pigevo_do_not_meet(registry, name):
    OmegaConf.register_new_resolver(name, lambda *_: 7, replace=True)
    assert pigevo.Settings.of("debug=fast", "seed=1").generations == 2
    assert OmegaConf.create({"a": f"${{{name}:1}}"}).a == 7


@pytest.fixture
def read_own(tmp_path):
    """A function that composes an experiment of a user's own with some lines."""
    (tmp_path / "experiment").mkdir()

    def read(lines, *words):
        (tmp_path / "experiment" / "mine.yaml").write_text(f"{HEAD}{lines}\n")
        return Composer(tmp_path)(["experiment=mine", *words]).values

    return read


@pytest.mark.parametrize(("debug", "generations", "seed"), [("fast", 3, 4), ("none", 5, 6)])
def test_cleared_resolvers_are_harmless(registry, read_own, debug, generations, seed):
    OmegaConf.clear_resolvers()
    values = read_own("generations: ${quick:3,5}\nseed: ${pigevo.quick:4,6}", f"debug={debug}")
    assert (values["generations"], values["seed"]) == (generations, seed)
    assert not OmegaConf.has_resolver("quick")


def test_a_callers_resolver_works_in_the_callers_file(registry, read_own):
    OmegaConf.register_new_resolver("seed_of_mine", lambda: 12)
    assert read_own("seed: ${seed_of_mine:}")["seed"] == 12


READ_BY_FILES = {
    "by name": "${population.size}",
    "by a relative name": "${...population.size}",
    "with its group": "${population}",
    "by a relative group": "${...population}",
    "by a resolver of groups": "${oc.dict.values:population}",
    "by a resolver of keys": "${oc.select:population.size}",
    "by a computed name": "${population.${.key}}",
    "by a computed node": "${${.node}}",
    "inside a resolver": "${quick:${population.size},${population.size}}",
}


@pytest.mark.parametrize("read", READ_BY_FILES.values(), ids=READ_BY_FILES)
def test_each_run_of_a_sweep_has_the_values_that_it_has_alone(tmp_path, read_own, read):
    (tmp_path / "watch.py").write_text("def watch(generation, key, node, of): return {}\n")
    options = f"{{key: size, node: population.size, of: '{read}'}}"
    read_own(f"on_generation: {{function: '{tmp_path}/watch.py:watch', options: {options}}}")
    planned = []
    jobs = plan_jobs(
        combinations(["experiment=mine", "population.size=6,10,8"]), Composer(tmp_path),
        lambda composed, *_: planned.append(composed.values) or tmp_path,
    )  # fmt: skip
    assert planned == [Composer(tmp_path)(["experiment=mine", f"population.size={size}"]).values for size in (6, 10, 8)]
    assert len({str(values["on_generation"]) for values in planned}) == len({job.settings.hash for job in jobs}) == 3


def test_a_number_that_no_file_reads_is_set_without_composing(tmp_path, read_own):
    read_own("seed: 4\ngenerations: ${quick:3,5}\nmutation: ${oc.env:NO_SUCH_RATE,0.1}")
    words = ["experiment=mine", "population.size=12", "mutation=0.2", "hydra.sweep.dir=out/${now:%Y}"]
    known = Composer(tmp_path)([*words[:1], "population.size=6", *words[2:]])
    derived = known.with_numbers(words, {"population.size": 12})
    assert derived is not None
    assert derived.values == Composer(tmp_path)(words).values


def test_patterns_of_names_find_the_users_own_configs(tmp_path, read_own):
    read_own("seed: 4")
    (tmp_path / "selection").mkdir()
    (tmp_path / "selection" / "kindly.yaml").write_text("name: knockout\n")
    found = combinations(["experiment=glob(m*)", "selection=glob(k*)"], tmp_path)
    assert found == [["experiment=mine", f"selection={name}"] for name in ("kindly", "knockout")]
    with pytest.raises(InputError, match=r"because of experiment=glob\(none\*\): no choice has such a name"):
        combinations(["experiment=glob(none*)"], tmp_path)


def test_the_main_config_may_lie_in_the_users_folder(tmp_path):
    (tmp_path / "mine.yaml").write_text("defaults:\n  - config\n  - _self_\nseed: 31\n")
    composer = Composer(tmp_path, "mine")
    assert composer([]).values == {**Composer()([]).values, "seed": 31}
    assert composer(["seed=4"]).values == Composer()(["seed=4"]).values


MULTIRUN = """
import hydra, pigevo
@hydra.main(version_base="1.1", config_path=None, config_name=None)
def main(config):
    open(f"mine_{config.seed}.txt", "w").close()
    pigevo.Settings.of("debug=fast")
main()
"""


def test_every_job_of_a_callers_multirun_has_its_folder(tmp_path):
    (tmp_path / "own.py").write_text(MULTIRUN)
    words = ["-m", "+seed=1,2,3", "hydra.sweep.dir=sweep"]
    subprocess.run([sys.executable, "own.py", *words], cwd=tmp_path, check=True, capture_output=True)
    assert {path.parent.name for path in tmp_path.rglob("mine_*.txt")} == {"0", "1", "2"}
    assert {path.name for path in tmp_path.rglob("*.log")} == {"own.log"}


@pytest.mark.parametrize(
    "text", [r"C:\runs\new", "it's", 'a"b', r"a\"b", "end\\", "Ωж 日本", "a,b=c", "[x]", "two\nlines"]
)
def test_a_text_given_in_python_arrives_as_it_is(text):
    words, _ = as_overrides((), {"fitness": "exact_vs", "fitness.opponent": text, "population.names": [text, "a"]})
    values = Composer()(words).values
    assert values["fitness"]["opponent"] == text
    assert values["population"]["names"] == [text, "a"]


def test_paths_and_numbers_of_numpy_s_are_values_in_lists_too():
    options = {"fitness": "exact_vs", "fitness.opponent": Path("a b.npz"), "population.names": [Path("c.npz")]}
    words, _ = as_overrides(
        (), {**options, "cubes": "waves", "cubes.sizes": [np.int64(20), 10], "seed": np.arange(3)[2]}
    )
    values = Composer()(words).values
    assert (values["fitness"]["opponent"], values["population"]["names"]) == ("a b.npz", ["c.npz"])
    assert (values["cubes"]["sizes"], values["seed"]) == ([20, 10], 2)


@pytest.mark.parametrize("value", [b"1", {1, 2}, [object()]])
def test_other_values_are_refused(value):
    with pytest.raises(InputError, match="must be a number, a word or a list"):
        as_overrides((), {"seed": value})


@pytest.mark.parametrize("name", ["Ωж 日本", "[x]", "(y)", "it's", "a=b", "ha#sh", r"C:\new"])
def test_a_function_of_ones_own_may_lie_in_a_folder_of_any_name(name):
    composed = Composer()([f"crossover={name}/ops.py:mine"])
    assert composed.values["crossover"]["function"] == f"{name}/ops.py:mine"


@pytest.mark.parametrize(
    ("word", "functions"),
    [
        ("crossover=a.py:f,b.py:g", ["a.py:f", "b.py:g"]),
        ("crossover=choice(a.py:f)", ["a.py:f"]),
        (r"crossover=my\ folder/a.py:f,'br[1]/b.py:g'", ["my folder/a.py:f", "br[1]/b.py:g"]),
    ],
)
def test_functions_of_ones_own_are_swept(word, functions):
    composer = Composer()
    swept = [composer(words).values["crossover"]["function"] for words in combinations([word])]
    assert swept == functions


@pytest.mark.parametrize("value", [r"my\ folder/ops.py:mine", " 'my folder/ops.py:mine'", '"my folder/ops.py:mine"'])
def test_quotes_and_escapes_of_hydra_s_are_read(value):
    assert Composer()([f"crossover={value}"]).values["crossover"]["function"] == "my folder/ops.py:mine"
    assert Composer()([f"on_generation={value}"]).values["on_generation"]["function"] == "my folder/ops.py:mine"
