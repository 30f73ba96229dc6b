"""Figures of studies, drawn with matplotlib."""
