"""The pages of the documentation and the README: examples are run, printed commands accepted, and figures compared.

Long examples are run in their quick form, and as they stand in the long test. A printed command is parsed, and its
settings are composed and checked. Nothing with a name is left out.
"""

import ast
import contextlib
import csv
import importlib
import io
import os
import pkgutil
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import click
import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import pigevo
import pigevo.figures
from pigevo.cli import main
from pigevo.cli.commands import command_names, load_command
from pigevo.cli.options import as_flags, build_game, options_of_games, read_strategy
from pigevo.cli.setting_words import check_words, parse
from pigevo.core.intervals import mean_interval
from pigevo.experiments import experiments_folder, load_study, study_names
from pigevo.experiments.common.tables import read_sections
from pigevo.figures.axes import axes_or_new
from pigevo.games import GAMES
from pigevo.settings.compose import Composer
from pigevo.settings.settings import Settings
from pigevo.strategies import STRATEGIES
from pigevo.sweeps.run_sweep import combinations
from tests.docs.pages import DOCS, EXAMPLES, PAGES, blocks, code_of, session
from tests.people.games import FIGURE_6
from tests.small import done_here

RUN_OF = {"console", "python", "{picture}"}
TO_RUN = [page for page in PAGES if any(block.language in RUN_OF for block in blocks(page))]
LONG = [page for page in TO_RUN if any(block.has_quick_form for block in blocks(page)) and page.stem != "studies"]
"""Pages with blocks that have a quick form; a study is run by tests of its own."""


def made(name):
    """The folders of the files of that name below outputs/, the oldest first."""
    return [str(file.parent) for file in sorted(Path("outputs").rglob(name), key=os.path.getmtime)]


def in_place(word):
    """The folder that a placeholder stands for: RUN and SWEEP for the newest, SWEEP_1 and SWEEP_2 for the first two."""
    place = re.match(r"(RUN|SWEEP)(?:_(\d))?(?=/|$)", word)
    if not place:
        return word
    folders = made("result.json" if place[1] == "RUN" else "sweep.json")
    return folders[int(place[2]) - 1 if place[2] else -1] + word[place.end() :]


def agrees(on_page, printed):
    """Whether what a page shows is printed, blanks at ends of lines and the text that `...` stands for aside."""
    parts = (re.escape("\n".join(map(str.rstrip, part.split("\n")))) for part in on_page.split("..."))
    return re.search(".*?".join(parts), "\n".join(map(str.rstrip, printed.split("\n"))), flags=re.S)


def type_in(text, compared, capsys):
    for command in session(text):
        capsys.readouterr()
        status = main([in_place(word) for word in command.words])
        output = capsys.readouterr()
        assert status == command.status, (command.words, output)
        if compared and command.printed:
            streams = [output.err] if status == 2 else [output.out, output.err]  # a terminal shows both
            assert any(agrees(command.printed, stream) for stream in streams), (command.words, command.printed, output)


def execute(code, page, names, compared):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, page.name, "exec"), names)
    promised = re.findall(r"print\(.*#\s*(-?[\d.]+\d(?=\.\.\.)|True$)", code, flags=re.M) if compared else []
    printed = iter(output.getvalue().split("\n"))
    for number in promised:  # in this order, with lines of which nothing is promised between them
        assert any(line.startswith(number) for line in printed), (number, output.getvalue())


def go_through(page, quick, capsys):
    with pytest.MonkeyPatch.context() as patch:
        if quick:  # figures take longer than quick runs; the long test draws them, in workers too
            patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
            patch.setattr("pigevo.figures.portrait.plot_portrait", lambda *_: axes_or_new(None, (1, 1)))
            patch.setattr("pigevo.figures.matrices.plot_tournament", lambda *_: axes_or_new(None, (1, 1)))
            patch.setattr("pigevo.sweeps.run_sweep.run_jobs", lambda jobs, _, **options: done_here(jobs, **options))
        _go_through(page, quick, capsys)


