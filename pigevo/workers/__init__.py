"""Processes of pigevo's own: how they are started."""
