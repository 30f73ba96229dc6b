"""Host process of a Python player: reads requests, calls the class, writes answers.

It speaks the protocol of `external_player` and also answers the greeting: {"ready": true}, or {"failed": why}
when the file cannot be used. What the player prints goes to standard error, not among the answers.
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
from upcard.players.constructor import Unusable, wanted_arguments
from upcard.players.guard import describe_error, resolve_move
from upcard.players.protocol import Budget, Player

KEPT = 256
"""Players kept at once: as many as a game can have seats."""


class Host:
    """Makes an instance of the class for every seat of every deal, and forwards requests to it."""

    def __init__(self, greeting: dict[str, Any]) -> None:
        self._class = _import_class(Path(greeting["file"]), greeting["class"])
        self._wants = wanted_arguments(self._class, greeting["trusted"])
        self._game = pickle.loads(base64.b64decode(greeting["pickle"])) if "game" in self._wants else None
        self._players: dict[int, Player] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        observation = Observation.from_json(request["observation"])
        # catches everything: this process only runs the player, and Ctrl-C does not reach it
        try:
            player = self._player(request, observation.seat)
        except BaseException as error:
            return {"failed": f"could not be created: {describe_error(error)}"}
        try:
            decision = player.choose(observation, Budget(**request["budget"]))
        except BaseException as error:
            return {"failed": f"raised {describe_error(error)}"}
        try:
            return {"move": resolve_move(decision, observation).key}
        except IllegalMove as error:
            return {"failed": str(error)}
        except BaseException as error:
            return {"failed": f"answered with an object that raised {describe_error(error)}"}

    def _player(self, request: dict[str, Any], seat: int) -> Player:
        number = request["player"]
        if number not in self._players:
            given = {"game": self._game, "seed": request["seed"], "seat": seat, "deal": request.get("deal")}
            while len(self._players) >= KEPT:
                del self._players[next(iter(self._players))]
            self._players[number] = self._class(**{name: given[name] for name in self._wants})
        return self._players[number]


def _import_class(path: Path, name: str) -> Callable[..., Player]:
    """Imports the file as if Python had been started in its folder, and returns the class."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise Unusable("is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise Unusable(f"cannot be imported: {describe_error(error)}") from None
    found = getattr(module, name, None)
    if found is None:
        classes = [n for n, value in vars(module).items() if hasattr(value, "choose")]
        raise Unusable(
            f"has no class {name}; its classes with a method choose: {', '.join(classes) or 'none'}"
        )
    if inspect.isclass(found) and not callable(getattr(found, "choose", None)):
        raise Unusable(f"has a class {name} without a method choose(observation, budget)")
    if not callable(found):
        raise Unusable(f"has a {name}, but it is not a class")
    return found  # type: ignore[no-any-return]


def main() -> None:
    answers, requests = _take_stdout(), _read_requests()
    try:
        host = Host(json.loads(requests.get()))
    except Unusable as error:
        _send(answers, {"failed": str(error)})
        return
    _send(answers, {"ready": True})
    while True:
        _send(answers, host.answer(json.loads(requests.get())))


def _take_stdout() -> TextIO:
    """Returns a stream on standard output, and redirects all other output there to standard error."""
    own = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(own, "w", encoding="utf-8")


def _read_requests() -> queue.Queue[str]:
    """Queues lines of standard input. At its end this process exits, even while the player is thinking."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _send(answers: TextIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
