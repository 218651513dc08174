"""Files: written whole or not at all, arrays and records in them, checksums, locks, and the folders of caches."""
