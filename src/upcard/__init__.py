"""Upcard: card games written in RECYCLE, read, checked, played and studied."""

__version__ = "0.1.0"
