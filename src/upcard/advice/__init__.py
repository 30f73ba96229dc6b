"""Hints: what moves are worth, how sure that is, and why.

Modules:
    deal_results    What deals bring: results of deals between quick players, measured once and kept on
                    disk.
    decisive_cards  Decisive cards: which hidden cards change a result most, by the deals that were played
                    out.
    estimate        Estimates: a mean with its 95 % interval, from weighted results of playouts.
    game_advice     What a game can add to its hints: proofs, and the words of its players.
    hint            Hints: what every move of a decision is worth, how sure that is, and why the best one
                    is best.
    match_chance    The chance of winning the match after a deal, for every game with a match.
    model_play      The model of a hint: how everybody is taken to play on after a move.
    move_value      The value of one move in a hint: estimates, results, and the distance to the best
                    move.
    playouts        Plays every move of a decision out in the same sampled worlds, everybody by the model
                    of the hint.
    reasons         Reasons: what a hint says about its best move, in sentences from the deals that were
                    played out.
    words           Words for a hint: moves, cards and players, as the table calls them.
"""

from upcard.advice.hint import Hint, hint

__all__ = ["Hint", "hint"]
