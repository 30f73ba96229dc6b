"""What a game is like, in numbers."""
