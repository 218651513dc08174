"""How much memory is available by the system, a container or a limit, and what is refused for lack of it."""

import subprocess
import sys

import pytest

from pigevo.core import memory
from pigevo.errors import InputError
from tests.small import environment_of_a_process

GB = 10**9


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A system of files: each is written by its path, as in `/proc` and `/sys/fs/cgroup`."""
    monkeypatch.setattr(memory, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(memory, "_CGROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(memory, "_of_limits", lambda: iter(()))

    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    write("proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 8000000 kB\nSwapFree: 0 kB\n")
    return write


def test_available_memory_is_that_of_the_system(system):
    assert memory.available() == 8_000_000 * 1024


def test_a_container_may_take_less(system):
    system("proc/self/cgroup", "0::/job/part\n")
    system("cgroup/job/part/memory.max", "max\n")
    system("cgroup/job/part/memory.current", "5\n")
    system("cgroup/job/memory.max", f"{3 * GB}\n")
    system("cgroup/job/memory.current", f"{2 * GB}\n")
    system("cgroup/job/memory.stat", f"anon 7\ninactive_file {GB // 2}\n")
    assert memory.available() == 3 * GB - 2 * GB + GB // 2


def test_a_container_of_the_first_kind_of_groups_may_take_less(system):
    system("proc/self/cgroup", "5:cpu:/a\n4:cpuset,memory:/a\n")
    system("cgroup/memory/a/memory.limit_in_bytes", f"{4 * GB}")
    system("cgroup/memory/a/memory.usage_in_bytes", f"{GB}")
    system("cgroup/memory/a/memory.stat", f"total_inactive_file {GB}")
    assert memory.available() == 4 * GB


@pytest.mark.parametrize("text", ["", "MemAvailable: many kB", "MemAvailable:", "\x00\xff"])
def test_unreadable_figures_are_passed_over(system, monkeypatch, text):
    system("proc/meminfo", text)
    system("proc/self/cgroup", "nonsense\n0::\n::::\n")
    monkeypatch.setattr(memory.os, "sysconf", lambda name: (_ for _ in ()).throw(ValueError))
    assert memory.available() is None
    memory.refuse_more(10**18, "anything")


def test_more_than_there_is_is_refused_in_a_sentence(system):
    memory.refuse_more(8_000_000 * 1024, "it")
    with pytest.raises(InputError) as refused:
        memory.refuse_more(8_000_000 * 1024 + 1, "a run", "choose less")
    assert str(refused.value) == "a run needs about 8.2 GB of memory, and there is 8.2 GB: choose less."


def test_a_limit_of_the_shell_counts():
    """`ulimit -v`, in a process of its own."""
    code = (
        "import resource; from pigevo.core.memory import available;"
        "resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9,) * 2); print(available())"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment_of_a_process()
    )
    assert 0 < int(process.stdout) < 3 * GB
