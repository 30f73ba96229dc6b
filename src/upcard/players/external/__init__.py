"""External players: programs and Python classes in processes of their own."""
