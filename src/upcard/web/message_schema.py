"""JSON Schema of all messages, made from their types: python -m upcard.web.message_schema."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from upcard.output import write_document
from upcard.web import messages

TYPES = (
    messages.Settings,
    messages.Created,
    messages.Lobby,
    *messages.FromBrowser.__args__,
    *messages.FromServer.__args__,
)


def schema() -> dict[str, Any]:
    """A schema with a definition for every message; `anyOf` lists those of a connection."""
    _, definitions = msgspec.json.schema_components(TYPES, ref_template="#/$defs/{name}")
    names = [kind.__name__ for kind in (*messages.FromBrowser.__args__, *messages.FromServer.__args__)]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages of the table",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in names],
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


if __name__ == "__main__":
    write_document(json.dumps(schema(), indent=2) + "\n")
