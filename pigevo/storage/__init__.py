"""Files: atomic writing, arrays and records with checksums, locks, and cache folders."""
