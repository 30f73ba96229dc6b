"""The commands of `upcard`: one per file, named after the command.

Modules:
    arena     `upcard arena`: measures players on duplicate deals.
    bench     `upcard bench`: measures the engines' speed on this machine, as ratios from one run.
    check     `upcard check`: prints diagnostics of programs and their sheets, and facts of programs.
    compare   `upcard compare`: compares variants of a game, or several games, figure by figure.
    compile   `upcard compile`: prints each stage of compilation.
    course    `upcard course`: plays the EECS 280 Euchre project with its own arguments and output.
    encoding  `upcard encoding`: prints what the bytes of an encoded observation and the numbers of
              actions mean.
    explain   `upcard explain`: explains a diagnostic code.
    fmt       `upcard fmt`: formats programs.
    games     `upcard games`: lists the library.
    graph     `upcard graph`: shows how cards move, as a drawing, as counts or in sentences.
    hint      `upcard hint`: what every move of a decision is worth, and why.
    judge     `upcard judge`: compares a student's program with the course game.
    match     `upcard match`: plays matches to the game's target.
    new       `upcard new`: creates a game to start from.
    page      `upcard page`: writes a game's page for a browser.
    play      `upcard play`: seats a person at a table in the terminal.
    replay    `upcard replay`: replays a transcript or a match on the table, or checks every line of it.
    rows      `upcard rows`: prints the statistics of a simulation from its rows alone.
    rules     `upcard rules`: prints how a game is played, in plain words.
    serve     `upcard serve`: the table in the browser.
    show      `upcard show`: prints a game's program.
    simulate  `upcard simulate`: plays many random games and prints their statistics.
    site      `upcard site`: writes pages for the whole library, with an index.
    solve     `upcard solve`: computes optimal play of a small game with hidden cards.
    stats     `upcard stats`: lists your matches, and statistics over them.
    study     `upcard study`: measures what a game is like.
    test      `upcard test`: checks the positions that a designer wrote in positions.toml.
    verify    `upcard verify`: runs both engines side by side and compares everything.
    watch     `upcard watch`: narrates one game of any players.
"""
