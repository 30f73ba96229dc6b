"""Point maps as tables: every row holds what the awards add up to."""

from __future__ import annotations

from itertools import product

from upcard.engine.native.lower.card_faces import static_cards
from upcard.engine.native.lower.fast.score_tables import MAX_SCORES, SHARED, ScoreTable, score_table
from upcard.recycle import program as p
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.recycle.walk import below

DECK = "(deck (RANK (J, Q)) (COLOR (RED (SUIT (HEARTS, DIAMONDS))) (BLACK (SUIT (CLUBS)))))"


def table(awards: str, deck: str = DECK) -> tuple[ScoreTable | None, list[dict[str, str]]]:
    text = f"""(game
 (setup (create players 1) (create deck (game iloc D) {deck}))
 (do ((set (game points V) ({awards}))))
 (scoring max (sum (game iloc D) using (game points V))))"""
    program, facts = check(Source("map", text), lint=False).sound()
    (node,) = (n for n in below(program) if isinstance(n, p.SetPoints))
    faces = [card.attributes for card in static_cards(program, facts)[0]]
    return score_table(node, faces), faces


def test_every_row_adds_up_its_awards() -> None:
    awards = (
        "((SUIT : (game str TRUMP)) 200) ((RANK : J) (COLOR : (game str TONE)) 30) ((RANK : J) 4) "
        "((RANK : Q) (SUIT : (game str TRUMP)) 1)"
    )
    made, faces = table(awards)
    assert made is not None
    assert made.which == (0, 1, 0), "the same storage is one value"
    assert [list(texts) for texts in made.texts] == [["HEARTS", "DIAMONDS", "CLUBS"], ["RED", "BLACK"]]
    rows = set()
    for trump, tone in product(["HEARTS", "DIAMONDS", "CLUBS", "NONE"], ["RED", "BLACK", "", "HEARTS"]):
        row = made.texts[0].get(trump, 0) + made.texts[1].get(tone, 0)
        rows.add(row)
        for card, face in enumerate(faces):
            wanted = 200 * (face["SUIT"] == trump) + 4 * (face["RANK"] == "J")
            wanted += 30 * (face["RANK"] == "J" and face["COLOR"] == tone)
            wanted += face["RANK"] == "Q" and face["SUIT"] == trump
            assert made.scores[row + card] == wanted
    assert len(rows) == 4 * 3
    assert len(made.scores) == len(rows) * len(faces)


def test_what_no_table_says() -> None:
    assert table("((SUIT : HEARTS) 5)")[0] is None, "nothing to depend on"
    assert table("((SUIT : (game str TRUMP)) 70000)")[0] is None, "more than two bytes"
    assert table("((SUIT : (game str TRUMP)) (game sto N))")[0] is None, "the amount is not written out"
    many = " ".join(f"((SUIT : (game str S{i})) 1)" for i in "ABCDEFGH")
    assert MAX_SCORES < 4**8
    assert table(many)[0] is None, "too many cases"


def test_ranks_tell_the_best_card_and_whether_it_shares() -> None:
    made, faces = table("((SUIT : (game str TRUMP)) 200) ((RANK : J) 4)")
    assert made is not None
    size = len(faces)
    for greatest in (True, False):
        ranks = made.ranks(size, greatest)
        assert len(ranks) == len(made.scores)
        for at in range(0, len(ranks), size):
            scores, row = made.scores[at : at + size], ranks[at : at + size]
            best = max(range(size), key=lambda card: row[card])
            assert scores[best] == (max if greatest else min)(scores)
            for card, rank in enumerate(row):
                assert rank % SHARED == card
                assert bool(rank & SHARED) == (scores.count(scores[card]) > 1)
                assert (rank // SHARED == row[best] // SHARED) == (scores[card] == scores[best])
