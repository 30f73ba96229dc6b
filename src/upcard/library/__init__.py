"""The games that ship with Upcard, and what their sheets say about them."""

from upcard.library.checking import check_game
from upcard.library.sheet import Sheet, SheetError
from upcard.library.sheet_file import read_sheet
from upcard.library.shelf import NoSuchGame, find, names

__all__ = ["NoSuchGame", "Sheet", "SheetError", "check_game", "find", "names", "read_sheet"]
