"""The C programs that `benchmarks/native.py` measures against play the very hands that the engine plays."""

from __future__ import annotations

import shutil

import pytest
from benchmarks import native
from tests import documents

import upcard
from upcard.verify.speed import Native

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="the yardstick needs a C compiler")


def test_the_librarys_euchre() -> None:
    plays = native.yardstick(native.YARDSTICKS["Euchre, ours"], "-O2")
    native.check_rows(plays, Native(upcard.load("euchre")))


def test_the_documents_euchre() -> None:
    documents.document(documents.EUCHRE)  # skips where the documents are missing
    game = native.document("euchre")
    assert game is not None
    plays = native.yardstick(native.YARDSTICKS["Euchre, the document's"], "-O2")
    native.check_rows(plays, Native(game))
