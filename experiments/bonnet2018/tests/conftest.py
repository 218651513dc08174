"""The command is tested as those of the package are."""

from tests.cli.conftest import answer, pigevo, record_of, refused

__all__ = ["answer", "pigevo", "record_of", "refused"]
