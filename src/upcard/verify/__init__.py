"""Verification: engines compared, designers' positions checked, speed measured.

Modules:
    engines    Runs both engines side by side and compares everything at every decision.
    positions  Designers' positions (`positions.toml`): reads and checks them.
    speed      Measures the engines: games and rollouts per second, compile time, warm start.
"""
