"""A second Pig, written from the publications alone, that the tests compare pigevo with.

Nothing here imports pigevo. A game is anything with `target`, `gains` (pairs of points and
probability), `bust` and `allow_pass`; a strategy is an array `roll[i, j, k]`.
"""
