"""The EECS 280 Euchre project: its game, pack, players and transcript, and a judge for student programs."""
