"""Static pages: a game on one page, the library as a site. Pages fetch nothing.

Modules:
    card_art         Draws cards: a face with rank and suit, or its words, or a back.
    game_page        A game's page, section by section.
    index_page       The index of the library: a table that sorts and filters.
    inline_figures   Embeds matplotlib figures: small, with unique ids, in the page's colours.
    lexer            Pygments lexer for RECYCLE, and highlighted programs as HTML.
    markup           HTML builder: escapes everything that is not markup already.
    notebook         What a notebook shows: the table of a state as a picture, and the card of a game.
    number_text      Formats numbers and paragraphs for pages.
    page_data        Collects what a page shows: the game, its study, its movement graph, a sample
                     position.
    page_frame       Frame of every page: head, colours, contents, a policy that forbids requests.
    sample_position  Picks a position worth drawing: part-way through a game, cards on the table.
    site_build       Builds the site: finds outdated pages and makes them.
    study_sections   Sections of a page with the results of a study.
    table_art        Draws the table from one seat's view.
"""
