"""What every room may use, and nothing of Pig: array types, registries, intervals, messages, threads, memory."""
