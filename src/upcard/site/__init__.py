"""Static pages: a game on one page, the library as a site. Pages fetch nothing.

Modules:
    card_art         Draws cards: a face with rank and suit, or its words, or a back.
    chart            Canvas of the charts on pages: scales, axes, marks and labels as SVG with text, in
                     the page's colours.
    choice_charts    Charts of choices: the branching factor at every decision, and leaders against
                     followers.
    game_page        A game's page, section by section.
    index_page       The index of the library: a table that sorts and filters.
    lead_charts      Charts of search players' evaluations: lead histories, and how much decisions matter.
    lexer            Pygments lexer for RECYCLE, and highlighted programs as HTML.
    markup           HTML builder: escapes everything that is not markup already.
    notebook         What a notebook shows: the table of a state as a picture, the card of a game, the
                     figures of a study.
    number_text      Formats numbers and paragraphs for pages.
    page_data        Collects what a page shows: the game, its study, its movement graph, a sample
                     position.
    page_frame       Frame of every page: head, colours, contents, a policy that forbids requests.
    result_charts    Charts of results: how long games are, and what each seat scores and wins.
    sample_position  Picks a position worth drawing: part-way through a game, cards on the table.
    site_build       Builds the site: finds outdated pages and makes them.
    study_sections   Sections of a page with the results of a study. Sections without results are left
                     out.
    table_art        Draws the table from one seat's view.
    theme_css        Colours of the figures' themes as CSS variables: charts follow the reader's light or
                     dark setting.
"""
