"""Ways to spend games: who plays how many, in rounds, as a function of what was seen (`pigevo.evolution.spend`)."""
