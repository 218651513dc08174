"""Output for browsers: a page to play on and look at, as static files and with a server, and reports."""
