"""Stop rules: with which generation a run ends before its plan does."""
