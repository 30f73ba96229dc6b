"""The EECS 280 Euchre project: its game, pack, players and transcript, and a judge for student programs.

Modules:
    course_game        The course game: its command-line arguments, and a match of the library's Euchre
                       configured like it.
    course_transcript  Prints the record of a match line for line as the course does.
    human_player       The course's Human player: its prompts and the answers it accepts.
    judge_program      Judges a student's program: plays generated games with both programs and compares
                       the output.
    pack               The course's pack: file format, shuffle, and dealing in batches as stacked decks of
                       the library's game.
    program_run        Runs a student's program with limits on time and output, and always ends it.
    simple_player      The course's Simple player: a few fixed rules, no memory, no partner.
"""
