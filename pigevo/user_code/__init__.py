"""Functions of a user's own: how they are loaded, named and identified."""
