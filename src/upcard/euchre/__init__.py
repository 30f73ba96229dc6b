"""What is Euchre's alone: its cards, its players, the course game."""
