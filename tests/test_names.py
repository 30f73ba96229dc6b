"""Names that an engineer of the field recognises: modules are nouns, each base name means one thing."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest
from tests.file_tables import PACKAGE, expected, packages, purpose

MODULES = sorted(
    path for folder in [PACKAGE, *packages()] for path in folder.glob("*.py") if path.stem[0] != "_"
)
MAX_MODULES = 25
COMMANDS = "cli/commands"
"""A module of this folder is named after its command, and there are as many as there are commands."""
FIELD_WORDS = {"encoding", "standing"}
"""Words of the field that end in -ing: the encoding of a game, the standing of a match."""
MIRRORED = {
    "actions",
    "choices",
    "collections",
    "context",
    "game",
    "items",
    "point_maps",
    "state",
    "values",
}
"""Trees that mirror each other: a form's node, its check, its meaning and its lowering; the contexts of
checks and lowerings; a game and a state in each engine."""


def test_modules_are_not_gerunds() -> None:
    assert not [str(path) for path in MODULES if path.stem.endswith("ing") and path.stem not in FIELD_WORDS]


def test_a_base_name_means_one_thing() -> None:
    homes = defaultdict(list)
    for path in MODULES:
        if path.parent == PACKAGE / COMMANDS:
            continue
        homes[path.stem].append(str(path.relative_to(PACKAGE)))
    twice = {name: found for name, found in homes.items() if len(found) > 1}
    assert not {name: found for name, found in twice.items() if name not in MIRRORED}
    assert set(twice) == MIRRORED, "MIRRORED lists a name that is used once"


def test_no_folder_has_too_many_modules() -> None:
    counted = Counter(str(path.parent.relative_to(PACKAGE)) for path in MODULES)
    del counted[COMMANDS]
    assert not {folder: count for folder, count in counted.items() if count > MAX_MODULES}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_says_what_it_is(path: Path) -> None:
    text = purpose(path)
    assert text.endswith("."), "the first paragraph of a module's docstring is a sentence"
    assert len(text) <= 130, "the first paragraph of a module's docstring is short"


@pytest.mark.parametrize("folder", packages(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_package_lists_its_modules(folder: Path) -> None:
    current = (folder / "__init__.py").read_text(encoding="utf-8")
    assert current == expected(folder), "run: python -m tests.file_tables --write"
