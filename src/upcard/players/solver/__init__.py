"""Endgame solver: optimal play when all cards are known."""
