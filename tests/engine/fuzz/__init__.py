"""Random, well-typed programs, played by both engines and compared row by row.

`pen`, `decks`, `values`, `numbers`, `collections`, `actions`, `themes` and `shape` write a program;
`coverage` counts what the reference engine executes of it; `compare` plays it by both engines; `shrink`
makes a differing program small; `faults` plants mistakes in the lowering, which the comparison must find.
By hand:

    python -m tests.engine.fuzz --programs 5000 --seed 1
"""
