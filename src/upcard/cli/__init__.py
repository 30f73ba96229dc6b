"""Command-line interface: parses options, prints results, and decides nothing itself.

Modules:
    arena_report  Prints the results of a contest.
    confirmation  Asks before a saved match runs a program or a Python file.
    console       Helpers of all commands: exit codes, errors as one sentence, loading the game that the
                  options name.
    highlight     Syntax highlighting in the terminal, with the Pygments lexer of `site/lexer`.
    main          Entry point of `upcard`. Commands import what they need when they run, so each of them
                  starts quickly.
    match_counts  Prints what a match counted: how often, by which side, from which seat.
    options       Options shared by several commands: same name, meaning, help and validation everywhere.
    progress      Progress bar for long work; prints nothing when the output is not a terminal.
    seat_options  Parses the options for the names of seats and for the first dealer.
    study_files   Writes the files of a study into its folder: summary, tables, figures.
    study_report  Prints the results of a study.
    text_layout   Wraps text to the terminal's width; in a pipe it stays plain.
    trust         Checks the options about external players (secret, trust) and words what reports say
                  about them.
    commands/     The commands of `upcard`: one per file, named after the command.
"""
