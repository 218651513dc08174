"""The best rule that a person can remember."""
