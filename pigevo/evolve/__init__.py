"""Stub: the lead's own replaces it."""
