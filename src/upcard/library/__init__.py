"""The library: games on disk, their sheets and house rules.

Modules:
    catalogue          The catalogue: every game with its players, family and summary line.
    check_game         Checks a game by name or path.
    check_result       Checks a program given as text or by name, and keeps what was found with its
                       source.
    equity             Match equity: the probability of winning the match from any score.
    lookup             Finds games by name or path.
    match_rules        Rules of a match: the score after a deal, whether it is over, and who leads.
    match_text         Describes in sentences how a match is scored.
    new_game           Creates the folder of a new game from the starter.
    possible_actions   Possible actions: the actions that a program can record, found without playing it.
    program_storages   The storages of a program that a sheet can name.
    rule_combinations  Combinations of house rules: all of them, or a few that cover every pair of
                       choices.
    sheet              The sheet of a game (`game.toml`): names, phrases, house rules and the match.
    sheet_check        Checks a sheet with its program and reports everything that is wrong as
                       diagnostics.
    sheet_format       Typed definition and reader of `game.toml`; `sheet` explains the parts.
    sheet_names        Compares the names in a sheet with those of the program: E605, E606, W703 and W705
                       to W708.
    sheet_phrases      Compares the phrases of a sheet with what the program can do: W701 to W704.
"""

from upcard.library.check_game import check_game
from upcard.library.lookup import NoSuchGame, find, names
from upcard.library.sheet import Sheet, SheetError
from upcard.library.sheet_format import read_sheet

__all__ = ["NoSuchGame", "Sheet", "SheetError", "check_game", "find", "names", "read_sheet"]
