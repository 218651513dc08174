"""A small run with waves, its folder, and a way to alter it."""

import csv
import json

SMALL = (
    "debug=fast game.target=12 population.size=6 mutation=0.03 cubes=waves cubes.sizes=[6,4] cubes.generations=[3,3] "
    "checkpoint_every=1 record_every=2"
)
RUN = f"{SMALL} hydra.run.dir=run"


def change(folder, generation, column, value):
    """Alter a figure in a run's metrics."""
    path = folder / "metrics.csv"
    rows = list(csv.DictReader(path.open(newline="")))
    next(row for row in rows if row["generation"] == str(generation))[column] = value
    path.write_text("\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]) + "\n")


def digest_of(folder):
    return json.loads((folder / "result.json").read_text())["digest"]
