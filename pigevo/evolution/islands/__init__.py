"""Islands: parts of a population that evolve by themselves and now and then send migrants to their neighbours."""
