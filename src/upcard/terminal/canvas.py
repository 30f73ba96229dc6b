"""Character canvas. Styles carry no information that the characters lack."""

from __future__ import annotations

from upcard.terminal_text import cells, to_ascii, visible

_CODES = {
    "": "",
    "bold": "1",
    "dim": "2",
    "red": "31",
    "reverse": "7",
    "red bold": "1;31",
    "red reverse": "7;31",
}
RED = "♥♦"


class Canvas:
    """Rows and columns of characters, each with a style. Text that does not fit is cut off, never wrapped."""

    def __init__(self, width: int, height: int, ascii_only: bool = False) -> None:
        self.width, self.height = width, height
        self._ascii = ascii_only
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [[""] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        if not 0 <= row < self.height:
            return
        chars, at = self._chars[row], column
        for char in self._shown(text):
            width = cells(char)
            if width == 0 and 0 < at <= self.width:
                chars[at - 1] += char
            elif at >= 0 and at + width <= self.width:
                chars[at : at + width] = [char, *[""] * (width - 1)]
                self._styles[row][at : at + width] = [style] * width
            at += width

    def _shown(self, text: str) -> str:
        return to_ascii(visible(text)) if self._ascii else visible(text)

    def put_centred(self, row: int, middle: int, text: str, style: str = "") -> None:
        self.put(row, middle - cells(self._shown(text)) // 2, text, style)

    def put_right(self, row: int, end: int, text: str, style: str = "") -> None:
        """Put text so that it ends before a column."""
        self.put(row, end - cells(self._shown(text)), text, style)

    def paste(self, other: Canvas, row: int, column: int) -> None:
        """Copy another canvas onto this one."""
        for at in range(other.height):
            if 0 <= row + at < self.height:
                self._chars[row + at][column : column + other.width] = other._chars[at]
                self._styles[row + at][column : column + other.width] = other._styles[at]

    def lines(self, colour: bool = False) -> list[str]:
        if not colour:
            return ["".join(row).rstrip() for row in self._chars]
        return [self._styled(row) for row in range(self.height)]

    def _styled(self, row: int) -> str:
        parts, current = [], ""
        length = max((at for at, char in enumerate(self._chars[row], 1) if char != " "), default=0)
        for at in range(self.width):
            style = self._styles[row][at]
            char = self._chars[row][at]
            if at >= length and not style:
                break
            if char and char in RED and style in ("", "bold", "reverse"):
                style = f"red {style}".strip()
            if style != current:
                parts.append(f"\x1b[0;{_CODES[style]}m" if style else "\x1b[0m")
                current = style
            parts.append(char)
        if current:
            parts.append("\x1b[0m")
        return "".join(parts)


def fit(text: str, room: int, ascii_only: bool = False) -> str:
    """The text, cut with an ellipsis if it is longer than the room."""
    text = visible(text)
    if cells(text) <= room:
        return text
    mark = "..." if ascii_only else "…"
    mark = mark if room > len(mark) else ""
    while cells(text) > room - len(mark):
        text = text[:-1]
    return text + mark
