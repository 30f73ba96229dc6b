"""`python -m upcard`."""

from upcard.cli.main import main

main()
