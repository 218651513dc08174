"""What a browser shows: the parts of reports, and the page."""