def _go_through(page, quick, capsys):
    names = {"__name__": "__main__"}
    for block in blocks(page):
        text = block.in_quick_form if quick else block.body
        compared = not (quick and block.has_quick_form)
        if block.language == "console":
            type_in(text, compared, capsys)
        elif block.language == "python":
            execute(text, page, names, compared)
        elif block.language == "{picture}":
            execute(code_of(text), page, names, compared=False)
            assert isinstance(names.pop("drawn"), Figure | Axes | Sequence)


@pytest.fixture
def in_a_folder(tmp_path, monkeypatch):
    from pigevo.compiled.cache import cache_folder

    if place := cache_folder():
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(place.parent))  # workers need not compile the kernels again
    matplotlib.use("Agg")
    shutil.copytree(EXAMPLES, tmp_path / "work", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "work/games.csv").write_text(FIGURE_6)
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.syspath_prepend(tmp_path / "work")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


# Pages whose examples take more than a few seconds.
LENGTHY = {"standard_operators.md", "student.md", "gallery.md", "figures.md", "sweeps.md", "game.md", "researcher.md",
           "three_players.md", "benchmark.md"}  # fmt: skip
SESSIONS = [pytest.param(page, marks=pytest.mark.slow if page.name in LENGTHY else ()) for page in TO_RUN]


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_example_does_what_its_page_says(page, in_a_folder, capsys):
    go_through(page, True, capsys)


@pytest.mark.long
@pytest.mark.parametrize("page", LONG, ids=lambda page: str(page.relative_to(DOCS)))
def test_long_examples_as_they_stand(page, in_a_folder, capsys):
    go_through(page, False, capsys)


ROOT = DOCS.parent
TEXTS = sorted({
    *ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("experiments/**/*.md"), *ROOT.glob("experiments/*/*.py"),
    *ROOT.glob("conf/**/*.yaml"), *ROOT.glob("experiments/**/*.yaml"), *ROOT.glob("pigevo/**/*.py"),
} - {ROOT / "CHANGELOG.md"})  # fmt: skip

TYPED = re.compile(r"(?:python -m )?\bpigevo(?= )")
OPEN = re.compile(r"\.\.\.|[<>{}|…]|(?:^|[ =/:])[A-Z][A-Z_]+\b")
"""Of a command that says how one is written: it has a place for something, such as RUN."""


OF_A_PAGE = "keep_five"
"""The name of a game that a page adds."""


def commands_of(text, is_prose):
    """The words typed after `pigevo`: between backquotes, or alone on a line (of prose in a block), up to a comment."""
    text = re.sub(r"\\\n\s*", "", text)
    for found in re.findall(r"(?<!`)`([^`\n]+(?:\n[^`\n]+)?)`(?!`)", text):
        yield re.sub(r"\s*\n\s*(?:# )?", " ", found)
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        typed = re.match(r"(\s*)(?:# |\$ )?((?:python -m )?pigevo .*)", line)
        if typed and (not is_prose or fenced or len(typed[1]) >= 4):
            yield re.split(r"\s+#|\s{4,}", typed[2])[0].rstrip(".,;")


def printed():
    """Every printed command with the file where it stands first."""
    found = {}
    for path in TEXTS:
        for line in commands_of(path.read_text(encoding="utf-8"), path.suffix == ".md"):
            if TYPED.match(line) and not OPEN.search(line) and OF_A_PAGE not in line:
                found.setdefault(line, path.relative_to(ROOT))
    return [pytest.param(line, id=f"{path}: {line}") for line, path in found.items()]


def accept_command(name, words):
    """Parse the words of a command; without arguments, or with an option without its value, they only name it."""
    command = load_command(name)
    options = {word: one for one in command.params if isinstance(one, click.Option) for word in one.opts}
    assert {word for word in words if word.startswith("--")} <= {*options, "--help"}
    last = options.get(words[-1]) if words else None
    if last and not last.is_flag and last.nargs == 1:
        words = words[:-1]
    if any(not word.startswith("-") for word in words):
        words = as_flags(words) if "--allow-pass" in options else words
        context = command.make_context(f"pigevo {name}", words)
        if "--allow-pass" in options:
            accept_strategies(command, context.params)


