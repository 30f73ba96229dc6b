"""Engines: the API that every engine implements, and the two implementations."""
