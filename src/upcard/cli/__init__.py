"""Command-line interface: parses options, prints results, and decides nothing itself."""
