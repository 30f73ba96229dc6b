"""Observations in machine code: what a seat sees is written as words, and read when somebody asks for it.

Modules:
    compact_view    What a seat sees at one moment: words that machine code wrote, and fields of an
                    observation made of them.
    record_chain    A seat's record as it grows: a chain of events that the seat saw, decoded when they
                    are read.
    seat_knowledge  Kernels that keep what each seat knows about the position of cards
                    (docs/language/knowing.md).
    seat_log        Kernels that write the event log as one seat sees it: cards that it does not see are
                    -1.
    seat_moves      Kernels that read recorded alternatives: the event of a decision, and the moves as
                    their chooser sees them.
    seat_table      Kernels that write the table as one seat sees it.
    step            Kernels that carry out a decision, go on to the next one, and observe: each is one
                    call from Python.
    view_code       The kernels of this package in machine code, the same for all games, bound to one
                    program's facts.
    view_facts      Facts of a program for the kernels of this package: where its states keep what, and
                    who sees which place.
    view_reader     Reads what the kernels wrote: the words of one program's views, as fields of
                    observations.
"""
