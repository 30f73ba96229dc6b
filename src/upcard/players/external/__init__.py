"""External players: programs and Python classes in processes of their own.

Modules:
    child_process    Starts and ends the processes of external players, each in a session of its own.
    external_player  External players: any program, or a class in a Python file, over JSON lines.
    fork_server      Server process that forks a host of Python players for every session.
    host             Host process of a Python player: reads requests, calls the class, writes answers.
    pipes            Pipes of an external player: one line out, one line back, within a time limit.
"""
