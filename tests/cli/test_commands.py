"""Help, `pigevo describe`, the commands about strategies for two or three, `pigevo cache` and `pigevo page`."""

import itertools
import json
import math
import os
import re
import signal
import subprocess
import sys
import urllib.request
from dataclasses import fields
from pathlib import Path

import click
import numpy as np
import pytest

import pigevo as library
import pigevo.storage.cache_dirs
from pigevo import three_player as tp
from pigevo.cli import glossary, main
from pigevo.cli.choice_descriptions import arguments, sentences, settings_of, takes
from pigevo.cli.commands import command_names, load_command
from pigevo.cli.commands.describe import all_meanings, meanings
from pigevo.cli.entry import ORDER
from pigevo.cli.options import show
from pigevo.compiled import cache
from pigevo.compiled.kernel import kernel
from pigevo.evolution.game_allocation import ALLOCATION_RULES
from pigevo.evolution.lineage import GAINS
from pigevo.evolution.logbook import COLUMNS, DIGEST_COLUMN, FURTHER, MEASURED, RESULT_FIELDS
from pigevo.evolution.selection import outcomes
from pigevo.experiments.benchmark.results import Ending, Standing, Time
from pigevo.games import GAMES
from pigevo.settings.schema import CHOICES, GROUPS, Config, choices, registry_of
from pigevo.strategies import STRATEGIES, parse_strategy
from pigevo.sweeps import METRICS
from pigevo.sweeps.statistics import Compared, RankedSetting
from pigevo.tournaments.result import RankedStrategy
from pigevo.web.serve import PageServer
from tests.cli.conftest import RUN
from tests.small import environment_of_a_process, one_small_game, posix, small_settings, without_champions


def test_help_names_everything(answer):
    output = answer("--help")
    for word in (*command_names(), "cube_random", "exact_vs_optimal", "experiment=cube_random"):
        assert word in output
    for words in ("", "-h", "help", "seed=1 --help"):
        assert answer(words) == output
    assert answer("help duel") == answer("duel --help")
    assert answer("--version").startswith("pigevo 1.")


WIDEST = max(map(len, command_names()))


def test_help_has_a_whole_line_of_80_columns_for_each_command_below_its_purpose(answer, monkeypatch):
    monkeypatch.setattr("pigevo.cli.output.text_width", lambda: 80)
    output = answer("--help")
    assert max(map(len, output.splitlines())) <= 80
    groups = dict(re.findall(r"^([A-Z][a-z ]+):\n((?:  .+\n)+)", output, flags=re.M))
    listed = [name for title in ORDER for name in re.findall(r"^  (\S+)", groups[title], flags=re.M)]
    assert sorted(listed) == command_names()
    for name in command_names():
        sentence = load_command(name).get_short_help_str(10**4)
        assert [f"  {name:{WIDEST}}  {sentence}"] == [line for line in output.splitlines() if f"  {sentence}" in line]
    assert "  solve " in groups["Solve the game"]


def test_every_command_has_help_and_json(answer):
    for name in command_names():
        command = load_command(name)
        assert command.get_short_help_str()
        assert "--json" in {option for p in command.params if isinstance(p, click.Option) for option in p.opts}
        output = answer([name, "--help"])
        assert f"pigevo {name}" in output
        assert "MOST_" not in output, "an option's help is the first sentence of its documentation"


def test_no_command_prints_numbers_that_json_does_not_have(capsys):
    """All print what `to_json` writes, whose numbers that are not finite are null."""
    for file in (Path(library.__file__).parent / "cli").rglob("*.py"):
        assert not re.search(r"say\(\s*json\.dumps", file.read_text()), file
    show({"a": (math.nan, [math.inf, 1.5])}, "", as_json=True)
    assert json.loads(capsys.readouterr().out) == {"a": [None, [None, 1.5]]}


