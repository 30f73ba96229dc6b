"""Euchre's own knowledge: cards, hand evaluation, auction, the expert, the lay-down proof.

Modules:
    auction        Model of the two bidding rounds: what reasonable players call, and where the auction
                   ends.
    call_weights   Typed definition and reader of `calls.json`, the learned weights of calls.
    contracts      Probability that a contract is made or marched, from all four hands or from the maker's
                   alone.
    deal_text      A deal of Euchre in words, from an observation: bidding, trump, maker, bowers, tricks.
    euchre_advice  Euchre's part in hints: certain results, and results and cards in the words of players.
    euchre_cards   The 24 cards of Euchre: names, bowers, and the orders in which they are compared.
    euchre_screen  Euchre on an 80x24 screen: seats, upcard, bidding, trick, trump and maker.
    euchre_view    Euchre's table view, registered for the game: hand in trump order, bowers by name,
                   auction, lay-down.
    expert         The Euchre expert: values calls over sampled hands at the current score, and plays
                   cards as `blend` does.
    hand_position  A decision of Euchre's auction from a hand, the turned card, a seat and a score, for
                   `upcard hint`.
    hands          Hand evaluation: features of five cards under a trump suit, with learned weights.
    lay_down       Lay-down proof: the leader takes all remaining tricks, whatever the unseen cards are.
    observed_hand  An observation of Euchre in players' terms: hand, upcard, trump, meaning of each move.
    stacked_deals  Deals with given hands and upcard; the other cards are dealt at random.
    stakes         Value of a hand's result at the current score.
    sure_tricks    Sure tricks: what a hand of Euchre takes however the unseen cards lie, for calls and
                   for cards.
"""
