"""Worker processes: how they are started and called."""
