"""Static pages: a game on one page, the library as a site. Pages fetch nothing."""
