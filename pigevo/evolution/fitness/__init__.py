"""Judges: what decides who is better."""
