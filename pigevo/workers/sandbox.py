"""A sandbox for the code of somebody else in a worker: it can write only in one folder, and no process of it stays.

On Linux the worker has a keeper: its parent, which becomes the parent of every process that the worker leaves behind,
and kills them when the worker has ended.  The worker then gives up, for itself and all processes that it starts,
irrevocably and without needing rights:

- writing elsewhere and, on newer kernels, reaching other processes, by Landlock (Linux 5.13);
- opening sockets, through which it could ask the user's services to write for it, by a filter of system calls;
- all capabilities of root but reading.

On other systems the code has the user's rights; only its folder of temporary files is private.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import signal
import struct
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

from pigevo.errors import InputError

LINUX = sys.platform == "linux"

# Numbers of linux/landlock.h, linux/prctl.h and asm-generic/unistd.h, the same on every processor.
NR_LANDLOCK_CREATE_RULESET, NR_LANDLOCK_ADD_RULE, NR_LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_CREATE_RULESET_VERSION, LANDLOCK_RULE_PATH_BENEATH = 1, 1
PR_GET_SECCOMP, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 21, 22, 36, 38
SECCOMP_MODE_FILTER = 2

FS_WRITE_FILE, FS_REFER, FS_TRUNCATE, FS_IOCTL_DEV = 1 << 1, 1 << 13, 1 << 14, 1 << 15  # LANDLOCK_ACCESS_FS_...
CREATE_AND_REMOVE = sum(1 << bit for bit in range(4, 13))
OF_A_FILE = FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV
TCP = 1 << 0 | 1 << 1
ABSTRACT_SOCKETS_AND_SIGNALS = 1 << 0 | 1 << 1

GAPS = {3: "truncate your files", 6: "kill other processes"}  # what code may still do below a version of Landlock
NO_FILTER = "use the network and services of this machine"  # what code may still do without a filter of system calls


@dataclass(frozen=True)
class Processor:
    """A kind of processor: its number in linux/audit.h, and those of system calls.

    Args:
        kind: its own number.
        refused: socket and connect.
        ignored: changes of modes, owners and attributes of files, which succeed and change nothing.
        prlimit: prlimit64, which is refused for other processes.
    """

    kind: int
    refused: tuple[int, ...]
    ignored: tuple[int, ...]
    prlimit: int


PROCESSORS = {
    "x86_64": Processor(0xC000003E, (41, 42), (90, 91, 92, 93, 94, 188, 189, 190, 197, 198, 199, 260, 268), 302),
    "aarch64": Processor(0xC00000B7, (198, 203), (5, 6, 7, 14, 15, 16, 52, 53, 54, 55), 261),
}
IO_URING_SETUP = 425
FCHMODAT2, SETXATTRAT, REMOVEXATTRAT = 452, 463, 466

BPF_LD, BPF_JEQ, BPF_JGE, BPF_RET = 0x20, 0x15, 0x35, 0x06
SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO = 0x7FFF0000, 0x00050000  # the latter with the number of an error added, or 0
DATA_NR, DATA_ARCH, DATA_ARGS = 0, 4, 16  # the places of nr, arch and args[0] in struct seccomp_data
X32_SYSCALL_BIT = 0x40000000  # the numbers of x32 begin here

CAP_DAC_READ_SEARCH = 1 << 2  # the capability of root that stays

LOOK_SECONDS = 1.0
"""Seconds between two checks by the keeper that the driver is alive: the code could ignore that its pipe has ended."""

NO_SANDBOX = (
    "none on this system: the code of entrants ran with your rights, and could write your files and those of others"
)


@cache
def landlock_version() -> int:
    """The version of Landlock that the kernel has and allows; 0 for none."""
    return max(0, _system_call(NR_LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_CREATE_RULESET_VERSION)) if LINUX else 0


def sandbox_gaps() -> str:
    """What code in a sandbox may do on this system that it should not, in words; empty if nothing is known."""
    version = landlock_version()
    gaps = [gap for needed, gap in GAPS.items() if version < needed] + [NO_FILTER] * (_processor() is None)
    if not version:
        return NO_SANDBOX
    return f"incomplete on this system: the code of entrants could {', and '.join(gaps)}" if gaps else ""


@contextmanager
def private_folder() -> Iterator[str]:
    """A context with a new folder for the files of one worker; failing to remove it afterwards is no error."""
    try:
        folder = tempfile.mkdtemp(prefix="pigevo-")
    except OSError as error:
        raise InputError(f"no folder for temporary files can be made: {error.strerror or error}.") from error
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(folder: str) -> None:
    with suppress(RecursionError):  # folders in folders, many deep
        shutil.rmtree(folder, ignore_errors=True)


def confine(folder: str) -> None:
    """Confine this process, which must have only one thread, to writing in a folder; on Linux, return in a child of it.

    Raises:
        OSError: the kernel has Landlock, and refuses.
    """
    if not LINUX:
        return
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the keeper ends by the same signal as the child
    if child := os.fork():
        _keep(child, folder)
    if landlock_version():
        _restrict(folder)


def _keep(child: int, folder: str) -> NoReturn:
    """Wait for a child, kill what it leaves, and end as it did; SIGTERM and the end of the driver kill the child."""
    driver = os.getppid()
    signal.signal(signal.SIGTERM, lambda *_: _kill(child))
    signal.signal(signal.SIGALRM, lambda *_: None if os.getppid() == driver else _kill(child))
    signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
    status = None
    with suppress(ChildProcessError):  # none is left
        while True:
            number, ended = os.waitpid(-1, 0)
            status = ended if number == child else status
            for left in _children() if status is not None else ():
                _kill(left)
    _remove(folder)  # the driver may be gone
    if number := os.WTERMSIG(status or 0):
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status or 0))


def _kill(number: int) -> None:
    with suppress(OSError):  # it has ended
        os.kill(number, signal.SIGKILL)


def _children() -> list[int]:
    """The children of this process, including those that it inherited when their parent ended."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((process / "stat").read_text().rpartition(")")[2].split()[1]) == os.getpid():
                found.append(int(process.name))
    return found


