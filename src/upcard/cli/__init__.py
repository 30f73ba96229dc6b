"""Command-line interface: parses options, prints results, and decides nothing itself.

Modules:
    arena_report        Prints the results of a contest.
    cluster_workers     Opens the workers that --workers or --cluster names.
    command_help        Help of the commands: summaries in groups, options under headings, examples at the
                        end.
    command_list        The commands of `upcard` in groups; each is imported when it is used, so that all
                        of them start quickly.
    completion          Shell completion: answers a shell's question about a command line, prints and
                        installs the scripts.
    completion_scripts  Scripts that make a shell ask `upcard` for completions.
    completion_values   Values that shell completion offers for arguments and options: games, players,
                        house rules, seats.
    confirmation        Asks before a saved match runs a program or a Python file.
    console             Helpers of all commands: exit codes, errors as one sentence, loading the game that
                        the options name.
    examples            Examples in the help of a command: the lines after "Examples:" at the end of its
                        docstring.
    highlight           Syntax highlighting in the terminal, with the Pygments lexer of `site/lexer`.
    main                Entry point of `upcard`: options without a command, errors and exit codes.
    match_counts        Prints what a match counted: how often, by which side, from which seat.
    options             Options shared by several commands: same name, meaning, placeholder, help and
                        checks everywhere.
    progress            Progress bar for long work; prints nothing when the output is not a terminal.
    seat_options        Parses the options for the players and names of seats and for the first dealer.
    simulation_report   Prints the statistics of a simulation, just played or read from its rows.
    solve_report        The report of `upcard solve`: value, exploitability and the strategy in words, or
                        as JSON.
    study_files         Writes the files of a study into its folder: summary, tables, figures.
    study_report        Prints the results of a study.
    text_layout         Wraps text to the terminal's width; in a pipe it stays plain.
    trust               Checks the options about external players (secret, trust) and words what reports
                        say about them.
    usage_errors        Words errors of the command line: an unknown command or option, a missing or a
                        wrong value.
    welcome             What `upcard` prints when it is started alone.
    commands/           The commands of `upcard`: one per file, named after the command.
"""
