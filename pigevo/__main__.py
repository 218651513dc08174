"""`python -m pigevo`: the same as the command `pigevo`."""

import sys

from pigevo.core.imports import working_folder_last

if __name__ == "__main__":
    if not sys.flags.safe_path:  # else the working folder is not asked at all, as in the command `pigevo`
        working_folder_last()
    from pigevo.cli import main

    sys.exit(main())