def accept_strategies(command, values):
    """Make the named strategies that a command gets in its game, which may not let them pass."""
    options = {name: values[name] for name in options_of_games() if values[name] is not None}
    words = [values[one.name] for one in command.params if isinstance(one, click.Argument)]
    for word in (word for given in words for word in ([given] if isinstance(given, str) else given or ())):
        if word.partition(":")[0] in STRATEGIES and ".." not in word and values["game"] in GAMES:
            read_strategy(word, build_game(values["game"], options))


def accept_settings(words):
    """Compose and check the settings of a run, or the first and the last run of a sweep, without users' files."""
    arguments = parse(words)
    check_words(arguments.overrides)
    own = {word.partition("=")[0] for word in arguments.overrides if ".py" in word}
    given = [word for word in arguments.overrides if not any(re.match(rf"{key}[.=]", word) for key in own)]
    if arguments.multirun:
        parts = combinations(given)
        for part in (parts[0], parts[-1]):
            accepted(part)
    else:
        accepted(given)


def accepted(words):
    composed = Composer()(words)
    assert Settings.read(composed.values, composed.typed, composed.base, written=composed.written).plan


@pytest.mark.parametrize("line", printed())
def test_every_printed_command_is_accepted(line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(TYPED.sub("", line, count=1))
    if words[0] == "study":
        study = load_study(words[1])
        for name in ("run", "run_full"):
            if hasattr(study, name):
                monkeypatch.setattr(study, name, lambda *_: None)
        for figure in getattr(study, "SINGLE_FIGURES", {}):
            monkeypatch.setitem(study.SINGLE_FIGURES, figure, lambda *_: Figure((1, 1)))
        monkeypatch.setattr("pigevo.experiments.load_study", {words[1]: study}.get)
        assert main(words) == 0
    elif words[0] in command_names():
        accept_command(words[0], words[1:])
    elif not {"--help", "--version"} & set(words):
        accept_settings(words)


@pytest.mark.parametrize(("name", "seeds", "status"), [("bonnet2018", 1, 0), ("tuning", 1, 2), ("tuning", 2, 0)])
def test_a_study_that_compares_seeds_needs_two(name, seeds, status, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    study = load_study(name)
    monkeypatch.setattr(study, "run", lambda *_: None)
    monkeypatch.setattr("pigevo.experiments.load_study", {name: study}.get)
    assert main(["study", name, "--seeds", str(seeds)]) == status
    assert ("needs --seeds 2 or more" in capsys.readouterr().err) == bool(status)


EXAMPLE_FILES = sorted(EXAMPLES.glob("*.py"))
TEXT = {page: page.read_text() for page in PAGES}


def plotting():
    """The functions of the package that draw figures."""
    for module in pkgutil.iter_modules(pigevo.figures.__path__):
        home = f"pigevo.figures.{module.name}"
        names = vars(importlib.import_module(home))
        yield from (n for n, one in names.items() if n.startswith("plot_") and one.__module__ == home)


def test_the_gallery_shows_every_figure():
    pictures = [block.body for block in blocks(DOCS / "gallery.md") if block.language == "{picture}"]
    assert [name for name in plotting() if not any(re.search(rf"\b{name}\(", code) for code in pictures)] == []


def test_every_example_file_is_shown_on_a_page():
    text = "".join(TEXT.values())
    assert [file.name for file in EXAMPLE_FILES if f"../examples/{file.name}\n" not in text] == []


def test_what_only_the_site_has_is_linked_or_told_where_the_source_is_read():
    """Elsewhere, as where a repository is browsed, an included file is an empty block, and a comment nothing."""
    for page, text in TEXT.items():
        for found in re.finditer(r"^```\{(?:literal)?include\} (\S+)", text, re.MULTILINE):
            assert f"]({found[1]})" in text[: found.start()].rstrip().rpartition("\n")[2], (page, found[1])
        for line in re.findall("^.*<!-- generated: ", text, re.MULTILINE):
            assert line.partition("<")[0].strip(), page


NO_OPERATORS = {"KeepFive", "OneCommaTen", "Deap", "Pymoo", "spread", "to_json", "to_mlflow", "knows_the_round"}
NO_OPERATORS |= {"strategy_of", "loss", "by_cma", "by_optuna", "by_pymoo"}
"""A game, algorithms of the benchmark, what is called with each generation, a rule for a game of rounds, and what calls other optimisers."""


def operators():
    """What `pigevo check` can try of the examples, and whether it keeps the laws."""
    for file in EXAMPLE_FILES:
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in NO_OPERATORS:
                yield f"{file.name}:{node.name}", 1 if file.name == "forgetful.py" else 0


@pytest.mark.parametrize(("reference", "status"), list(operators()))
def test_the_operators_of_the_examples_keep_the_laws(reference, status, monkeypatch, capsys):
    monkeypatch.chdir(EXAMPLES)
    assert main(["check", reference]) == status


def test_pigevo_is_typed_in_no_block_that_is_not_run():
    for page in PAGES:
        for block in blocks(page):
            if block.language in ("sh", "") and page.name not in ("clusters.md", "promises.md", "architecture.md"):
                typed = [line for line in block.body.splitlines() if re.search(r"\bpigevo \w|-m pigevo", line)]
                assert all("pigevo play" in line for line in typed), (page, typed)  # a game needs a player


def test_a_page_says_nothing_of_a_block_that_it_does_not_have():
    for page, text in TEXT.items():
        comments = text.count("<!-- quick")
        assert comments == sum(block.has_quick_form for block in blocks(page)), page


TABLE = dict(re.findall(r"^\| `(\w+)` \|.*\| (\.\d{4}) \|$", TEXT[DOCS / "explanation/game.md"], flags=re.M))
SOLVED_AT_ONCE = {"pig", "piglet", "ten_rounds"}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in SOLVED_AT_ONCE else pytest.mark.slow) for n in TABLE]
)
def test_the_table_of_games_says_what_moving_first_is_worth(name):
    assert SOLVED_AT_ONCE <= set(TABLE) <= set(GAMES)
    assert f"{pigevo.optimal(GAMES[name].bind({})).value:.4f}" == f"0{TABLE[name]}"


