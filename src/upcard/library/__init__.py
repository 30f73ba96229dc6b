"""The library: games on disk, their sheets and house rules."""

from upcard.library.check_game import check_game
from upcard.library.lookup import NoSuchGame, find, names
from upcard.library.sheet import Sheet, SheetError
from upcard.library.sheet_format import read_sheet

__all__ = ["NoSuchGame", "Sheet", "SheetError", "check_game", "find", "names", "read_sheet"]
