"""Movement graph: how cards move between places, as data, SVG, DOT and sentences."""
