"""Command-line interface: parses options, prints results, and decides nothing itself.

Modules:
    arena_report  Prints the results of a contest.
    confirmation  Asks before a saved match runs a program or a Python file.
    console       Console helpers of all commands: exit codes, options in common, errors as one sentence.
    highlight     Syntax highlighting in the terminal. The lexer is `site/lexer`; it is registered as a
                  Pygments plug-in here.
    main          Entry point of `upcard`. A command's imports happen when it runs, so that every command
                  starts quickly.
    match_counts  Prints what a match counted: how often, by which side, from which seat.
    options       Options shared by several commands: same name, meaning, help and validation everywhere.
    page_options  Options that `upcard page` and `upcard site` share.
    progress      Progress bar for long work; prints nothing when the output is not a terminal.
    seat_options  Options for seats and the first dealer.
    study_report  Prints the results of a study.
    text_layout   Wraps text to the terminal's width; in a pipe it stays plain.
    trust         Options for the secret of a contest and for trusted players, and what reports say about
                  them.
    commands/     The commands of `upcard`: one per file, named after the command.
"""
