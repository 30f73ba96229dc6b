"""Syntax highlighting in the terminal, with the Pygments lexer of `site/lexer`."""

from __future__ import annotations

import re

from pygments import highlight
from pygments.formatters import TerminalFormatter
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, Token, _TokenType

from upcard.site.lexer import RecycleLexer

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
"""Only the terminal's own sixteen colours, so that text stays readable on light and dark screens."""


def highlight_program(program: str) -> str:
    """A program in the terminal's colours."""
    coloured: str = highlight(program, RecycleLexer(), TerminalFormatter(colorscheme=_COLOURS))
    return coloured


_FENCE = re.compile(r"^```recycle\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def highlight_page(page: str) -> str:
    """A page of the documentation with its programs in colour."""
    return _FENCE.sub(lambda fence: f"```recycle\n{highlight_program(fence[1])}```", page)
