"""Node classes of a typed program; import them from `upcard.recycle.program`."""
