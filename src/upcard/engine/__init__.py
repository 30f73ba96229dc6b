"""Engines: the API that every engine implements, and the two implementations.

Modules:
    api                The engine API: Game, State, Move, Observation, Outcome. Read this file first.
    loader             Loads a game by name or path.
    rng                Random numbers, specified to the bit (docs/language/chance.md): every engine draws
                       the same.
    transcript         Transcripts: JSON lines from which a game is replayed and every change is found.
    transcript_format  Typed definitions of the lines of a transcript.
    native/            The native engine: compiles programs and kernels to machine code through one typed
                       IR.
    reference/         The reference engine: the definition of the language in plain Python, to be read
                       beside the language reference.
    shared/            What both engines share: the table, knowledge, records, named moves, observations.
"""
