"""Encodings of positions byte by byte, rewards, other kinds of programs, a sentence for every mistake."""

from __future__ import annotations

import pytest
from tests.encoding.round_trip import compare

import upcard
from upcard.arguments import BadArgument
from upcard.encoding import Encoding, NoEncoding
from upcard.engine.api import Limits
from upcard.engine.loader import make_game
from upcard.engine.shared.game import LoadedGame
from upcard.recycle.frontend import check
from upcard.recycle.source import Source


def program(text: str) -> LoadedGame:
    return make_game("written", *check(Source("written.rcy", text), lint=False).sound(), engine="native")


def field(encoding: Encoding, name: str, data: bytes) -> list[int]:
    (found,) = [one for one in encoding.fields if one.name == name]
    return list(data[found.offset : found.offset + found.size])


def test_euchre_takes_no_more_than_192_bytes() -> None:
    assert upcard.load("euchre").encoding.size <= 192


def test_a_position_of_euchre_byte_by_byte() -> None:
    """Seat 1 orders the nine of spades up; seat 3, the dealer, buries a card; seat 0 leads, seat 1 plays."""
    game = upcard.load("euchre")
    state = game.deal(seed=7)
    for index in (0, 1, 0, 0, 0):
        state.play(index)
    one, two = state.observe(1), state.observe(2)
    encoding = game.encoding
    led, followed = (one.places[f"seat{seat}.vloc.TRICK"][0] for seat in (0, 1))
    assert led is not None
    assert followed is not None
    numbers = {card: int(card.split(":")[1]) for card in one.cards}
    tricks = field(encoding, "player.vloc.TRICK", encoding.encode(two))
    assert {n: value for n, value in enumerate(tricks) if value} == {numbers[led]: 3, numbers[followed]: 4}
    hand = field(encoding, "player.iloc.HAND", encoding.encode(two))
    assert [n for n, value in enumerate(hand) if value] == sorted(
        numbers[card] for card in two.places["seat2.iloc.HAND"] if card is not None
    )
    data = encoding.encode(one)
    assert field(encoding, "player.iloc.HAND count", data) == [5, 5, 4]
    assert field(encoding, "player.iloc.BURIED count", data) == [0, 1, 0]
    assert field(encoding, "player.iloc.BURIED", data) == [0] * 24
    assert sum(field(encoding, "player.iloc.BURIED", encoding.encode(state.observe(3)))) == 1
    assert field(encoding, "table.str.TRUMP", data) == [2]  # spades
    assert field(encoding, "player.str.CALL", data) == [2, 0, 0, 1]  # ordered, nothing yet twice, passed
    assert field(encoding, "team.str.SIDE", data) == [1, 0]
    assert field(encoding, "table.sto.PASSES", data) == [1, 0]
    assert field(encoding, "phase", data) == [0, 0, 0, 0, 1]
    assert field(encoding, "seat", data) == [0, 1, 0, 0]
    assert field(encoding, "to_move", data) == [0, 1, 0, 0]
    assert field(encoding, "cycles of seats", data) == [4, 0, 4, 0, 2, 0]


BACKS = """(game
 (setup (create players 3)
  (create deck RED (game iloc STOCK) (deck (RANK (A, K, Q, J)) (SUIT (S, H))))
  (create deck BLUE (game iloc STOCK) (deck (RANK (A, K, Q, J)) (SUIT (S, H)))))
 (do ((shuffle (game iloc STOCK))
      (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P oloc FOREHEAD)))))
      (repeat 3 (move (top (game iloc STOCK)) (top (game vloc PILE))))
      (remember (top (game vloc PILE)) (top (game mem SEEN)))
      (remember (bottom (game vloc PILE)) (top (game mem SEEN)))
      (remember (top (game vloc PILE)) (top (game mem SEEN)))
      (set (game sto DEPTH) 70000)
      (set ((0 player) sto DEBT) (- 0 3))))
 (stage player (end (== (size (game vloc PILE)) 0))
  (choice ((any (game vloc PILE) 'C (move 'C (top (game vloc PILES 3))))
           (any ((current player) oloc FOREHEAD) 'C (move 'C (top (game vloc PILES 1)))))))
 (scoring min ((current player) sto DEBT)))
"""
"""Two backs, cards that only the others see, a memory, numbered places, a number of more than two bytes."""


