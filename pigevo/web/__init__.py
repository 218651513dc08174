"""What a browser shows: a page to play on and look at, as static files and a server for them, and reports."""
