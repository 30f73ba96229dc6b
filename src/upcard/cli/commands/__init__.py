"""The commands of `upcard`: one per file, named after the command."""
