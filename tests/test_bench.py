"""The benchmarks measure what they say: peers give the same, growth is that of a known law, every line has its figures."""

import subprocess
import sys

import pytest

import pigevo
from pigevo.exact import prepare
from tests.bench import bound, jobs, table
from tests.bench.works import WORKS, library
from tests.small import environment_of_a_process


def in_a_small_process(code, *words):
    """Execute code that measures memory: that of a large process, and of its children, does not begin at nothing."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], env=environment_of_a_process(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("exponent", [-1.0, 0.5, 3.0])
def test_growth_of_a_power_is_its_exponent(exponent):
    sizes = [25, 50, 100, 1000]
    assert table.growth(sizes, [7 * n**exponent for n in sizes]) == pytest.approx((exponent, 1.0))
    slope, share = table.growth([1, 2, 4], [1.0, 1.0, 4.0])
    assert (slope, share) == pytest.approx((1.0, 0.75))


@pytest.mark.parametrize(("name", "size"), [("pair", 25), ("sides", 2), ("sides", 20), ("optimum", 25)])
def test_peers_give_the_same(name, size):
    made = WORKS[name].make(size)
    assert "C by rows" in made.peers or name == "optimum" or library() is None
    for peer, (call, _) in made.peers.items():
        assert call() == pytest.approx(made.ours(), abs=1e-9), peer


def test_the_plain_games_are_won_as_often():
    made = WORKS["match"].make(20_000)
    won = made.peers["numba game by game"][0]() / 20_000
    assert won == pytest.approx(made.ours().win_rate, abs=5 * (2 * 0.25 / 20_000) ** 0.5)


@pytest.mark.slow
def test_memory_is_that_of_a_call():
    in_a_small_process(
        "from tests.bench import child\n"
        "assert child.peak_bytes(lambda: bytearray(1)) < 4 * child.MIB\n"
        "assert 64 * child.MIB <= child.peak_bytes(lambda: b'1' * (64 * child.MIB)) < 72 * child.MIB"
    )


def test_the_table_has_a_line_for_each_size_and_one_of_growth():
    times = [
        {"size": n, "ours": 1e-6 * n**2, "peers": {"slow": 1e-5 * n**3} if n < 90 else {}} for n in (10, 20, 40, 100)
    ]
    memory = [{"size": n, "ours": n / 10, "peers": {"slow": 0.0}} for n in (10, 20, 40, 100)]
    lines = table.rows_of(("a work", "target"), times, memory)
    assert [line[1] for line in lines] == ["target 10", "target 20", "target 40", "target 100", "growth"]
    assert lines[0] == ["a work", "target 10", "100 µs", "1.0 MB", "slow 10 ms: 100 times"]
    assert lines[-1] == ["", "growth", "n^2.00 (R² 1.000)", "n^1.00 (R² 1.000)", "slow n^3.00 (R² 1.000)"]
    assert table.as_markdown(lines).count("\n") == len(lines) + 1
    text = table.as_text(lines).splitlines()
    assert [line[: text[0].index("time") + 4].split()[-2:] for line in text[1:4]] == [
        ["100", "µs"],
        ["400", "µs"],
        ["1.6", "ms"],
    ]


def test_the_table_says_whether_other_processors_gave_the_same():
    figures = {
        "here": {"seconds": {"a": 1.0}, "C by rows": {"a": 25.0}, "digest": "1"},
        "old": {"seconds": {"a": 2.0}, "C by rows": {}, "digest": "2"},
    }
    assert [line[1:3] for line in table.rows_of_processors(figures)] == [["here", "1 s"], ["old", "2 s"]]
    assert table.rows_of_processors(figures)[0][4] == "C by rows 25 s: 25 times"
    assert "NOT THE SAME" in table.rows_of_processors(figures)[1][4]
    assert "the same to the bit" in table.rows_of_processors(figures | {"old": figures["old"] | {"digest": "1"}})[1][4]


def test_the_table_has_a_line_for_each_job():
    lines = table.rows_of_jobs([("a job", 30, jobs.Cost(12.5, 20.25, 100 << 20))])
    assert lines == [["a job", "runs 30", "12.5 s", "100.0 MB", "20.2 s of processor"]]


@pytest.mark.slow
def test_a_job_costs_the_processor_and_memory_of_its_processes(tmp_path):
    in_a_small_process(
        "import pathlib, sys\n"
        "from tests.bench import child, jobs\n"
        "small = ['game.target=10', 'baseline=none', 'figures=none']\n"
        "cost = jobs.cost_of([*jobs.QUICK, *small], pathlib.Path(sys.argv[1]))\n"
        "assert cost.processor > 0\n"
        "assert child.MIB < cost.bytes < 1 << 30, cost",
        tmp_path,
    )
    assert len(list(tmp_path.glob("outputs/cube_random/*/result.json"))) == 1
    with pytest.raises(SystemExit, match="pigevo seed=none failed"):
        jobs.cost_of(["seed=none"], tmp_path)


def test_the_engine_s_docstring_counts_as_the_bound_does():
    best = pigevo.optimal(pigevo.Pig()).strategy
    loads, adds = bound.counted(best, prepare(best))
    steps, holds = bound.steps(best), len(prepare(best).hold) // 16
    assert (loads, adds) == (steps + 2 * holds, 6 * steps + holds)
    assert f"n = {steps:,}, h = {holds:,}: {adds:,}" in pigevo.exact.__doc__.replace("\n  ", " ")
    eight = pigevo.optimal(pigevo.Pig(40, sides=8)).strategy
    steps, holds = bound.steps(eight), len(prepare(eight).hold) // 16
    assert bound.counted(eight, prepare(eight)) == (8 * steps + 2 * holds, 8 * steps + holds)


def test_a_step_of_the_bound_is_a_turn_total_that_play_reaches():
    """Hold at 2: that is the first total, nobody rolls on, and a turn ends when the largest gain is behind it."""
    game = pigevo.Pig(32)
    assert bound.steps(pigevo.hold_at(game, 2)) == 32 * 2 * 6
