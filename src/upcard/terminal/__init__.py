"""The table in the terminal: a person plays a match, seen from one seat.

Modules:
    advice             Shows hints at the table: the values of all moves in lines, and what a played move
                       gave up.
    answers            Parses typed answers: menu numbers, cards, words of the menu, table commands.
    canvas             Character canvas. Styles carry no information that the characters lack.
    fingerprint        Commits to the seed with a fingerprint before the first deal and reveals it after
                       the last.
    keys               Reads single keys from a terminal on POSIX and Windows, and always restores it.
    match_history      Your saved matches: one summary for each, and the statistics over them.
    opponent_levels    Opponents at the table: levels by name, with a fallback where a game lacks one.
    plain_ui           Plain user interface: lines only, for pipes and screen readers.
    recorded_decision  Finds one decision in a transcript, a match record or a saved match.
    recorded_match     A recorded game or match, step by step: the position after every decision, for one
                       seat or for all.
    render             Rendering shared by all screens: question, panels, card boxes.
    replay_screen      Steps through a recorded game on the screen of the table: forwards, back, from any
                       seat.
    review             Reviews a deal: what each decision cost, by the values of a hint.
    review_walk        Steps through a finished deal: all hands open, the values of every decision, and
                       other moves to try.
    saves              Saved matches on disk.
    screen_ui          Full-screen user interface, driven by keys.
    seat_view          What one seat sees, in words, built from its observation alone.
    session            A session at the table: plays on until the person's turn, and records every line.
    table_narrator     Narrator at the table: seats by the names of their players, places by their words.
    table_screen       Any game on an 80x24 screen: opponents, table, log, your cards, menu.
    table_setup        Sets up a table: seats and players for a new, resumed or replayed match.
    table_view         How a game looks at the table: one view for every game, replaced by views that
                       games register.
    ui                 User-interface protocol of the table: shows and asks, decides nothing.
"""
