"""The pack of the course: file, shuffle, batches."""

from __future__ import annotations

import pytest

from upcard.course.course_game import course_game
from upcard.course.pack import BadPack, Packs, batches, in_shuffle, pack_text, read_pack, shuffled
from upcard.euchre.euchre_cards import STANDARD, Card

TEXT = pack_text(STANDARD)


def test_the_standard_file_runs_through_the_suits() -> None:
    said = TEXT.splitlines()
    assert [said[0], said[5], said[6], said[12], said[23]] == [
        "Nine of Spades",
        "Ace of Spades",
        "Nine of Hearts",
        "Nine of Clubs",
        "Ace of Diamonds",
    ]
    assert read_pack(TEXT, "pack.in") == STANDARD


def test_line_ends_and_blank_lines_do_not_matter() -> None:
    assert read_pack(TEXT.replace("\n", "\r\n") + "\r\n\n", "pack.in") == STANDARD


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (
            "\n".join(TEXT.splitlines()[:-1]),
            23,
            "a pack has 24 cards, but this one has 23; the Ace of Diamonds is missing",
        ),
        ("", 1, "a pack has 24 cards, but this one has 0; the Nine of Spades is missing"),
        (TEXT + "Nine of Spades\n", 25, "card 25, Nine of Spades, is already in the pack as card 1"),
        (
            TEXT.replace("Ten of Spades", "Nine of Spades"),
            2,
            "card 2, Nine of Spades, is already in the pack",
        ),
        (
            TEXT.replace("Ten of Spades", "Eight of Spades"),
            2,
            'card 2 is "Eight of Spades"; write one card per line',
        ),
        (TEXT.replace("Ten of Spades", "Ten Spades"), 2, 'card 2 is "Ten Spades Jack"'),
        (TEXT.replace("Ten of Spades", "10 of spades"), 2, 'card 2 is "10 of spades"'),
        ("x" * 1000, 1, 'card 1 is "xxx'),
    ],
)
def test_a_wrong_pack_is_refused_with_the_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(BadPack) as refused:
        read_pack(text, "pack.in")
    assert str(refused.value).startswith(f"pack.in, line {line}: {sentence}")
    assert len(str(refused.value)) < 200


def test_an_in_shuffle_puts_the_second_half_first() -> None:
    mixed = in_shuffle(STANDARD)
    assert [STANDARD.index(card) for card in mixed[:6]] == [12, 0, 13, 1, 14, 2]
    assert [STANDARD.index(card) for card in mixed[-2:]] == [23, 11]


def test_the_standard_pack_shuffled_once() -> None:
    assert [card.text for card in shuffled(STANDARD)[:6]] == [
        "King of Clubs",
        "Jack of Hearts",
        "Nine of Spades",
        "Ace of Clubs",
        "Queen of Hearts",
        "Ten of Spades",
    ]


def period(pack: tuple[Card, ...]) -> int:
    mixed, count = in_shuffle(pack), 1
    while mixed != pack:
        mixed, count = in_shuffle(mixed), count + 1
    return count


def test_in_shuffles_repeat_after_twenty() -> None:
    assert period(STANDARD) == 20


def test_the_deals_of_a_game_repeat_after_twenty_hands() -> None:
    packs = Packs(STANDARD, shuffle=True)
    orders = [packs.before(hand) for hand in range(45)]
    assert len(set(orders)) == 20
    assert orders[:20] == orders[20:40]
    assert orders[19] == STANDARD


def test_a_shuffle_starts_from_the_order_of_the_previous_hand() -> None:
    packs = Packs(STANDARD, shuffle=True)
    assert packs.before(1) == shuffled(shuffled(STANDARD))
    assert packs.before(0) == shuffled(STANDARD)


def test_without_shuffling_every_hand_starts_at_the_first_card() -> None:
    packs = Packs(STANDARD, shuffle=False)
    assert packs.before(0) == packs.before(7) == STANDARD


def test_batches_of_three_and_two_then_two_and_three() -> None:
    numbers = [[STANDARD.index(card) for card in hand] for hand in batches(STANDARD)]
    assert numbers == [[0, 1, 2, 10, 11], [3, 4, 12, 13, 14], [5, 6, 7, 15, 16], [8, 9, 17, 18, 19]]


def test_a_stacked_deck_deals_what_the_batches_give() -> None:
    game = course_game()
    ids = {Card.of(face): card for card, face in game.deal(0, 0).faces.items()}
    pack = shuffled(STANDARD)
    state = game.deal(0, 0, stacked=Packs(STANDARD, shuffle=True).stacked(0, ids))
    faces = {card: Card.of(face) for card, face in state.faces.items()}
    hands = batches(pack)
    assert len(hands) == 4
    for seat, hand in enumerate(hands):
        seen = state.observe(seat).places
        held = {faces[card] for card in seen[f"seat{seat}.iloc.HAND"] if card is not None}
        assert held == set(hand)
        assert seen["table.vloc.UPCARD"] == (ids[pack[20]],)
