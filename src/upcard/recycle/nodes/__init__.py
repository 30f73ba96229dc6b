"""The nodes of a program, by what they are. Everybody takes them from `upcard.recycle.program`."""
