"""The native engine: compiles programs and kernels to machine code through one typed IR.

Modules:
    buffer          Memory buffers for machine code.
    cache           Object cache: compiled objects kept on disk for the next start.
    event_follower  Follows a game by its event log: the table, what the seats know and the record, made
                    when they are read.
    event_log       Reads the event log of stepping code and applies its effects to a table that follows
                    the state.
    fork            Fork safety: locks that a forked child must not inherit locked.
    game            A loaded program played by machine code.
    interrupt       Ctrl-C while machine code runs.
    ir              The typed, structured IR of everything that becomes machine code.
    ir_text         Prints IR for people: `upcard compile --emit ir`.
    ir_verifier     IR verifier: the invariants that every pass must preserve.
    liveness        Liveness: which words of a state its future depends on, so that equal ones mean equal
                    futures.
    machine_memory  Memory for machine code: whatever Python hands to it by an address comes from here.
    playout_code    Playing code of a program: whole random games, loaded from the cache if possible.
    resample_plan   Prepares the resampling kernels: a base state and a plan of what a seat does not know.
    state           A game in progress in machine code, one decision at a time.
    state_memory    Reads a table out of a state's flat memory.
    stepping_code   Stepping code of a program, and the workspace it runs in.
    unlogged_state  Steps through playing code, which logs no events: for comparisons, and to start
                    playouts.
    workspace       Workspace: scratch memory of a thread, enlarged by machine code on demand.
    backends/       Backends: IR to machine code with LLVM, or to C for the system's compiler.
    kernels/        Kernels: functions in a typed subset of Python, run as they are or compiled to the IR.
    lower/          Lowering: from a checked program to the IR.
    seat_view/      Observations in machine code: what a seat sees is written as words, and read when
                    somebody asks for it.
"""
