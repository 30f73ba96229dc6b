"""Host process of a Python player: reads requests, calls the class, writes answers.

It speaks the protocol of `external_player`, and answers the greeting as well: {"ready": true}, or
{"failed": why} when the file cannot be used. What the player prints goes beside the answers, not among them.
"""

from __future__ import annotations

import base64
import importlib.util
import inspect
import json
import os
import pickle
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from upcard.engine.api import IllegalMove, Observation
from upcard.players.guard import chosen, in_words
from upcard.players.protocol import Budget, Player

GIVEN = ("game", "seed", "seat")
"""What a player's class may take by keyword."""
TRUSTED = ("deal",)
"""What it may take as well if it is trusted."""
KEPT = 256
"""Players that are kept: as many as a game can have seats."""


class Unusable(Exception):
    """A file or a class that makes no player; the message is a clause that follows its name."""


class Host:
    """Makes a player of the class for every seat of every deal, and asks it."""

    def __init__(self, hello: dict[str, Any]) -> None:
        self._class = _found(Path(hello["file"]), hello["class"])
        self._wants = _wanted(self._class, hello["trusted"])
        self._game = pickle.loads(base64.b64decode(hello["pickle"])) if "game" in self._wants else None
        self._players: dict[int, Player] = {}

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        observation = Observation.from_json(question["observation"])
        # everything is caught: this process has no other business, and Ctrl-C does not reach it
        try:
            player = self._player(question, observation.seat)
        except BaseException as error:
            return {"failed": f"could not be made: {in_words(error)}"}
        try:
            decision = player.choose(observation, Budget(**question["budget"]))
        except BaseException as error:
            return {"failed": f"raised {in_words(error)}"}
        try:
            return {"move": chosen(decision, observation).key}
        except IllegalMove as error:
            return {"failed": str(error)}
        except BaseException as error:
            return {"failed": f"answered with an object that raised {in_words(error)}"}

    def _player(self, question: dict[str, Any], seat: int) -> Player:
        number = question["player"]
        if number not in self._players:
            given = {"game": self._game, "seed": question["seed"], "seat": seat, "deal": question.get("deal")}
            while len(self._players) >= KEPT:
                del self._players[next(iter(self._players))]
            self._players[number] = self._class(**{name: given[name] for name in self._wants})
        return self._players[number]


def _found(path: Path, name: str) -> Callable[..., Player]:
    """The class; its file is imported as if it lay in the folder that Python was started in."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise Unusable("is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise Unusable(f"cannot be imported: {in_words(error)}") from None
    found = getattr(module, name, None)
    if found is None:
        classes = [n for n, value in vars(module).items() if hasattr(value, "choose")]
        raise Unusable(f"has no class {name}; with a choose it has {', '.join(classes) or 'none'}")
    if inspect.isclass(found) and not callable(getattr(found, "choose", None)):
        raise Unusable(f"has a class {name} without choose(observation, budget)")
    if not callable(found):
        raise Unusable(f"has a {name}, but it is no class")
    return found  # type: ignore[no-any-return]


def _wanted(found: Callable[..., Player], trusted: bool) -> list[str]:
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return []
    offered = (*GIVEN, *TRUSTED) if trusted else GIVEN
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return list(offered)
    for p in parameters:
        by_keyword = p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        if p.default is p.empty and p.kind is not p.VAR_POSITIONAL and not (by_keyword and p.name in offered):
            if p.name in TRUSTED:
                raise Unusable(f"wants {p.name}, which only trusted players are given; add --trusted")
            raise Unusable(f"wants {p.name} to be made, but a player is given any of {', '.join(offered)}")
    return [p.name for p in parameters if p.name in offered]


def main() -> None:
    answers, questions = _aside(), _questions()
    try:
        host = Host(json.loads(questions.get()))
    except Unusable as error:
        _say(answers, {"failed": str(error)})
        return
    _say(answers, {"ready": True})
    while True:
        _say(answers, host.answer(json.loads(questions.get())))


def _aside() -> TextIO:
    """Our own way out; whatever else writes to standard output from now on writes to standard error."""
    own = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(own, "w", encoding="utf-8")


def _questions() -> queue.Queue[str]:
    """Lines as they come. When nobody asks any more this process ends, even while the player is thinking."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _say(answers: TextIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
