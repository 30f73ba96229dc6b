"""A program that answers with the bytes it is given: for `protocol_fuzz`.

answering.py             each question holds its answer: base64 pieces, written one after the other
answering.py FILE        writes the pieces in a JSON file when it is first asked, then does what it says
"""

from __future__ import annotations

import base64
import json
import os
import sys


def write(pieces: list[str]) -> None:
    for piece in pieces:
        data = base64.b64decode(piece)
        while data:
            data = data[os.write(1, data) :]


def main() -> None:
    if len(sys.argv) == 1:
        for line in sys.stdin:
            write(json.loads(line)["pieces"])
        return
    with open(sys.argv[1], encoding="utf-8") as file:
        told = json.load(file)
    if told["when"] == "before":
        write(told["pieces"])
    sys.stdin.readline()
    for _ in sys.stdin:
        if told["when"] == "asked":
            write(told["pieces"])
        if told["then"] == "close":
            os.close(1)
        elif told["then"] == "exit":
            os._exit(told["code"])
        elif told["then"] == "abort":
            os.abort()


if __name__ == "__main__":
    main()
