"""A page on which anyone can play Pig, look at strategies and draw one: static files, and a server for them."""
