"""The table in the browser: a server that holds every state, and a client without rules.

Modules:
    app                 The web application: pages, tables over HTTP and sockets, and the headers that
                        keep browsers safe.
    bots                Bots: players of named levels that choose from observations, in threads, at a pace
                        that tells nothing.
    card_names          Names of cards for screen readers: king of spades.
    card_symbols        Every card of a game as symbols of one drawing, from which the client takes its
                        cards.
    database            The database of all tables: one SQLite file, written by one thread.
    deal_document       A deal as one viewer may see it, for the document: built from an observation and
                        nothing else.
    hints               Hints and reviews, computed in a thread from what the person sees or saw.
    live_match          The match at a table: a decision is on disk before anybody sees what it led to.
    merge_patch         Differences of documents as merge patches (RFC 7386): changed keys, with null for
                        a key that is gone.
    message_schema      JSON Schema of all messages, made from their types: python -m
                        upcard.web.message_schema.
    messages            Messages between the server and a browser, and the document of what a viewer may
                        see.
    origin              Which addresses a request may name: the server's own, so that no other page can
                        act for a visitor.
    public_observation  What spectators see: the part of all seats' observations that is the same.
    rate_limit          Rate limits: token buckets by address, so that one visitor cannot keep the server
                        busy.
    room                A table in the server: what people and bots do at it, and what each browser is
                        sent.
    room_state          The state of a table, and the document of it that a viewer may see.
    server              Runs the server: listens, opens the browser, stops with Ctrl-C.
    table_list          All tables of a server: made, found by their code, and forgotten when nobody used
                        them for long.
    table_socket        The connection of one browser to one table: messages in, messages out, limits on
                        both.
    tokens              Secret tokens of seats, and the short codes of tables.
"""
