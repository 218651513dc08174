"""Columns as a data frame of pandas, which only those who want one need to have installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pigevo.errors import InputError

if TYPE_CHECKING:
    import pandas

INSTALL = "pip install pandas pyarrow"


def data_frame(columns: Mapping[str, Any]) -> pandas.DataFrame:
    """The columns as a data frame.

    Raises:
        InputError: pandas is not installed.
    """
    try:
        import pandas
    except ImportError as error:
        raise InputError(f"a data frame needs pandas: {INSTALL}.") from error
    return pandas.DataFrame(dict(columns))
