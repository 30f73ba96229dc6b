"""The command line: it shows and asks; it decides nothing."""