def test_duel(record_of):
    record = record_of("duel hold_at:3 optimal --target 10 --games 200 --seed 4")
    exact, match = record["exact"], record["match"]
    assert exact["overall"] == pytest.approx((exact["first"] + exact["second"]) / 2)
    assert exact["overall"] < 0.5
    assert match["wins"] + match["losses"] + match["stalemates"] == 200
    assert match["interval"][0] < match["win_rate"] < match["interval"][1]
    assert record_of("duel hold_at:20 keep_pace_and_end_race")["difference_from_optimal"] == [
        {"name": "hold_at:20", "difference": pytest.approx(0.08, abs=0.0006)},
        {"name": "keep_pace_and_end_race:21,8,29", "difference": pytest.approx(0.009, abs=0.0006)},
    ]


def test_a_difference_of_nothing_has_no_sign(answer):
    for words in ("optimal optimal", "optimal hold_at:20", "optimal optimal --target 50"):
        assert "-0.0" not in answer(f"duel {words}")


def test_two_champions_are_named_by_their_folders(answer, record_of):
    game = library.Pig(target=10)
    for n in (2, 4):
        library.Strategy(game, library.hold_at(game, n).roll, "champion").save(f"run{n}/champion.npz")
    record = record_of("duel run2 run4 --target 10")
    assert (record["a"], record["b"]) == ("run2", "run4")
    rows = [record_of(f"duel {name} optimal --target 10")["difference_from_optimal"][0] for name in ("run2", "run4")]
    assert [row["name"] for row in rows] == ["champion", "champion"]
    assert rows[0]["difference"] != rows[1]["difference"]
    assert record["difference_from_optimal"] == [rows[0] | {"name": "run2"}, rows[1] | {"name": "run4"}]
    lines = answer("duel run2 run4 --target 10").splitlines()
    assert lines[0].startswith("run2 against run4 in")
    assert [line.split()[0] for line in lines[-2:]] == ["run2", "run4"]
    tested = record_of("fair-test run2 run4 --target 10 --most 0")
    assert (tested["a"], tested["b"]) == ("run2", "run4")
    assert answer("reach run2 run4 --target 10").startswith("run2 against run4 in")
    assert answer("explain run2 run4 --target 10 --own 0 --opponent 0").startswith("run2 against run4 in")
    shown = record_of("show run2 run4 --target 10 --picture none")
    assert [strategy["name"] for strategy in shown["strategies"]] == ["run2", "run4"]


def test_solve_saves_the_optimum(record_of):
    record = record_of("solve --game piglet --target 2 --save best.npz")
    assert record["value"] == pytest.approx(4 / 7)  # Neller & Presser 2004
    assert record["openings"] == [2, 2]
    assert record_of("duel best.npz optimal --game piglet --target 2")["exact"]["overall"] == pytest.approx(0.5)


def test_respond_saves_the_best_response(record_of):
    record = record_of("respond hold_at:20 --save best.npz")
    assert [round(record["rounds"][0][seat], 4) for seat in ("first", "second")] == [0.5874, round(1 - 0.4776, 4)]
    met = record_of("duel best.npz hold_at:20")["exact"]
    assert met["first"] == pytest.approx(record["rounds"][0]["first"], abs=1e-12)


@pytest.mark.parametrize("game", ["--target 50", "--game ten_rounds --turns 6 --cap 60", "--target 30 --allow-pass"])
def test_respond_says_how_the_best_response_plays(answer, record_of, game):
    assert "In short: Hold at 5." in answer("respond optimal --target 5"), "the rule is the response"
    output = answer(f"respond hold_at:12 {game}")
    rule, words = record_of(f"respond hold_at:12 {game}")["plays"]["rule"], " ".join(output.split())
    assert "first holds at" in output
    assert ("level in the last turn" in output) == ("rounds" in game)
    assert rule["sentence"] in words
    assert f"they agree in {100 * rule['agrees']:.1f} % of the best response's decisions in play" in words
    assert f"It wins {rule['overall']:.6f} against the same opponent" in words
    met = record_of(["duel", f"rule: {rule['text']}", "hold_at:12", *game.split()])
    assert met["exact"]["overall"] == pytest.approx(rule["overall"], abs=1e-12)
    assert rule["agrees"] > 0.8


