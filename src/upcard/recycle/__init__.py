"""The language: reading, checking, formatting. Knows nothing of playing."""
