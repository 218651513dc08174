"""Films on disk: GIF always, and MP4 where ffmpeg is found."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pigevo.errors import InputError
from pigevo.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("gif", "mp4")
DPI = 120
"""Large enough for a projector; figures have an even number of dots then, as MP4 needs."""


def check_film(path: Path) -> None:
    """Refuse a file that no film can be written to.

    Raises:
        InputError: its name ends with something else, or ffmpeg is needed and not there.
    """
    kind = path.suffix.lower().lstrip(".")
    if kind not in KINDS:
        raise InputError(f"{path} is no name of a film: let it end with .gif or .mp4.")
    if kind == "mp4":
        from matplotlib.animation import FFMpegWriter

        if not FFMpegWriter.isAvailable():
            raise InputError(f"{path} needs ffmpeg, which is not found: install it, or let the name end with .gif.")


def save_film(path: Path, frames: Iterable[Figure], per_second: int = 8, rest: float = 3, dpi: int = DPI) -> Path:
    """Write figures as a film, in one step.

    Args:
        path: the file, which ends with `.gif` or `.mp4`.
        frames: the figures; each is drawn before the next one is asked for.
        per_second: how many are shown in a second.
        rest: seconds for which the last one stays.
        dpi: dots per inch.

    Raises:
        InputError: the file cannot be written.
    """
    writer = _writer(path, per_second)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"film{path.suffix.lower()}"
        for number, figure in enumerate(frames):
            if number == 0:
                writer.setup(figure, place, dpi=dpi)
            writer.grab_frame()
        for _ in range(round(rest * per_second)):
            writer.grab_frame()
        writer.finish()
        return write_bytes(path, place.read_bytes())


def _writer(path: Path, per_second: int) -> Any:
    from matplotlib.animation import FFMpegWriter, PillowWriter

    if path.suffix.lower() == ".gif":
        return PillowWriter(fps=per_second)
    return FFMpegWriter(fps=per_second, extra_args=["-pix_fmt", "yuv420p"])