def test_respond_says_where_no_simple_rule_plays_nearly_as_well(answer, record_of):
    words = "respond hold_at:8 --game skunk --target 20"
    output, record = " ".join(answer(words).split()), record_of(words)
    assert record["plays"]["rule"]["overall"] - 0.5 < 0.9 * (record["rounds"][0]["overall"] - 0.5)
    assert (
        f"None of the simple rules tried wins nearly as much. The best of them: {record['plays']['rule']['sentence']}"
        in output
    )
    assert "In short" not in output


def test_where_nothing_is_gained_a_rule_that_loses_little_is_near(answer):
    assert "In short: Hold at 21, plus an eighth" in answer("respond optimal")


def test_a_rule_that_wins_much_but_decides_otherwise_is_no_description(answer, record_of):
    words = "respond skip_when_level:5 --allow-pass"
    rule = record_of(words)["plays"]["rule"]
    assert rule["overall"] == pytest.approx(0.968893, abs=1e-6)
    assert rule["agrees"] < 0.9
    assert "A simple rule that wins nearly as much, though it often decides otherwise: Hold at 12" in " ".join(
        answer(words).split()
    )


def test_respond_goes_on_to_the_optimum(answer, record_of):
    words = "respond hold_at:4 --target 10 --rounds 50"
    record = record_of(words)
    assert record["fixed"]
    assert len(record["rounds"]) < 50
    assert record["rounds"][-1]["first"] == pytest.approx(0.709424322598, abs=1e-9)
    assert "no strategy wins more against it" in answer(words)


def test_a_saved_strategy_says_what_is_played(answer, refused):
    game = library.Pig(target=30)
    library.hold_at(game, 9).save("nine.npz")
    for words in (
        "duel noisy:0.1,nine.npz optimal",
        "explain nine.npz optimal --own 3 --opponent 4",
        "explain nine.npz --own 3 --opponent 4 --turn 9",
        "fair-test nine.npz optimal --most 0",
    ):
        assert "in Pig to 30" in answer(words)
        refused(f"{words} --target 40", "plays Pig to 30")


def test_the_equations_as_json(record_of):
    record = record_of("explain --own 97 --opponent 99 roll_to_win hold_at:20")
    assert [round(row["value"], 4) for row in record["unknowns"]] == [0.8325, 0.8565, 0.8612]
    assert record["unknowns"][1]["state"] == {"own": 97, "opponent": 99, "total": 2}
    assert len(record["matrix"]) == len(record["constants"]) == 3
    large = record_of("explain --own 0 --opponent 0 hold_at:20 hold_at:20")
    assert sum(x != 0 for row in large["matrix"] for x in row) == 278


def test_without_strategies_it_is_about_the_optimum(answer):
    words = "explain --own 97 --opponent 99"
    assert answer(words) == answer(f"{words} optimal optimal")


def test_a_decision_as_json(record_of):
    record = record_of("explain --own 0 --opponent 0 --turn 20 hold_at:20")
    assert record["choices"][2]["gain"] == pytest.approx(0.000621, abs=1e-6)


def test_a_game_of_turns(answer):
    output = answer("explain --own 3 --opponent 4 --left 1 --second 1 hold_at:3 hold_at:2 --game ten_rounds")
    assert "P(left, second, difference, total)  a, hold_at:3, wins, with a to move" in output
    assert "P(1,1,-1,0) = 1/6 P(1,1,-1,1) + 1/6 P(1,1,-1,2) + 2/3" in output
    assert "Q(" not in output


def test_a_fair_test_to_read(answer, record_of):
    words = "fair-test hold_at:3 hold_at:8 --target 20 --seed 1"
    output, record = answer(words), record_of(words)
    assert f"exact    {record['overall']:.6f}" in output
    assert f"needed   {record['needed']:,} games tell them apart with 95 % confidence and a power of 80 %" in output
    assert f"{record['match']['wins']:,} won" in output
    assert f"interval {record['low']:.4f} to {record['high']:.4f}" in output
    verdict = f"{record['better']} is better" if record["better"] else "open: the interval contains a half"
    assert f"verdict  {verdict}" in output
    assert record_of("fair-test hold_at:3 hold_at:4 --target 20 --most 0")["match"] is None


