"""`report.html`: a sweep or a run in one file that needs nothing else, not even a script."""

from pigevo.core.registry import Registry

OUTCOME_PARTS = Registry("part of a report", 2, __name__)
"""Parts of the report of a run, from the arrays of its `archive.npz` and from the word for its folder, by the
names of what selections say of a population; each in the file of that name."""
