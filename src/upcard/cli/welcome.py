"""What `upcard` prints when it is started alone."""

from __future__ import annotations

from upcard.output import say_lines

WELCOME = """\
Upcard plays, measures and studies card games written in the language RECYCLE.

Try:
  upcard play euchre       play Euchre in the terminal
  upcard games             list the games of the library
  upcard simulate euchre   play 1000 random games and print statistics
  upcard new my-game       write a game of your own

upcard -h lists all commands; upcard COMMAND -h explains one of them."""


def welcome() -> None:
    say_lines(WELCOME)