def test_each_named_strategy_has_its_exact_figures(record_of):
    rows = record_of("strategies --target 20 --allow-pass")["strategies"]
    game = library.Pig(target=20, allow_pass=True)
    best = library.optimal(game).strategy
    elsewhere = {"rolls", "stick_formula_repaired"}  # depend on the number of rolls; need a game of turns
    assert {row["name"] for row in rows} == set(STRATEGIES) - elsewhere
    assert rows[0]["name"] == "optimal"
    for row in rows:
        met = library.win_probability(parse_strategy(row["word"], game), best)
        assert (row["first"], row["second"], row["overall"]) == pytest.approx((met.first, met.second, met.overall))
        assert row["about"]
        assert row["source"] == STRATEGIES[row["name"]].source
        assert [number["name"] for number in row["numbers"]] == list(STRATEGIES[row["name"]].options)
    wins = [row["overall"] for row in rows]
    assert wins == sorted(wins, reverse=True)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_has_named_strategies_and_a_reason_for_the_others(record_of, name):
    small = "--target 8" if "target" in GAMES[name].options else "--turns 2 --cap 20"
    record = record_of(f"strategies --game {name} {small}")
    assert all(row["why"].startswith(row["name"]) for row in record["others"])
    assert len(record["strategies"]) >= 4
    assert len(record["strategies"]) + len(record["others"]) == len(STRATEGIES)


@pytest.mark.parametrize("words", [
    "duel noisy:0.1,hold_at:3 optimal --games 10", "show mix:0.25,hold_at:3,optimal", "explain --own 8 --opponent 7 {} optimal",
    "respond {}", "reach {}", "fair-test {} optimal --games 20", "tournament {} optimal --times 5", "dynamics {} optimal --populations 9",
])  # fmt: skip
def test_a_strategy_made_of_others_is_one_wherever_strategies_are_named(answer, words):
    output = answer(f"{words.format('noisy:0.1,mirror:hold_at:3')} --target 10 --json")
    assert any(word in output for word in ("noisy:0.1,", "mix:0.25,hold_at:3,optimal"))


def test_a_game_is_solved_saved_and_certified(record_of, refused):
    record = record_of("three-player --target 20 --save a/s.npz")
    assert record["value"] == pytest.approx(tp.solve(tp.Game(target=20)).value)
    assert record["orbits"] == 2680
    assert record["certificate"]["holds"]
    assert record["certificate"]["gain"] < 1e-14
    assert record_of("three-player --certify a/s.npz")["value"] == record["value"]
    refused("three-player --certify a/s.npz --target 19", "a/s.npz solves Pig to 20, not Pig to 19")


def test_a_solution_that_is_none_is_refused(pigevo):
    solution = tp.solve(tp.Piglet(6))
    decisions = solution.strategy.decisions.copy()
    decisions[6, 6, 6, 1] = 1 - decisions[6, 6, 6, 1]
    strategy = tp.Strategy(solution.game, decisions, solution.strategy.codes, solution.strategy.chances)
    tp.save(tp.ThreeSolution(strategy, solution.values, ()), "s.npz")
    output = pigevo("three-player --certify s.npz")
    assert output.status == 1
    assert "certificate FAILS" in output.out


@pytest.mark.parametrize(("place", "why"), [("file/s.npz", "it is a file; name another folder"), ("/proc/s.npz", "")])
def test_a_place_that_cannot_be_written_is_refused_before_the_game_is_solved(pigevo, tmp_path, monkeypatch, place, why):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(tp, "solve", None)
    output = pigevo(f"three-player --target 20 --save {place}")
    assert output.status == 2
    assert re.search(f"cannot be written: {why}", output.err)


def test_advice(answer, record_of):
    output = answer("three-player --target 20 --advice --save s.npz")
    assert "first holds at" in output
    assert "all level, halfway, 10 against 10 and 10" in output
    assert "percentage points of win probability, by seat" in output
    record = record_of("three-player --certify s.npz --advice")
    plays, lifted = record["advice"]["strategies"]
    assert plays["holds"][0]["at"] == {"own": 0, "next": 0, "third": 0}
    assert [hold["place"] for hold in lifted["holds"]] == [hold["place"] for hold in plays["holds"]]
    assert record["advice"]["loses"] == pytest.approx([0, 0, 0], abs=1e-12)  # to 20 everybody rolls to win


