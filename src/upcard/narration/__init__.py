"""Narration: moves, cards and results in words."""
