"""A strategy for small games: a dozen sorts of items, put together at random into well-typed programs."""

from __future__ import annotations

from hypothesis import strategies as st

HAND = "((current player) iloc HAND)"
LOCATIONS = (
    HAND,
    "(game vloc POOL)",
    "((next player) vloc ROW)",
    "((current player) hloc DOWN)",
    "(game vloc PILE 2)",
    "((previous player) oloc HAT)",
)

numbers = st.sampled_from(
    (
        "1",
        "2",
        "(size (game vloc POOL))",
        "((current player) sto GOLD)",
        f"(sum {HAND} using (game points V))",
        "(random 2)",
        "(all player 'V ('V sto GOLD))",
        "(pid (next player))",
    )
)
card_tests = st.sampled_from(
    (
        "(== (cardatt S 'V) X)",
        "(> (score 'V using (game points V)) 1)",
        "(!= (cardatt N 'V) (cardatt N (top (game vloc POOL))))",
        "(any (game vloc POOL) 'W (== (cardatt S 'W) (cardatt S 'V)))",
    )
)
tests = st.one_of(
    st.builds("(< {} {})".format, numbers, numbers),
    st.builds("(> (size {}) 0)".format, st.sampled_from(LOCATIONS)),
    st.just("(== (game str HUE) RED)"),
    st.builds("(all {} 'V {})".format, st.sampled_from(LOCATIONS), card_tests),
)
locations = st.sampled_from(LOCATIONS)
cards = st.one_of(
    locations,
    st.builds("(filter {} 'V {})".format, locations, card_tests),
    st.builds("(union {} {})".format, locations, locations),
    st.builds("(sort {} using (game points V))".format, locations),
    st.builds("(disjunction {} {})".format, locations, locations),
)
groups = st.one_of(
    st.builds("(partition N {})".format, cards),
    st.builds("(tuples 2 {} using (game points V))".format, cards),
    st.builds("(runs all 2 {} using (game points V))".format, cards),
    st.builds("(subsets {})".format, locations),
    st.just("(all player 'V ('V vloc ROW))"),
    st.just("(indexed game vloc PILE)"),
)
spots = st.builds(
    "({} {})".format,
    st.sampled_from(("top", "bottom")),
    st.sampled_from((*LOCATIONS, "(game iloc STOCK)")),
)

simple = st.one_of(
    st.builds("(inc (game sto T) {})".format, numbers),
    st.builds("(set ((current player) sto GOLD) {})".format, numbers),
    st.just("(set (game str HUE) RED)"),
    st.just("(set (game points V) (((N : A) 1) ((N : B) 2) ((S : X) 1)))"),
    st.just("(swap (game vloc POOL) ((next player) vloc ROW))"),
    st.just("(shuffle (game vloc POOL))"),
    st.just("(cycle next previous)"),
    st.just("(turn pass)"),
    st.builds("(repeat all (move (top {}) {}))".format, locations, spots),
    st.builds("((> (size {0}) 0) (move (top {0}) {1}))".format, locations, spots),
    st.builds("((> (size {0}) 1) (swap (top {0}) (bottom {0})))".format, locations),
    st.builds("((> (size {0}) 0) (remember (top {0}) (top (game mem SEEN))))".format, locations),
    st.just("((> (size (game mem SEEN)) 0) (forget (top (game mem SEEN))))"),
    st.builds("((> (size {0}) 0) (move (max {0} using (game points V)) {1}))".format, locations, spots),
)
picks = st.one_of(
    st.builds("(any {} 'V (move 'V {}))".format, cards, spots),
    st.builds("(any {} 'V (repeat all (move (top 'V) {})))".format, groups, spots),
    st.builds("(any {} 'V (all 'V 'W (move 'W {})))".format, groups, spots),
    st.just("(any (other player) 'V (any ('V vloc ROW) 'W (move 'W (top (game vloc POOL)))))"),
    st.just("(any (range 1..3) 'V (inc (game sto T) 'V))"),
    st.just("(any (RED, BLUE) 'V (set (game str HUE) 'V))"),
    st.builds("(let {} 'S (any 'S 'V (move 'V {})))".format, cards, spots),
    st.builds("(let {} 'S (repeat all (move (top 'S) {})))".format, cards, spots),
)
leaves = st.one_of(simple, picks)
items = st.one_of(
    leaves,
    st.builds("(do ({} {}))".format, leaves, leaves),
    st.builds("({} {})".format, tests, leaves),
    st.builds("(do ({} ({} {})))".format, picks, tests, simple),
    st.builds("(repeat 2 {})".format, leaves),
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    players = draw(st.integers(2, 3))
    chosen = draw(st.lists(items, min_size=1, max_size=3))
    between = draw(st.lists(simple, max_size=2))
    return f"""
(game
 (setup (create players {players})
        (create deck (game iloc STOCK) (deck (N (A, B, C)) (S (X, Y))))
        (create deck RED (game vloc POOL) (deck (N (A, J)))))
 (do ((shuffle (game iloc STOCK))
      (set (game points V) (((N : A) 1) ((N : B) 2) ((N : C) 3)))
      (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
 (stage player (end (>= (game sto T) 8))
  (choice ({" ".join(chosen)} (turn pass)))
  (do ((inc (game sto T)) {" ".join(between)})))
 (scoring {draw(st.sampled_from(("max", "min")))} (+ ((current player) sto GOLD) (game sto T))))
"""
