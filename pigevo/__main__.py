"""`python -m pigevo`: the same as the command `pigevo`."""

import sys

from pigevo.core.imports import working_folder_last

if __name__ == "__main__":
    if not sys.flags.safe_path:  # with `python -P` the working folder is not on the search path, as in `pigevo`
        working_folder_last()
    from pigevo.cli import command

    sys.exit(command())
