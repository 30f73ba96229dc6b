"""Environments for learning."""
