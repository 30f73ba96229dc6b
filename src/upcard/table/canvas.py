"""A sheet of characters to draw on. Styles only repeat what the characters say already."""

from __future__ import annotations

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
    """Rows and columns of characters, each with a style. What does not fit is cut off, never wrapped."""

    def __init__(self, width: int, height: int, ascii_only: bool = False) -> None:
        self.width, self.height = width, height
        self._ascii = ascii_only
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [[""] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        if not 0 <= row < self.height:
            return
        if self._ascii:
            text = to_ascii(text)
        for at, char in enumerate(text, column):
            if 0 <= at < self.width:
                self._chars[row][at] = char
                self._styles[row][at] = style

    def centred(self, row: int, middle: int, text: str, style: str = "") -> None:
        self.put(row, middle - len(text) // 2, text, style)

    def right(self, row: int, end: int, text: str, style: str = "") -> None:
        """Text that ends before a column."""
        self.put(row, end - len(text), text, style)

    def paste(self, other: Canvas, row: int, column: int) -> None:
        """Another sheet laid on this one."""
        for at in range(other.height):
            if 0 <= row + at < self.height:
                self._chars[row + at][column : column + other.width] = other._chars[at]
                self._styles[row + at][column : column + other.width] = other._styles[at]

    def lines(self, colour: bool = False) -> list[str]:
        if not colour:
            return ["".join(row).rstrip() for row in self._chars]
        return [self._styled(row) for row in range(self.height)]

    def _styled(self, row: int) -> str:
        made, current = [], ""
        length = len("".join(self._chars[row]).rstrip())
        for at in range(self.width):
            style = self._styles[row][at]
            char = self._chars[row][at]
            if at >= length and not style:
                break
            if char in RED and style in ("", "bold", "reverse"):
                style = f"red {style}".strip()
            if style != current:
                made.append(f"\x1b[0;{_CODES[style]}m" if style else "\x1b[0m")
                current = style
            made.append(char)
        if current:
            made.append("\x1b[0m")
        return "".join(made)


def fitted(text: str, room: int, ascii_only: bool = False) -> str:
    """The text, cut with a mark where it is longer than there is room for."""
    if len(text) <= room:
        return text
    mark = "..." if ascii_only else "…"
    return text[: max(0, room - len(mark))] + mark if room > len(mark) else text[:room]


def to_ascii(text: str) -> str:
    """Drawing characters and typography in plain letters; what else there is becomes a question mark."""
    plain = text.translate(_PLAIN)
    return plain.encode("ascii", "replace").decode("ascii")


_PLAIN = str.maketrans(
    {
        **dict.fromkeys("─━═", "-"),
        **dict.fromkeys("│┃║", "|"),
        **dict.fromkeys("┌┐└┘╭╮╰╯├┤┬┴┼╔╗╚╝", "+"),
        "▒": "#",
        "·": "-",
        "…": "...",
        "▶": ">",
        "▲": "^",
        "→": ">",
        "←": "<",
        "↑": "^",
        "↓": "v",
        "—": "-",
        "–": "-",
        "’": "'",
        "“": '"',
        "”": '"',
        "±": "+-",
        "×": "x",
        "é": "e",
        "É": "E",
        "♠": "s",
        "♥": "h",
        "♣": "c",
        "♦": "d",
    }
)
