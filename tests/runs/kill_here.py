"""Does one run in a folder and kills itself with SIGKILL at a chosen moment of writing a file.

A script of the tests: `kill_here.py ROOT POINTS WORDS...`.  For each point, `[place, count]`, a process of
its own begins the run in ROOT/<place>-<count>, dies at the `count`-th passing of the place, goes on in another
process that dies at a later passing, and so on until one finishes.  How many were killed is printed for each.

The processes are forks of this one, which has the kernels loaded and no threads.
"""

import json
import os
import signal
import sys
from pathlib import Path

REPLACE, FSYNC = os.replace, os.fsync


def die():
    os.kill(os.getpid(), signal.SIGKILL)


class Killer:
    """Kills at the `count`-th call of one of the patched functions."""

    def __init__(self, place, count):
        self.place, self.left, self.whole = place, count, {}

    def passed(self):
        self.left -= 1
        return self.left == 0

    def replace(self, source, target):
        if self.place == "before rename" and self.passed():
            die()
        REPLACE(source, target)
        if self.place == "after rename" and self.passed():
            die()

    def fsync(self, descriptor):
        status = os.fstat(descriptor)
        before = self.whole.get(status.st_ino, 0) if status.st_size >= self.whole.get(status.st_ino, 0) else 0
        if self.place == "half written" and self.passed():  # half of what was added
            os.ftruncate(descriptor, (before + status.st_size) // 2)
            die()
        FSYNC(descriptor)
        self.whole[status.st_ino] = status.st_size

    def install(self):
        os.replace, os.fsync = self.replace, self.fsync


def status_of_fork(work):
    pid = os.fork()
    if pid == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def main():
    root, points, words = Path(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]
    from pigevo.runs import run
    from pigevo.settings.settings import Settings

    settings = Settings.of(*words)
    run(settings, root / "whole")
    killed = {}
    for place, count in points:
        folder = root / f"{place}-{count}"
        name = folder.name
        killed[name] = 0
        for more in range(100):

            def work(place=place, count=count + more, folder=folder):
                Killer(place, count).install()
                run(settings, folder)

            status = status_of_fork(work)
            if status == 0:
                break
            assert status == -signal.SIGKILL, status
            killed[name] += 1
    print(json.dumps(killed))


if __name__ == "__main__":
    main()
