"""First populations."""
