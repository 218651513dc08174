"""`report.html`: a sweep or a run in one file that needs nothing else, not even a script."""
