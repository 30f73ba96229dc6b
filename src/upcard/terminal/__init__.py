"""The table in the terminal: a person plays a match, seen from one seat."""
