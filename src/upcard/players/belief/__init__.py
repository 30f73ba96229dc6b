"""Beliefs: consistent histories, determinizations and opponent models for a seat's information set."""