def test_backs_foreheads_memories_and_numbered_places() -> None:
    game = program(BACKS)
    compared = compare(game, range(3), seed=2, limits=Limits(decisions=20))
    assert compared.states > 30
    encoding = game.encoding
    data = encoding.encode(game.deal(seed=1).observe(0))
    assert sum(field(encoding, "player.oloc.FOREHEAD count", data)) == 2  # the seat's own, by back
    assert sum(value > 0 for value in field(encoding, "player.oloc.FOREHEAD", data)) == 4
    assert field(encoding, "table.mem.SEEN count", data) == [3, 0]
    assert field(encoding, "table.sto.DEPTH", data) == [70000 % 65536 % 256, 70000 % 65536 // 256]
    assert field(encoding, "player.sto.DEBT", data) == [253, 255, 0, 0, 0, 0]
    hidden = encoding.actions - 1
    assert encoding.action_text(hidden) == "item 2, a hidden card"
    assert encoding.mask(game.deal(seed=1).observe(0))[hidden] == 1


MANY = """(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (RANKS)) (SUIT (S, H)))))
 (do ((shuffle (game iloc STOCK))
      (all player 'P (repeat 9 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
 (stage player (end (== (size ((current player) iloc HAND)) 0))
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))
           (any ((next player) iloc HAND) 'C (move 'C (top ((current player) iloc HAND)))))))
 (do ((shuffle (game vloc PILE))))
 (scoring max 0))
"""


def test_sets_of_more_than_a_word() -> None:
    letters = "ABCDEFGHIJKLMNO"
    ranks = ", ".join(one + other for one in letters for other in letters[:4])
    game = program(MANY.replace("RANKS", ranks))
    assert len(game.encoding.content.cards) == 120
    assert compare(game, range(2), seed=2, limits=Limits(decisions=12)).actions > 100


def test_the_c_backend_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("there is no C compiler here")
    monkeypatch.setenv("UPCARD_BACKEND", "c")
    compared = compare(upcard.load("go-fish"), range(1), seed=3, limits=Limits(decisions=12))
    assert compared.actions > 10


# --- rewards -------------------------------------------------------------------------------------


def test_rewards_by_rank_are_fair_between_sides() -> None:
    encoding = upcard.load("euchre").encoding
    tie = upcard.Outcome("finished", (0, 0, 0, 0), (0, 0, 0, 0))
    assert encoding.rewards(tie).rank == (0.0, 0.0, 0.0, 0.0)
    hearts = upcard.load("hearts").encoding
    outcome = upcard.Outcome("finished", (0, 13, 13, 0), (0, 2, 2, 0))
    assert hearts.rewards(outcome).points == (0.0, -13.0, -13.0, 0.0)
    assert hearts.rewards(outcome).rank == (2 / 3, -2 / 3, -2 / 3, 2 / 3)
    failed = upcard.Outcome("failed", None, None)
    assert hearts.rewards(failed) == ((0.0,) * 4, (0.0,) * 4, None)


def test_the_chance_to_win_a_match() -> None:
    encoding = upcard.load("euchre").encoding
    won = upcard.Outcome("finished", (2, 0, 2, 0), (0, 2, 0, 2))
    match = {"to": 10, "deals": 1, "ties": "share", "down": None, "deal": 5}
    assert encoding.rewards(won, {**match, "scores": [8, 0, 8, 0]}).match == (1.0, 0.0, 1.0, 0.0)
    chance = encoding.rewards(won, {**match, "scores": [4, 6, 4, 6]}).match
    assert chance is not None
    assert 0.4 < chance[0] < 0.6
    assert chance[0] + chance[1] == pytest.approx(1)
    assert encoding.rewards(won).match is None


def test_a_table_of_chances_that_is_too_large_is_not_made() -> None:
    encoding = upcard.load("hearts").encoding
    outcome = upcard.Outcome("finished", (0, 13, 13, 0), (0, 2, 2, 0))
    match = {"to": 100, "deals": 1, "ties": "share", "down": None, "deal": 0, "scores": [0, 0, 0, 0]}
    assert encoding.rewards(outcome, match).match is None
    over = encoding.rewards(outcome, {**match, "scores": [0, 99, 0, 0]}).match
    assert over == (0.5, 0.0, 0.0, 0.5)


# --- mistakes ------------------------------------------------------------------------------------


def test_a_game_that_makes_decks_has_no_encoding() -> None:
    text = BACKS.replace("(set (game sto DEPTH) 70000)", "(create deck (game vloc PILE) (deck (RANK (X))))")
    with pytest.raises(NoEncoding, match="written has no encoding of fixed size, because chance or play"):
        program(text).encoding  # noqa: B018


def test_too_many_cards_or_seats_have_no_encoding() -> None:
    many = (
        MANY.replace("RANKS", "A")
        .replace("(create deck", "(repeat 300 (create deck", 1)
        .replace("(SUIT (S, H)))))", "(SUIT (S, H))))))", 1)
    )
    with pytest.raises(NoEncoding, match="written has no encoding, because it has more than 512 cards"):
        program(many).encoding  # noqa: B018
    with pytest.raises(NoEncoding, match="written has no encoding, because it has 255 seats or more"):
        program(MANY.replace("RANKS", "A").replace("players 2", "players 255")).encoding  # noqa: B018


def test_an_observation_without_a_record_is_refused() -> None:
    game = upcard.load("euchre")
    state = game.deal(seed=1, recording=False)
    with pytest.raises(BadArgument, match="without a record cannot be encoded"):
        game.encoding.encode(state.observe(0))
    assert game.encoding.observe(state, 0) == game.encoding.observe(game.deal(seed=1), 0)


def test_other_mistakes() -> None:
    euchre, whist = upcard.load("euchre"), upcard.load("whist")
    seen, encoding = euchre.deal(seed=1).observe(0), upcard.load("euchre").encoding
    with pytest.raises(BadArgument, match="this is an observation of euchre, not of whist"):
        whist.encoding.encode(seen)
    with pytest.raises(BadArgument, match="this is a state of euchre, not of whist"):
        whist.encoding.observe(euchre.deal(seed=1), 0)
    with pytest.raises(BadArgument, match="there is no seat 4"):
        encoding.observe(euchre.deal(seed=1), 4)
    with pytest.raises(BadArgument, match="an encoded observation of euchre has 181 bytes, not 3"):
        encoding.decode(b"abc")
    for nonsense in (bytes(181), b"\xff" * 181):
        with pytest.raises(BadArgument, match="these bytes are not an encoded observation of euchre"):
            encoding.decode(nonsense)
    with pytest.raises(BadArgument, match="an information state of euchre has 3271 bytes, not 3"):
        encoding.decode_information_state(b"abc")
    with pytest.raises(BadArgument, match="there is no action 62; actions are numbered 0 to 61"):
        encoding.move_of(62, seen)
    with pytest.raises(upcard.IllegalMove, match=r"action 1 \(item 1, 9♠\) is not possible here"):
        encoding.move_of(1, seen)
    with pytest.raises(upcard.IllegalMove, match="is not a move here"):
        encoding.action_of(upcard.Move(9, (), 0), seen)
