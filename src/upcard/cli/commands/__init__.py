"""The commands of `upcard`: one a file, named after the command."""
