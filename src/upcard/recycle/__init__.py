"""The RECYCLE front end: reading, checking, linting and formatting programs.

Modules:
    arithmetic       64-bit signed arithmetic of the language; leaving the range is an error.
    balance          Locates a missing or surplus parenthesis.
    constants        Constant folding: values that depend neither on play nor on chance.
    deck_sizes       How many cards decks make: of one deck, and of a whole game at most.
    diagnostic_text  Renders diagnostics: message, location, source line with carets, hint.
    diagnostics      Diagnostics as data: code, message, span, hint.
    error_pages      Finds the page that explains a diagnostic code.
    facts            Facts about a program, computed once when it is loaded and used by every engine.
    failures         Sentences of run-time errors, each said in one wording by both engines.
    formatter        Formatter: lays a program out and keeps its forms and comments.
    forms            Forms: nested lists with spans, as the reader produces them.
    frontend         Entry point: text in, checked program with facts or diagnostics out.
    highlight_roles  Roles of the tokens of a program, for syntax highlighting.
    indentation      Uses indentation as evidence for the intended parentheses.
    kinds            Kinds of value. A variable has one binding site, so its kind is known statically.
    limits           Limits that every engine enforces, when a game is loaded or in play.
    order            Order facts: which locations keep their cards in an order that a program can see.
    program          The typed program: output of the checker and input of every engine.
    reader           Reader: text to forms in one pass without recursion, with diagnostics.
    repairs          Enumerates repairs by one parenthesis and scores them.
    reserved_words   The words of RECYCLE, derived from the declarations of its forms.
    sizes            Upper bounds from the text: elements of a collection, cards of its groups, numbers.
    source           Source text, spans and locations.
    walk             Walks the nodes of a program.
    work             Work: how much a program may do at one decision, and which forms count it.
    checker/         Checker: from forms to a typed program, with diagnostics.
    lints/           Lints: warnings about programs that are legal but hardly intended.
    nodes/           Node classes of a typed program; import them from `upcard.recycle.program`.
"""