def rights_of(version: int) -> tuple[int, int, int]:
    """The rights to take away (files, network, other processes), without those that this version does not know."""
    files = FS_WRITE_FILE | CREATE_AND_REMOVE
    for needed, right in ((2, FS_REFER), (3, FS_TRUNCATE), (5, FS_IOCTL_DEV)):
        files |= right if version >= needed else 0
    return files, TCP if version >= 4 else 0, ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0


def _restrict(folder: str) -> None:
    """Take the rights that a sandbox forbids from this thread and from all threads and processes that it starts."""
    files, network, scopes = rights_of(landlock_version())
    rights = struct.pack("QQQ", files, network, scopes)
    rules = _checked(_system_call(NR_LANDLOCK_CREATE_RULESET, rights, len(rights), 0))
    for path, allowed in ((folder, files), (os.devnull, files & OF_A_FILE)):
        below = os.open(path, os.O_PATH | os.O_CLOEXEC)
        _checked(
            _system_call(NR_LANDLOCK_ADD_RULE, rules, LANDLOCK_RULE_PATH_BENEATH, struct.pack("=Qi", allowed, below), 0)
        )
        os.close(below)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _checked(_system_call(NR_LANDLOCK_RESTRICT_SELF, rules, 0))
    os.close(rules)
    _give_up_capabilities()
    if processor := _processor():
        _filter(processor)


def _give_up_capabilities() -> None:
    """Give up the rights of root except to read; new privileges are forbidden, so no program regains them."""
    libc = ctypes.CDLL(None, use_errno=True)
    kept = CAP_DAC_READ_SEARCH if os.geteuid() == 0 else 0
    _checked(libc.capset(struct.pack("Ii", 0x20080522, 0), struct.pack("6I", kept, kept, 0, 0, 0, 0)))


def _processor() -> Processor | None:
    """The processor, if a filter of system calls is possible."""
    known = PROCESSORS.get(os.uname().machine) if LINUX and sys.maxsize > 2**32 else None
    with suppress(OSError):
        _prctl(PR_GET_SECCOMP, 0)
        return known
    return None


def _filter(processor: Processor) -> None:
    """Refuse or ignore system calls by a filter, in the language of linux/filter.h."""

    def answer(number: int, error: int) -> list[tuple[int, int, int, int]]:
        return [(BPF_JEQ, 0, 1, number), (BPF_RET, 0, 0, SECCOMP_RET_ERRNO + error)]

    program = [
        (BPF_LD, 0, 0, DATA_ARCH), (BPF_JEQ, 1, 0, processor.kind), (BPF_RET, 0, 0, SECCOMP_RET_ERRNO + errno.ENOSYS),
        (BPF_LD, 0, 0, DATA_NR), (BPF_JGE, 0, 1, X32_SYSCALL_BIT), (BPF_RET, 0, 0, SECCOMP_RET_ERRNO + errno.ENOSYS),
        *(step for number in processor.refused for step in answer(number, errno.EPERM)),
        *answer(IO_URING_SETUP, errno.ENOSYS),
        *(step for number in (*processor.ignored, FCHMODAT2, SETXATTRAT, REMOVEXATTRAT) for step in answer(number, 0)),
        (BPF_JEQ, 1, 0, processor.prlimit), (BPF_RET, 0, 0, SECCOMP_RET_ALLOW),
        (BPF_LD, 0, 0, DATA_ARGS), (BPF_JEQ, 0, 1, 0), (BPF_RET, 0, 0, SECCOMP_RET_ALLOW),
        (BPF_RET, 0, 0, SECCOMP_RET_ERRNO + errno.EPERM),
    ]  # fmt: skip
    steps = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    whole = ctypes.create_string_buffer(struct.pack("HP", len(program), ctypes.addressof(steps)))
    _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(whole))


def _prctl(option: int, *values: int) -> None:
    arguments = (*values, 0, 0, 0, 0)[:4]
    _checked(ctypes.CDLL(None, use_errno=True).prctl(option, *map(ctypes.c_ulong, arguments)))


def _system_call(number: int, *arguments: bytes | int | None) -> int:
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    words = (word if isinstance(word, bytes | None) else ctypes.c_long(word) for word in (number, *arguments))
    return int(call(*words))


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
