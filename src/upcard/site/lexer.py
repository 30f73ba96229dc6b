"""Pygments lexer for RECYCLE, and highlighted programs as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
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
    Whitespace,
    _TokenType,
)

from upcard.recycle.highlight_roles import Role, pieces
from upcard.site.markup import Html, shown

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
    """Tokens of RECYCLE. Together they are the whole text, even of a program with errors."""

    name = "RECYCLE"
    aliases = ("recycle", "rcy")
    filenames = ("*.rcy",)
    mimetypes = ("text/x-recycle",)

    def __init__(self, **options: Any) -> None:
        # by default Pygments strips empty lines at both ends and adds a final newline
        super().__init__(**{"stripnl": False, "ensurenl": False, **options})

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        for piece in pieces(text):
            yield piece.start, TOKENS[piece.role], piece.text

    @staticmethod
    def analyse_text(text: str) -> float:
        """The probability that a text is a RECYCLE program."""
        start = re.match(r"(?:\s|;;[^\n]*\n)*\(\s*game\s", text)
        return 0.9 if start and "(setup" in text else 0.0


def as_markup(program: str) -> Html:
    """A program for a page, its pieces in spans with Pygments' short class names."""
    coloured: str = highlight(shown(program), RecycleLexer(), HtmlFormatter(nowrap=True))
    return Html(coloured)
