"""`python -m pigevo`: the same as the command `pigevo`."""

import sys

from pigevo.cli import main

if __name__ == "__main__":
    sys.exit(main())
