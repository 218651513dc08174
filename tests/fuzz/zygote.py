"""A process that has imported everything once and does each command line in a child of its own, within bounds.

It reads cases as lines of JSON, and answers each with what became of the child.
"""

import contextlib
import json
import os
import resource
import signal
import sys
import traceback
from types import SimpleNamespace

MEMORY = 2 * 2**30
"""Bytes that a child may have beyond what it begins with."""

FILE_SIZE = 64 * 2**20


def main():
    import_all()
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(outcome(json.loads(line))), flush=True)


def import_all():
    """What commands and the bounds of a child import, and the kernels that small games need.

    Nothing here may start a thread.
    """
    import webbrowser  # noqa: F401

    import pytest  # noqa: F401

    import pigevo.experiments
    import pigevo.runs.pictures
    import pigevo.sweeps.run_sweep
    import pigevo.web.serve  # noqa: F401
    import tests.small  # noqa: F401
    from pigevo import optimal, play_match, three_player, win_probability  # noqa: F401
    from pigevo.cli import main

    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        assert main(["--cfg", "job", "experiment=cube_random"]) == 0
        assert main(["duel", "hold_at:3", "optimal", "--target", "9", "--games", "10"]) == 0
        assert main(["describe", "lexicase"]) == 0
        with contextlib.redirect_stderr(nowhere):
            assert main(["report", "nowhere"]) == main(["-m", "seed=1,2", "hydra.launcher.workers=0"]) == 2


def outcome(case):
    """What became of a case: the exit status, or the signal that ended it; None where its time was up."""
    child = os.fork()
    if child == 0:
        do(case)
    _, status = os.waitpid(child, 0)
    status = os.waitstatus_to_exitcode(status)
    if status != -signal.SIGALRM:
        return status
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)  # what it has begun
    return None


def do(case):
    """The child: the streams of the case, its bounds, its words."""
    status = 1
    try:
        os.setsid()
        signal.alarm(case["seconds"])  # which ends it
        os.chdir(case["folder"])
        os.environ.update(case["environment"])
        for descriptor, place in enumerate(case["streams"]):
            stream(descriptor, place)
        limit()
        if case["dry"]:
            only_note()
        if case["plain"]:
            do_without_pictures_and_workers()
        serve_nobody()
        from pigevo.cli import main

        status = main(case["words"])
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stderr.flush()
        os._exit(status)


def stream(descriptor, place):
    """Open a standard stream as Python would; None is a closed one."""
    name = ("stdin", "stdout", "stderr")[descriptor]
    if place is None:
        os.close(descriptor)
        setattr(sys, name, None)
        return
    opened = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
    os.dup2(opened, descriptor)
    os.close(opened)
    errors = "backslashreplace" if name == "stderr" else None
    setattr(sys, name, open(descriptor, "w" if descriptor else "r", errors=errors))  # noqa: SIM115


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with contextlib.suppress(OSError, ValueError):  # only where the system tells
        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))


def serve_nobody():
    """A page that is served has no end: here it ends at once, has one small game, and no browser is opened."""
    import webbrowser

    import pytest

    from pigevo.web.serve import PageServer
    from tests.small import one_small_game

    one_small_game(pytest.MonkeyPatch())
    PageServer.serve_forever = lambda *_: None
    webbrowser.open = lambda *_: True


def do_without_pictures_and_workers():
    """Runs draw no figures, and those of a sweep are done in this process."""
    import pigevo.runs.pictures
    import pigevo.sweeps.run_sweep
    from tests.small import done_here

    pigevo.runs.pictures.draw_run = lambda *_: None
    pigevo.sweeps.run_sweep.run_jobs = lambda jobs, _, **options: done_here(jobs, **options)


def only_note():
    """Runs, sweeps and studies are checked, and not begun."""
    import pigevo.cli.summary
    import pigevo.experiments
    import pigevo.runs
    import pigevo.sweeps.run_sweep

    load, nothing = pigevo.experiments.load_study, SimpleNamespace(run=lambda *_: None)
    pigevo.runs.run = lambda settings, folder, *_, **__: settings.name and {}
    pigevo.cli.summary.summary = lambda *_: "noted"
    pigevo.sweeps.run_sweep.drive = lambda jobs, overrides, home, launcher: home
    pigevo.experiments.load_study = lambda name: load(name) and nothing


if __name__ == "__main__":
    main()
