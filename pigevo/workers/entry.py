"""The entry script of worker processes: `python -P entry.py MODULE` imports a module of pigevo and calls its `main`.

So nothing is imported from the working folder, and the process has the very pigevo that
this file belongs to, wherever it lies, and whichever else is installed.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

TYPE_CHECKING = False  # as in `typing`, which need not be loaded for it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


def words_of(module: str) -> list[str]:
    """The command line of a process that calls `main` of a module of pigevo's.

    Args:
        module: its name.
    """
    return [sys.executable, "-P", __file__, module]


def answers(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """What such a process answers in lines of JSON objects; whatever else is printed there is passed over.

    Args:
        lines: its standard output.
    """
    import json

    for line in lines:
        try:
            answer = json.loads(line)
        except ValueError:
            continue
        if isinstance(answer, dict):
            yield answer


if __name__ == "__main__":
    package = Path(__file__).resolve().parents[1]
    spec = spec_from_file_location("pigevo", package / "__init__.py", submodule_search_locations=[str(package)])
    sys.modules["pigevo"] = module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(sys.modules["pigevo"])  # type: ignore[union-attr]

    from pigevo.core.import_path import working_folder_last

    working_folder_last(str(package.parent))  # the user's own modules may lie there
    import_module(sys.argv[1]).main()
