"""Three players: an equilibrium for every state, its certificate, and what others have tried.

`pigevo.three_player` gathers what is public.  What it costs at a target of T: one orbit for
each of T^3 / 3 cyclic triples of points needed, in each a few dozen optimal turns of at most
T steps, so T^4 in all; 3 T^3 numbers and T^4 bytes are kept.
"""
