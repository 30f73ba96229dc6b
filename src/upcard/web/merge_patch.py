"""Differences of documents as merge patches (RFC 7386): changed keys, with null for a key that is gone.

Documents hold no null of their own. Lists are replaced as a whole.
"""

from __future__ import annotations

from typing import Any


def difference(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The patch that makes the new document from the old one; empty if they are equal."""
    patch: dict[str, Any] = dict.fromkeys(key for key in old if key not in new)
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            inner = difference(before, value)
            if inner:
                patch[key] = inner
        elif key not in old or value != before or type(value) is not type(before):
            patch[key] = value
    return patch


def patched(old: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    new = dict(old)
    for key, value in patch.items():
        if value is None:
            new.pop(key, None)
        elif isinstance(value, dict):
            before = new.get(key)
            new[key] = patched(before if isinstance(before, dict) else {}, value)
        else:
            new[key] = value
    return new