def test_every_study_is_told_of():
    studies = re.findall(r"^\| `(\w+)` \|", TEXT[DOCS / "how_to/studies.md"], flags=re.M)
    assert sorted(studies) == sorted(study_names())


@pytest.fixture
def optimise(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    import optimise

    yield optimise
    del sys.modules["optimise"]


@pytest.mark.slow
@pytest.mark.parametrize("library", ["cma", "optuna", "pymoo"])
def test_it_finds_a_rule_that_wins_495(optimise, library):
    pytest.importorskip(library)
    found = getattr(optimise, f"by_{library}")(seed=2)
    assert pigevo.win_probability(found, optimise.OPTIMUM).overall > 0.495


def test_the_loss_is_exact(optimise):
    plain = pigevo.win_probability(pigevo.hold_at(optimise.GAME, 20), optimise.OPTIMUM).overall
    assert optimise.loss([20, 0, 100]) == 0.5 - plain
    paced = pigevo.Strategy.from_function(
        optimise.GAME, lambda i, j, k: (max(i, j) >= 71) or k < 21 + (j - i) / 8
    )  # fmt: skip
    assert optimise.strategy_of([21, 0.125, 71]) == paced


def simple_strategies(target):
    """The different ones among all turtles, hold values, ways to wait, and roll to win."""
    game = pigevo.Pig(target, allow_pass=True)
    values = range(1, target)
    words = [f"turtle:{n}" for n in values] + [f"hold_at:{n}" for n in range(2, target + 1)] + ["roll_to_win"]
    words += [f"roll_and_wait:{score},{n}" for score in values for n in values]
    return [
        *{
            strategy.roll.tobytes(): strategy for strategy in (pigevo.parse_strategy(word, game) for word in words)
        }.values()
    ]


@pytest.mark.parametrize("target", [3, 4, 5, 6])
def test_circles_of_simple_strategies_begin_with_a_target_of_6(target):
    matrix = pigevo.win_matrix(simple_strategies(target)) > 0.5 + 1e-9
    circles = [trio for trio in permutations(range(len(matrix)), 3)
               if matrix[trio[0], trio[1]] and matrix[trio[1], trio[2]] and matrix[trio[2], trio[0]]]  # fmt: skip
    assert bool(circles) == (target == 6)
    assert "circles begin with a target of 6" in (DOCS / "tutorial/circle.md").read_text(encoding="utf-8")


def test_hold_at_20_does_better_against_the_optimum_than_its_best_response():
    game = pigevo.Pig()
    best = pigevo.optimal(game).strategy
    own, answer = (
        pigevo.win_probability(strategy, best).overall
        for strategy in (pigevo.hold_at(game, 20), pigevo.best_response(pigevo.hold_at(game, 20)).strategy)
    )
    text = " ".join((DOCS / "tutorial/responses.md").read_text(encoding="utf-8").split())
    assert (
        f"against the optimum it wins {100 * answer:.1f} % only, less than hold at 20 itself, which wins {100 * own:.1f} %"
        in text
    )


README = DOCS.parent / "README.md"
README_TEXT = README.read_text(encoding="utf-8")


@pytest.fixture
def with_ops(in_a_folder):
    """A folder with the file that the README writes."""
    (code,) = (block.body for block in blocks(README) if block.language == "py")
    with open("ops.py", "w") as file:
        file.write(code)


def test_every_command_and_number_of_the_readme(with_ops, capsys):
    """Long commands are run in a quick form, and compared by the tests below."""
    go_through(README, True, capsys)


def test_the_first_run_has_the_figures_of_the_text():
    run = pigevo.evolve("cube_random", mutation=0.005, baseline="none")
    result = run.result
    assert f"The champion wins {100 * result['champion']['overall']:.1f} % against the optimal strategy" in README_TEXT
    assert (
        f"best in generation {result['peak_generation']} of 300, when\nit won {100 * result['peak_mean']:.1f} %"
        in README_TEXT
    )
    assert f"{result['last_mean']:.4f}" == "0.2180"
    assert f"it has lost {100 * (result['peak_mean'] - result['last_mean']):.1f} percentage points since" in README_TEXT


def test_the_lesson_of_the_first_run_is_that_of_thirty_seeds():
    table = read_sections(experiments_folder() / "exeter2016")["answers"]
    numbers = r"0(\.\d{4}) \(0(\.\d{4}) to 0(\.\d{4})\)"
    row = re.search(rf"^\| 0\.005 \| 30 \| {numbers} \| .* \| {numbers} \| {numbers} \| 30 \|$", table, flags=re.M)
    first, _, _, last, lowest, *_ = row.groups()
    assert lowest == ".2180"  # seed 0, see above
    medians = f"are {100 * float(first):.1f} % at the end of cubes of 20 and {100 * float(last):.1f} % at the end"
    assert medians in " ".join(README_TEXT.split())


@pytest.mark.slow
def test_the_first_run_and_random_search_print_what_it_shows(with_ops, capsys):
    first = next(block for block in blocks(README) if block.language == "console")
    type_in(first.body, True, capsys)


@pytest.mark.long
def test_every_command_and_number_of_the_readme_as_it_stands(with_ops, capsys):
    go_through(README, False, capsys)


def test_every_command_of_the_readme_exists():
    assert len([block for block in blocks(README) if block.language in ("console", "python")]) >= 6
    assert set(re.findall(r"(?:`|^)pigevo ([a-z][\w-]*)", README_TEXT, flags=re.M)) <= set(command_names())


def test_interactive_commands_exist():
    """Commands that play or serve have their help."""
    (text,) = (block.body for block in blocks(README) if block.language == "sh" and "pigevo p" in block.body)
    for line in text.splitlines():
        name, *_ = shlex.split(line, comments=True)[1:]
        assert main([name, "--help"]) == 0


def first_results():
    """The runs of thirty fresh seeds, by fitness and replacement: a column of `first_result.csv` as an array."""
    path = DOCS.parent / "experiments/exeter2016/first_result.csv"
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return rows, {
        (fitness, replacement): {
            name: np.array([float(row[name]) for row in rows
                            if (row["fitness"], row["replacement"]) == (fitness, replacement) and row[name]])
            for name in ("champion", "population", "search_20")
        }
        for fitness, replacement in ((row["fitness"], row["replacement"]) for row in rows)
    }  # fmt: skip


def with_interval(values):
    low, high = mean_interval(values)
    return tuple(f"{x:.4f}".removeprefix("0") for x in (values.mean(), low, high))


def in_percent(values):
    return tuple(f"{100 * x:.1f}" for x in (values.mean(), *mean_interval(values)))


def test_the_figures_of_thirty_fresh_seeds_are_those_of_their_table():
    _, results = first_results()
    text = " ".join(README_TEXT.split())
    first = results["games", "offspring"]
    mean, low, high = in_percent(first["champion"])
    assert f"the champion wins {mean} % on average (95 % interval {low} to {high})" in text
    mean, low, high = in_percent(first["search_20"])
    assert f"random search with cubes of 20 wins {mean} % ({low} to {high})" in text
    wins = int((first["champion"] > first["search_20"]).sum())
    assert f"evolution wins more in {wins} of the {len(first['champion'])}." in text
    shown = re.findall(
        r"^\| (?:nothing|`[^|]*`)(?: \([^|]*\))? \| (\.\d+ \([^|]*\)) \| (\.\d+ \([^|]*\)) \|$", README_TEXT, flags=re.M
    )
    expected = [
        tuple("{} ({} to {})".format(*with_interval(results[key][name])) for name in ("population", "champion"))
        for key in (("games", "offspring"), ("exact", "offspring"), ("exact", "survivors_and_offspring"))
    ]
    assert shown == expected


@pytest.mark.slow
def test_a_run_of_the_table_gives_its_row_again():
    rows, _ = first_results()
    for row in rows[::30]:
        chosen = {name: row[name] for name in ("fitness", "replacement")}
        result = pigevo.evolve("cube_random", mutation=0.005, baseline="none", seed=int(row["seed"]), **chosen).result
        assert (f"{result['champion']['overall']:.6f}", f"{result['last_mean']:.6f}") == (
            row["champion"],
            row["population"],
        )


def test_every_link_of_the_readme_leads_somewhere():
    for place in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", README_TEXT):
        assert (README.parent / place).exists(), place


def test_the_experiments_have_the_described_configs():
    """The fitness, replacement and mutator of each; `coevolve` alone has no access to the optimum."""
    composed = {name: Settings.of(name) for name in ("cube_random", "rediscover", "coevolve")}
    fitness = {name: settings.choices["fitness"].name for name, settings in composed.items()}
    assert fitness == {"cube_random": "games", "rediscover": "exact_vs_optimal", "coevolve": "archive"}
    for name in ("rediscover", "coevolve"):
        chosen = composed[name].choices
        assert chosen["replacement"].name == "survivors_and_offspring", "parents stay"
        assert chosen["mutator"].name == "self_adapting", "moves of the boundary"
    text = " ".join(README_TEXT.split())
    assert "its fitness is the referee's own figure, the exact win probability against the optimum" in text
    assert "The experiment `coevolve` has no access to the optimum" in text
