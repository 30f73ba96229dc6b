"""Fast paths: cheaper lowerings that give the same results as the general ones.

Modules:
    bulk_moves      Moves several cards at once as a set: emptying a place, or dealing from the top of
                    one.
    card_masks      Conditions on a card as sets of cards, and collections computed as sets, without
                    lists.
    counted_items   Items of a choice that are counted from sets without running them.
    exclusion       Exclusion analysis: items of a choice of which at most one can have alternatives.
    listed_choices  Alternatives of counted items, listed as sets with the index range of each.
    score_ranks     Finds the best card of a set of one word without jumps: by score, or by ranks computed
                    beforehand.
    score_tables    Point maps as tables of scores computed when a game is loaded.
    stage_ends      Asks the player to move first whether a stage goes on that ends once all players have
                    done something.
"""
