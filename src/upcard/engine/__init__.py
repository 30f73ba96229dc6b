"""Engines: the API that every engine implements, and the two implementations.

Modules:
    api                  The engine API: Move, Observation, Outcome; Game and State are in `game` and
                         `state`. Read this file first.
    game                 A loaded game as people use it: what it is, its deals, its simulations.
    loader               Loads a game by name or path.
    observation_changes  What is new in an observation since an earlier one of the same seat, as data.
    record_view          Records as one seat sees them: hidden cards and other seats' reasons removed.
    rng                  Random numbers, specified to the bit (docs/language/chance.md): every engine
                         draws the same.
    state                One game in progress as people use it: whose turn it is, the moves, playing,
                         observing.
    transcript           Transcripts: JSON lines from which a game is replayed and every change is found.
    transcript_format    Typed definitions of the lines of a transcript.
    native/              The native engine: compiles programs and kernels to machine code through one
                         typed IR.
    reference/           The reference engine: the definition of the language in plain Python, to be read
                         beside the language reference.
    shared/              What both engines share: the table, knowledge, records, named moves,
                         observations.
"""
