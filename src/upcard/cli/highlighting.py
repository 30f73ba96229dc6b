"""Programs in colour: a lexer for Pygments, registered as a plug-in, and programs on a terminal.

Pages and editors that know Pygments colour a `recycle` block once Upcard is installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pygments import highlight
from pygments.formatters import TerminalFormatter
from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Token,
    Whitespace,
    _TokenType,
)

from upcard.recycle.roles import Role, pieces

TOKENS: dict[Role, _TokenType] = {
    Role.SPACE: Whitespace,
    Role.COMMENT: Comment.Single,
    Role.PARENTHESIS: Punctuation,
    Role.MARK: Punctuation,
    Role.OPERATOR: Operator,
    Role.LOGIC: Operator.Word,
    Role.BLOCK: Keyword,
    Role.ACTION: Name.Function,
    Role.OPERATION: Name.Builtin,
    Role.OWNER: Name.Builtin.Pseudo,
    Role.CLASS: Keyword.Type,
    Role.STORAGE: Keyword.Namespace,
    Role.DECLARED: Name.Constant,
    Role.VARIABLE: Name.Variable,
    Role.NUMBER: Number.Integer,
    Role.PLACE: Name.Class,
    Role.SLOT: Name.Attribute,
    Role.KEY: Name.Tag,
    Role.VALUE: String.Symbol,
    Role.WRONG: Error,
}


class RecycleLexer(Lexer):  # type: ignore[misc]  # Pygments says nothing about its types
    """Programs in RECYCLE. Gives the text back whole, wrong programs included."""

    name = "RECYCLE"
    aliases = ("recycle", "rcy")
    filenames = ("*.rcy",)
    mimetypes = ("text/x-recycle",)

    def __init__(self, **options: Any) -> None:
        # by itself Pygments drops empty lines at both ends and adds a last newline
        super().__init__(**{"stripnl": False, "ensurenl": False, **options})

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        for piece in pieces(text):
            yield piece.start, TOKENS[piece.role], piece.text

    @staticmethod
    def analyse_text(text: str) -> float:
        """How sure one can be that a text without a name is a program."""
        start = re.match(r"(?:\s|;;[^\n]*\n)*\(\s*game\s", text)
        return 0.9 if start and "(setup" in text else 0.0


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