def test_the_payoffs_of_several_equilibria_are_listed(answer, record_of, monkeypatch):
    words = "three-player --game piglet --target 10 --heads 0.53"
    output = answer(words)
    ((orbit,),) = [record_of(words)["several"]]
    assert orbit["needs"] == [3, 3, 6]
    assert len(orbit["equilibria"]) == 5
    for equilibrium in orbit["equilibria"]:
        assert "  ".join(f"{value:.6f}" for value in equilibrium["values"][0]) in output
    monkeypatch.setattr("pigevo.cli.commands.three_player.SEVERAL_SHOWN", 0)
    assert "... and 1 more orbits: --json shows all" in answer(words)


CHOSEN = {f"{group}={name}" for group in CHOICES for name in choices(group)}
REGISTERED = {f"{group}={name}" for group in GROUPS for name in registry_of(group)}


@pytest.fixture(scope="module")
def _gathered_once():
    """All meanings are gathered once; a command does so each time."""
    with pytest.MonkeyPatch.context() as patch:
        everything = tuple(all_meanings())
        patch.setattr("pigevo.cli.commands.describe.all_meanings", lambda: everything)
        yield


def senses_of(word):
    """The meanings of a word, each of at least a sentence."""
    senses = meanings(word)
    assert all(len(sense.text) >= 15 and sense.text.rstrip().endswith((".", ")")) for sense in senses), senses
    assert all(sense.text[0].isupper() or sense.text[0] in "`'" for sense in senses), senses
    return senses


@pytest.mark.usefixtures("_gathered_once")
def test_every_choice_has_a_meaning():
    for choice in CHOSEN | REGISTERED:
        (sense,) = senses_of(choice)
        group, _, name = choice.partition("=")
        if choice in REGISTERED:
            entry = registry_of(group)[name]
            assert (sense.text, sense.source) == (sentences(entry), entry.source)
            options = [f"{group}.{option}" for option in entry.options]
            assert [row[0].partition("=")[0] for row in sense.settings] == options


@pytest.mark.usefixtures("_gathered_once")
def test_every_name_has_a_meaning():
    for name in {*STRATEGIES, *choices("hydra/launcher"), *command_names(), *GROUPS, *(f.name for f in fields(Config))}:
        assert senses_of(name)
    for name, entry in ALLOCATION_RULES.items():
        (sense,) = [sense for sense in senses_of(name) if sense.kind == "a way to spend games"]
        assert (sense.text, sense.source) == (sentences(entry), entry.source)


@pytest.mark.usefixtures("_gathered_once")
def test_every_column_has_a_meaning():
    for column in (*COLUMNS, *MEASURED, DIGEST_COLUMN):
        assert "a column of metrics.csv" in [sense.kind for sense in senses_of(column)]
    described = (RankedSetting, Compared, RankedStrategy, Standing, Ending, Time)
    records = [f.name for record in described for f in fields(record)]
    assert all(senses_of(column) for column in (*METRICS, *records, "run", "metric", "value"))
    for word, text in glossary.WORDS.items():
        assert text in [sense.text for sense in meanings(word)]


def keys(record, left_out=("versions", "begun_with", "config", "files")):
    for key, value in record.items():
        if not key[0].isdigit():  # the size of cubes
            yield key
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict) and key not in left_out:
                yield from keys(inner)


@pytest.mark.usefixtures("_gathered_once")
def test_every_figure_of_a_result_has_a_meaning_and_no_other(pigevo, no_pictures, tmp_path):
    assert pigevo(f"{RUN} baseline=random_search baseline.populations=2").status == 0
    result = json.loads((tmp_path / "run/result.json").read_text())
    assert set(result) == set(RESULT_FIELDS)  # which a user's selection may not take
    figures = set(keys(result))
    for name in figures:
        assert senses_of(name)
    assert set(glossary.RESULTS) - {"commit", "changed"} <= figures  # which only a checkout has
    of_selections = itertools.chain(*(selection.outcome_columns for selection in outcomes().values()))
    assert set(glossary.METRICS) == {*COLUMNS, *FURTHER, *MEASURED, *of_selections, *GAINS, DIGEST_COLUMN}


