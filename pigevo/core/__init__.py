"""General tools that know nothing of Pig: array types, registries, intervals, messages, threads, memory."""
