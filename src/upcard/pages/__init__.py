"""Game pages: everything that is known of a game in one file that a browser shows without asking anybody."""