@pytest.mark.usefixtures("_gathered_once")
def test_a_word_of_one_group_means_that_one(answer):
    assert answer("describe mutator=deap").count("a choice of") == 1


@pytest.mark.usefixtures("_gathered_once")
def test_a_word_may_be_written_in_several_ways_and_is_explained_once(record_of):
    assert [sense["word"] for sense in record_of("describe lexicase")["meanings"]] == ["selection=lexicase"]
    assert meanings("random search") == meanings("random-search") == meanings("Random_Search")
    assert len(meanings("game.allow_pass")) == 1  # the same in several choices


@pytest.mark.usefixtures("_gathered_once")
def test_unknown_words_suggest_near_ones(refused):
    refused("describe lexicse", "did you mean lexicase")
    refused("describe zzzzzzzz", "has no meaning here")
    refused("describe game=lexicase", "")


@pytest.mark.usefixtures("_gathered_once")
def test_no_meaning_is_empty_or_there_twice():
    senses = [(sense.word, sense.kind, sense.text) for sense in all_meanings()]
    assert len(set(senses)) == len(senses)


@pytest.mark.usefixtures("_gathered_once")
def test_docstrings_are_read_as_they_are_written():
    def documented(a: int, b: int) -> None:
        """Does it, shape (n,), at once.

        Args:
            a: the first: with a colon,
                on two lines.
            b: the second.

        Returns:
            c: none of them.
        """

    assert arguments(documented) == {"a": "the first: with a colon, on two lines.", "b": "the second."}
    assert takes(int | None) == "a whole number"
    entry = registry_of("selection")["truncation"]
    assert [(option.name, option.default, option.takes) for option in settings_of(entry)] == [
        ("share", 0.5, "a number above 0 and up to 1")
    ]


@pytest.mark.usefixtures("_gathered_once")
def test_sentences_take_the_width_of_the_terminal(capsys, monkeypatch):
    widths = {}
    for columns in ("20", "80", "300"):
        monkeypatch.setenv("COLUMNS", columns)
        assert main(["describe", "champion"]) == 0
        widths[columns] = max(map(len, capsys.readouterr().out.splitlines()))
    assert widths["20"] <= 60 < widths["80"] <= 80 < widths["300"] <= 120


BUILD = "pigevo-0123456789abcdef"


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A build of kernels and two samples, each with something of the user's beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    sizes = {
        f"kernels/{BUILD}/f-0123456789ab0123456789ab.kernel": 2_000_000, f"kernels/{BUILD}/notes.txt": 10,
        "cache/pigevo/baselines/0123456789abcdef.npz": 300_000, "cache/pigevo/baselines/fedcba9876543210.npz": 200_000,
        "cache/pigevo/baselines/mine.npz": 10,
    }  # fmt: skip
    for name, size in sizes.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(bytes(size))
    return tmp_path


def test_cache_says_where_caches_lie_and_how_large_they_are(answer, record_of, places):
    output = answer("cache")
    assert f"kernels    {places}/kernels: 1 builds, 2.0 MB of at most 100.0 MB\n" in output
    assert f"baselines  {places}/cache/pigevo/baselines: 2 samples, 0.5 MB of at most 100.0 MB\n" in output
    assert [(row["count"], row["bytes"]) for row in record_of("cache")["caches"]] == [(1, 2_000_000), (2, 500_000)]


def test_clear_leaves_what_pigevo_has_not_made(answer, places):
    assert "0 builds, 0.0 MB of at most 100.0 MB; 2.0 MB were removed" in answer("cache --clear")
    assert sorted(path.name for path in places.rglob("*") if path.is_file()) == ["mine.npz", "notes.txt"]


@posix
def test_a_place_that_others_can_write_to_is_named_with_what_closes_it(answer, record_of, places):
    (places / "kernels").chmod(0o777)
    output = answer("cache --clear")
    assert f"kernels    not kept: other users can write to {places}/kernels (`chmod go-w` closes it)\n" in output
    assert (places / "kernels" / BUILD / "notes.txt").exists()
    assert record_of("cache")["caches"][0]["folder"] is None


