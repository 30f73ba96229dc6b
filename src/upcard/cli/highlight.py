"""Syntax highlighting in the terminal. The lexer is `site/lexer`; it is registered as a Pygments plug-in
here.
"""

from __future__ import annotations

import re

from pygments import highlight
from pygments.formatters import TerminalFormatter
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, Token, _TokenType

from upcard.site.lexer import TOKENS, RecycleLexer

__all__ = ["TOKENS", "RecycleLexer", "in_colour", "page_in_colour"]

_COLOURS: dict[_TokenType, tuple[str, str]] = {
    token: (colour, colour)
    for token, colour in (
        (Token, ""),
        (Comment, "brightblack"),
        (Keyword, "*blue*"),
        (Keyword.Type, "cyan"),
        (Keyword.Namespace, "cyan"),
        (Operator.Word, "*magenta*"),
        (Name.Function, "*green*"),
        (Name.Builtin, "blue"),
        (Name.Builtin.Pseudo, "magenta"),
        (Name.Variable, "yellow"),
        (Name.Constant, "*yellow*"),
        (Name.Tag, "_cyan_"),
        (Number, "red"),
        (String, "green"),
        (Error, "_red_"),
    )
}
"""The sixteen colours that a terminal's owner has chosen, so that they fit a light and a dark screen."""


def in_colour(program: str) -> str:
    """A program for a terminal."""
    coloured: str = highlight(program, RecycleLexer(), TerminalFormatter(colorscheme=_COLOURS))
    return coloured


_FENCE = re.compile(r"^```recycle\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def page_in_colour(page: str) -> str:
    """A page of the documentation for a terminal: the programs on it in colour, the rest as it is."""
    return _FENCE.sub(lambda fence: f"```recycle\n{in_colour(fence[1])}```", page)
