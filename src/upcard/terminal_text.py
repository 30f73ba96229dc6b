"""Text for terminals: escapes control characters and fits the encoding.

Names, titles and messages come from files, arguments and other programs. A terminal acts on some characters
in them (it moves the cursor, fills the clipboard, reverses the direction of reading) and shows nothing for
others. `visible` writes those characters as Python does: `\\x1b`, `\\u202e`, `\\U000e0001`. It is harmless to
apply it twice, and for that reason a text that holds a backslash followed by `x1b` looks the same as one that
holds the escape character.

`encodable` replaces what an encoding lacks by plain letters: `±` by `+/-`, `♠` by `s`, frames by `+`, `-` and
`|`. Replacements may be wider than what they replace, so replace before you lay out a table.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but for tab and newline, delete, C1
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e"  # format characters
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters and marks that are drawn as nothing
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # no characters at all
)
_IN_LINES = re.compile(f"[{_HIDDEN}]")
_IN_A_LINE = re.compile(f"[{_HIDDEN}\t\n]")
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def visible(text: str, lines: bool = False) -> str:
    """Text for one line, with control characters, direction marks and invisible characters written out.

    With `lines`, newlines and tabs stay as they are, for text that may have several lines.
    """
    if lines:
        return _IN_LINES.sub(lambda found: escaped(found[0]), text.replace("\r\n", "\n"))
    return _IN_A_LINE.sub(lambda found: escaped(found[0]), text)


def escaped(char: str) -> str:
    """One character as Python writes it in a string."""
    if char.isascii():
        return _SHORT.get(char) or f"\\x{ord(char):02x}"
    return char.encode("ascii", "backslashreplace").decode()


def cells(text: str) -> int:
    """How many columns of a terminal a visible text takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def encodable(text: str, encoding: str | None) -> str:
    """The text with plain letters for what the encoding lacks."""
    try:
        codec = codecs.lookup(encoding or "ascii").name
    except LookupError:
        codec = "ascii"
    if codec == "utf-8":
        return text
    return text.encode(codec, "upcard.readable").decode(codec)


def to_ascii(text: str) -> str:
    return encodable(text, "ascii")


def _readable(error: UnicodeError) -> tuple[str, int]:
    """An error handler for codecs: characters without a good replacement are written out."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(_replacement, error.object[error.start : error.end])), error.end


def _replacement(char: str) -> str:
    if char in _PLAIN:
        return _PLAIN[char]
    letters = unicodedata.normalize("NFKD", char).replace("\u2044", "/")
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return plain if plain and plain.isascii() and plain.isprintable() else escaped(char)


codecs.register_error("upcard.readable", _readable)

_FRAMES = [chr(code) for code in range(0x2500, 0x2580)]
_PLAIN = {
    **dict.fromkeys(_FRAMES, "+"),
    **dict.fromkeys("─━┄┅┈┉╌╍═╴╶╸╺╼╾", "-"),
    **dict.fromkeys("│┃┆┇┊┋╎╏║╵╷╹╻╽╿", "|"),
    **dict.fromkeys("░▒▓█", "#"),
    **dict.fromkeys("‐‑‒–—―−·", "-"),
    **dict.fromkeys("‘’‚‛′", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("▶►▸", ">"),
    **dict.fromkeys("◀◄◂", "<"),
    **dict.fromkeys("▲↑", "^"),
    **dict.fromkeys("▼↓", "v"),
    **dict.fromkeys("•◦‣", "*"),
    **dict.fromkeys("♠♤", "s"),
    **dict.fromkeys("♥♡", "h"),
    **dict.fromkeys("♣♧", "c"),
    **dict.fromkeys("♦♢", "d"),
    "…": "...",
    "±": "+/-",
    "×": "x",
    "÷": "/",
    "→": "->",
    "←": "<-",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "«": "<<",
    "»": ">>",
    "ß": "ss",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
    "\ufe0e": "",
    "\ufe0f": "",
    "\ufffd": "?",
}


def capitalize_first(text: str) -> str:
    """The text with its first letter in upper case and the others as they are."""
    return text[:1].upper() + text[1:]