def test_the_samples_of_a_run_make_room(places, monkeypatch):
    from pigevo.runs.baseline import cached_sample

    monkeypatch.setattr(pigevo.storage.cache_dirs.make_room, "__defaults__", (400_000,))
    old = places / "cache/pigevo/baselines/fedcba9876543210.npz"
    os.utime(old, (1, 1))
    settings = small_settings("game.target=6", "baseline=random_search", "baseline.populations=2")
    _, file = cached_sample(settings, settings.plan.waves[0].grid)
    assert file.exists()
    assert not old.exists()
    assert (old.parent / "0123456789abcdef.npz").exists()


def test_a_kernel_that_is_cached_makes_room(places, monkeypatch):
    old, used = places / "kernels" / BUILD, places / "kernels" / BUILD.replace("0", "1")
    used.mkdir()
    monkeypatch.setattr(pigevo.storage.cache_dirs.make_room, "__defaults__", (1_000_000,))
    monkeypatch.setattr("pigevo.compiled.kernel.cache_folder", lambda: used)
    monkeypatch.setattr(cache, "_has_warned", False)

    @kernel()
    def add(a):
        return a.sum()

    assert add(np.ones(3)) == 3
    assert [path.suffix for path in used.iterdir()] == [".kernel"]
    assert [path.name for path in old.iterdir()] == ["notes.txt"]


@pytest.fixture
def small_page(monkeypatch):
    one_small_game(monkeypatch)


COMPUTED = "pigevo: the strategies of the page are computed, which takes a few seconds, and longer at the first start\n"
SOLVED = "pigevo: every game of the page is solved, which takes about half a minute\n"


@pytest.mark.usefixtures("small_page")
def test_the_page_is_served_until_ctrl_c(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "pigevo", "page", "--port", "0"], cwd=tmp_path, env=environment_of_a_process(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        line = process.stdout.readline()
        address = line.removeprefix("The page is at ").partition(", for this machine alone; Ctrl-C ends it.")[0]
        with urllib.request.urlopen(address) as answer:
            assert b"<title>Pig</title>" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=600) == 0
        assert process.stderr.read() == f"{COMPUTED}\nThe page has ended.\n"
    finally:
        process.kill()
        process.communicate()


@pytest.mark.usefixtures("small_page")
def test_the_address_of_the_page_as_json(record_of, monkeypatch):
    monkeypatch.setattr("pigevo.web.site.page_files", lambda *_: {})
    monkeypatch.setattr(PageServer, "serve_forever", lambda _: None)
    record = record_of("page --port 0")
    assert record["address"] == f"http://127.0.0.1:{record['port']}/"


@pytest.mark.usefixtures("small_page")
def test_the_page_is_written(answer, record_of):
    assert "python -m http.server --directory 'our class' --bind" in answer(["page", "--to", "our class"])
    assert "python -m http.server --directory mine" in answer("page --to mine")
    assert Path("mine/index.html").is_file()
    files = [path for path in Path("mine").rglob("*") if path.is_file() and path.name != ".lock"]
    sizes = sum(path.stat().st_size for path in files)
    assert record_of("page --to mine") == {"folder": "mine", "files": len(files), "bytes": sizes}


@pytest.mark.usefixtures("small_page")
def test_a_folder_of_others_is_refused_and_untouched(refused):
    Path("mine").mkdir()
    Path("mine/thesis.tex").write_text("")
    refused("page --to mine", "mine must be new or empty, but has other files (thesis.tex): name another folder.")
    assert [path.name for path in Path("mine").iterdir()] == ["thesis.tex"]


@pytest.mark.usefixtures("small_page")
def test_own_runs_are_written_with_the_page(pigevo, finished):
    output = pigevo(f"page --to site --run {finished}")
    assert (output.status, output.err) == (0, SOLVED)
    films = Path("site/data/films")
    assert json.loads((films / "index.json").read_text())[0] == {"file": "run-1.json", "title": finished.name}
    film = json.loads((films / "run-1.json").read_text())
    assert [frame["generation"] for frame in film["frames"]] == film["curve"]["generation"]
    without_champions(finished)
    output = pigevo(f"page --to site --run {finished}")
    assert output.status == 0
    assert "pigevo: generations are made again for the films, which took the runs " in output.err
