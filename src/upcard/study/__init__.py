"""Studies: what a game is like, measured from random and search play."""
