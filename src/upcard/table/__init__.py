"""The table in the terminal: a match that a person plays, seen from one seat."""
