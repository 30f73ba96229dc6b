"""Whole games of the course: the transcript line for line, with Simple and Human players."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.course.course_games import NAMES, STANDARD_GAME, arguments, legal, lines, pack_of, second_opinion

from upcard.course.course_game import Settings, Usage, play
from upcard.course.human_player import BadAnswer, Question
from upcard.engine.api import Move
from upcard.engine.rng import Stream
from upcard.euchre.euchre_cards import STANDARD, Card

MARCH = pack_of("9s", "Js Jc As Ks Qs", "9h 10h 9c 10c 9d", "Qh Kh Qc Kc 10d", "Ah Jh Ac Qd Kd")
"""The eldest has the five highest spades."""


ORDERED = pack_of("9s", "Js Jc As 9h 9d", "10s Ah Ad Ac 10h", "Qh Kh Qc Kc 10d", "Ks Qs Jh Kd Qd")
"""The eldest orders up; the dealer then has nine, queen and king of trump."""


def random_game(number: int) -> tuple[list[str], list[Card], str, list[str]]:
    """A game on a drawn pack with drawn answers: arguments, pack, answers, transcript."""
    stream = Stream((2024, number))
    pack = list(STANDARD)
    stream.shuffle(pack)
    types = "".join("SH"[stream.below(2)] for _ in range(4))
    given = arguments(types, 1 + stream.below(6), ("shuffle", "noshuffle")[stream.below(2)])
    answers: list[str] = []
    told: list[str] = []

    def ask(question: Question) -> Move:
        answers.append(list(question.answers)[stream.below(len(question.answers))])
        return question.move(answers[-1])

    play(Settings.of(given), pack, told.append, ask)
    return given, pack, " ".join(answers), told


# --- transcripts ---------------------------------------------------------------------------------


def test_the_standard_pack_byte_for_byte() -> None:
    assert "".join(f"{line}\n" for line in lines(arguments())) == STANDARD_GAME


def test_the_lines_that_the_course_prints_of_it() -> None:
    page = Path(__file__).resolve().parents[3] / "shared" / "euchre.md"
    if not page.is_file():
        pytest.skip("the description of the course game lies outside the project, in ../shared, not here")
    text = page.read_text(encoding="utf-8")
    quoted = text[text.index("### C7") : text.index("### C8")].split("`")[1::2]
    game = lines(arguments())
    for line in (*game[:4], "Jack of Spades led by Barbara", "King of Spades played by Chi-Chih", game[-1]):
        assert line in quoted
        assert line in game


@pytest.mark.parametrize("number", range(12))
def test_a_second_opinion_on_drawn_games(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, pack, answers, told = random_game(number)
    assert told == second_opinion(given, pack, answers, tmp_path, monkeypatch)


@pytest.mark.parametrize("order", ["shuffle", "noshuffle"])
def test_a_second_opinion_on_a_game_longer_than_the_shuffle_period(
    order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = arguments("SSSS", 40, order)
    told = lines(given)
    assert "Hand 20" in told
    assert told == second_opinion(given, STANDARD, "", tmp_path, monkeypatch)


def test_the_deal_moves_on_and_seat_zero_deals_first() -> None:
    told = lines(arguments("SSSS", 8))
    deals = [line.removesuffix(" deals") for line in told if line.endswith(" deals")]
    assert len(deals) >= 4
    assert deals == [NAMES[number % 4] for number in range(len(deals))]


def test_a_march_is_two_points() -> None:
    told = lines(arguments("SSSS", 2), MARCH)
    assert told[4] == "Barbara orders up Spades"
    assert told[-6:] == [
        "Barbara and Dabbala win the hand",
        "march!",
        "Adi and Chi-Chih have 0 points",
        "Barbara and Dabbala have 2 points",
        "",
        "Barbara and Dabbala win!",
    ]


def test_makers_with_three_tricks_have_one_point_and_no_word() -> None:
    told = lines(arguments(), ORDERED)
    at = told.index("Barbara and Dabbala win the hand")
    assert told[at + 1 : at + 3] == ["Adi and Chi-Chih have 0 points", "Barbara and Dabbala have 1 points"]


@pytest.mark.parametrize(("points", "hands"), [(1, 1), (2, 1), (3, 3), (4, 3), (5, 5), (6, 5)])
def test_the_game_ends_once_a_team_has_the_points_or_more(points: int, hands: int) -> None:
    """The eldest marches every time, so the teams score 2 in turn: 2-0, 2-2, 4-2, 4-4, 6-4."""
    told = lines(arguments("SSSS", points), MARCH)
    assert sum(line.startswith("Hand ") for line in told) == hands
    assert told[-3] == f"Barbara and Dabbala have {hands + 1} points"
    assert told[-4] == f"Adi and Chi-Chih have {hands - 1} points"
    assert told[-1] == "Barbara and Dabbala win!"


# --- Humans --------------------------------------------------------------------------------------


def test_a_human_sees_a_sorted_hand_and_is_asked_in_both_rounds() -> None:
    given = arguments("SHSS")
    told = lines(given, STANDARD, legal(given, STANDARD, "pass Clubs 0 0 0 0 0"))
    hand = [
        "Human player Barbara's hand: [0] Nine of Spades",
        "Human player Barbara's hand: [1] Ten of Spades",
        "Human player Barbara's hand: [2] Jack of Spades",
        "Human player Barbara's hand: [3] King of Hearts",
        "Human player Barbara's hand: [4] Ace of Hearts",
    ]
    make = 'Human player Barbara, please enter a suit, or "pass":'
    assert told[4:11] == [*hand, make, "Barbara passes"]
    assert told[14:21] == [*hand, make, "Barbara orders up Clubs"]
    assert told[21] == ""
    assert told[22:29] == [
        *hand,
        "Human player Barbara, please select a card:",
        "Nine of Spades led by Barbara",
    ]


def test_a_human_dealer_is_asked_what_to_discard_after_the_order() -> None:
    given = arguments("HSSS")
    told = lines(given, ORDERED, legal(given, ORDERED, "2 0 0 0 0 0"))
    assert told[4:12] == [
        "Barbara orders up Spades",
        "Human player Adi's hand: [0] Jack of Hearts",
        "Human player Adi's hand: [1] Queen of Spades",
        "Human player Adi's hand: [2] Queen of Diamonds",
        "Human player Adi's hand: [3] King of Spades",
        "Human player Adi's hand: [4] King of Diamonds",
        "Discard upcard: [-1]",
        "Human player Adi, please select a card to discard:",
    ]
    assert told[12] == ""
    shown = [line for line in told[13:] if line.startswith("Human player Adi's hand")]
    assert shown[:5] == [
        "Human player Adi's hand: [0] Nine of Spades",
        "Human player Adi's hand: [1] Jack of Hearts",
        "Human player Adi's hand: [2] Queen of Spades",
        "Human player Adi's hand: [3] King of Spades",
        "Human player Adi's hand: [4] King of Diamonds",
    ]


def test_a_human_dealer_may_discard_the_card_turned_up() -> None:
    given = arguments("HSSS")
    told = lines(given, ORDERED, legal(given, ORDERED, "-1 0 0 0 0 0"))
    assert not any("Nine of Spades" in line for line in told[12:])


def test_four_humans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = legal(arguments("HHHH"), STANDARD, "pass pass pass pass pass pass pass Clubs " + "0 0 0 0 " * 5)
    told = lines(arguments("HHHH"), STANDARD, given)
    assert told == second_opinion(arguments("HHHH"), STANDARD, given, tmp_path, monkeypatch)
    assert told.count("Adi orders up Clubs") == 1
    prompts = [line for line in told if line.endswith("please select a card:")]
    assert len(prompts) == 20, "the last card is asked for too"


@pytest.mark.parametrize(
    ("types", "answers", "sentence"),
    [
        ("SHSS", "Hearts", "Barbara cannot answer 'Hearts' here; possible: pass or Diamonds"),
        ("SHSS", "PASS", "Barbara cannot answer 'PASS' here; possible: pass or Diamonds"),
        (
            "SHSS",
            "pass Diamonds",
            "Barbara cannot answer 'Diamonds' here; possible: pass, Spades, Hearts or Clubs",
        ),
        (
            "HHHH",
            "pass pass pass pass pass pass pass pass",
            "Adi cannot answer 'pass' here; possible: Spades, ",
        ),
        ("SHSS", "Diamonds 5", "Barbara cannot answer '5' here; possible: 0, 1, 2, 3 or 4"),
        ("SHSS", "Diamonds -1", "Barbara cannot answer '-1' here; possible: 0, 1, 2, 3 or 4"),
        ("HSSS", "Diamonds 5", "Adi cannot answer '5' here; possible: -1, 0, 1, 2, 3 or 4"),
        ("SSHS", "pass 0", "Chi-Chih cannot answer '0' here; possible: "),
        ("SHSS", "Diamonds x", "Barbara cannot answer 'x' here; possible: 0, 1, 2, 3 or 4"),
        ("SHSS", "9" * 5000, "Barbara cannot answer '9999"),
    ],
)
def test_an_impossible_answer_is_refused(types: str, answers: str, sentence: str) -> None:
    with pytest.raises(BadAnswer) as refused:
        lines(arguments(types), STANDARD, answers)
    assert str(refused.value).startswith(sentence)
    assert len(str(refused.value)) < 150


def test_output_before_a_refusal_is_kept() -> None:
    told: list[str] = []
    with pytest.raises(BadAnswer):
        play(Settings.of(arguments("SHSS")), STANDARD, told.append, lambda question: question.move("9"))
    assert told[1:4] == ["Hand 0", "Adi deals", "Jack of Diamonds turned up"]
    assert told[-1] == 'Human player Barbara, please enter a suit, or "pass":'


# --- names and arguments -------------------------------------------------------------------------


def test_two_seats_may_share_a_name() -> None:
    told = lines(arguments(names=("Bo", "Al", "Bo", "Al")))
    assert told[-1] == "Bo and Bo win!"


@pytest.mark.parametrize("points", ["0", "101", "-1", "+5", "1.5", "ten", "", " 1", "1 ", "٣", "9" * 5000])
def test_points_that_are_not_from_1_to_100(points: str) -> None:
    given = arguments()
    given[2] = points
    with pytest.raises(Usage):
        Settings.of(given)


@pytest.mark.parametrize(("points", "value"), [("1", 1), ("100", 100), ("007", 7), ("99", 99)])
def test_points_from_1_to_100(points: str, value: int) -> None:
    given = arguments()
    given[2] = points
    assert Settings.of(given).points == value


@pytest.mark.parametrize(("at", "word"), [(1, "Shuffle"), (1, ""), (4, "simple"), (10, "Robot"), (6, "")])
def test_unknown_shuffle_words_and_player_types(at: int, word: str) -> None:
    given = arguments()
    given[at] = word
    with pytest.raises(Usage):
        Settings.of(given)


@pytest.mark.parametrize("count", [0, 1, 10, 12])
def test_the_number_of_arguments(count: int) -> None:
    with pytest.raises(Usage):
        Settings.of([*arguments(), "Edsger", "Simple"][:count])
