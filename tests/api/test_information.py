"""Information-set keys and action ids."""

from __future__ import annotations

import dataclasses
from collections import defaultdict

import pytest

import upcard
from upcard.arguments import BadArgument
from upcard.engine.loader import load, make_game
from upcard.engine.shared.game import LoadedGame
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

GAMES = upcard.games()


def positions(game: LoadedGame, deals: int) -> list[upcard.State]:
    """Every position of some deals, with every move played."""
    found, left = [], [game.deal(1, number) for number in range(deals)]
    while left:
        state = left.pop()
        found.append(state)
        if state.to_move is not None:
            left += [state.after(move) for move in state.moves]
    return list(found)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_kuhn_poker_has_twelve_information_sets(engine: str) -> None:
    game = load("kuhn-poker", engine="native" if engine == "native" else "reference")
    keys = defaultdict(set)
    for state in positions(game, 40):
        if state.to_move is not None:
            keys[state.to_move].add(state.infoset_key(state.to_move))
    assert [len(keys[seat]) for seat in (0, 1)] == [6, 6]


@pytest.mark.parametrize("name", ["euchre", "golf-six", "go-fish", "leduc-holdem"])
def test_keys_are_equal_exactly_if_observations_are(name: str) -> None:
    """A deal and its determinizations, with the same moves played: equal for the seat, or not."""
    game = load(name)
    seen: dict[str, dict[str, object]] = {}
    for number in range(12):
        state = game.deal(3, number % 4)
        for decision in range(8):
            for seat in range(game.seats):
                observation = state.observe(seat)
                key = state.infoset_key(seat)
                assert key == observation.key
                data = observation.to_json()
                assert seen.setdefault(key, data) == data
            if state.to_move is None:
                break
            state.play((number + decision) % state.choices)
    assert len({str(data) for data in seen.values()}) == len(seen)


def test_hidden_cards_do_not_change_a_key() -> None:
    game = load("euchre")
    cards = [f"DEFAULT:{number}" for number in range(24)]
    exchanged = list(cards)
    exchanged[2], exchanged[8] = exchanged[8], exchanged[2]  # two cards that seat 0 does not hold
    one, other = game.deal(stacked=[cards]), game.deal(stacked=[exchanged])
    same = [one.infoset_key(seat) == other.infoset_key(seat) for seat in range(4)]
    differing = [one.observe(seat).places != other.observe(seat).places for seat in range(4)]
    assert same.count(False) == differing.count(True) > 0
    assert [not equal for equal in same] == differing


def test_a_key_needs_the_record_and_a_seat() -> None:
    with pytest.raises(BadArgument, match="recording"):
        load("kuhn-poker").deal(recording=False).infoset_key(0)
    with pytest.raises(BadArgument, match="no seat 2"):
        load("kuhn-poker").deal().infoset_key(2)


def test_the_words_of_a_move_are_not_part_of_a_key() -> None:
    seen = load("euchre").deal(seed=7).observe(0)
    moves = tuple(dataclasses.replace(move, text="other words") for move in seen.moves)
    assert dataclasses.replace(seen, moves=moves).key == seen.key
    assert dataclasses.replace(seen, moves=moves[1:]).key != seen.key


# --- action ids ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_move_has_an_action_id(name: str) -> None:
    game = load(name)
    if game.actions is None:
        with pytest.raises(BadArgument, match="no bounded set"):
            game.action_id(game.deal().moves[0])
        return
    assert len(set(game.actions)) == len(game.actions)
    for number in range(3):
        state = game.deal(11, number)
        for step in range(40):
            if state.to_move is None:
                break
            shown = state.observe(state.to_move).moves
            for move in (*shown, *state.moves):
                assert game.actions[game.action_id(move)] == move.action
            alike: dict[int, upcard.Move] = {}
            for move in shown:
                # the same id means the same to the chooser
                known = alike.setdefault(game.action_id(move), move)
                assert (known.item, known.picks) == (move.item, move.picks)
            state.play((5 * step + number) % state.choices)


def test_games_with_and_without_bounded_actions() -> None:
    sizes = {name: load(name).actions for name in GAMES}
    assert sizes["kuhn-poker"] == ("[0,[]]", "[1,[]]", "[2,[]]", "[3,[]]")
    assert [name for name, found in sizes.items() if found is None] == [
        "cribbage",
        "oh-hell",
        "president",
        "rummy",
        "scopa",
    ]


def actions_of(choice: str) -> tuple[str, ...] | None:
    text = f"""(game
      (setup (create players 2)
             (create deck (game hloc STOCK) (deck (RANK (A, K)))))
      {choice}
      (scoring max 0))"""
    program, facts = check(Source("text", text)).sound()
    return make_game("text", program, facts, engine="reference").actions


@pytest.mark.parametrize(
    "choice, expected",
    [
        ("(choice ((turn pass)))", ("[0,[]]",)),
        (
            "(choice ((any (range 1..2) 'N (set (game sto BID) 'N)) (turn pass)))",
            ('[0,[{"number":1}]]', '[0,[{"number":2}]]', "[1,[]]"),
        ),
        (
            "(choice ((do ((any (H, S) 'S (set (game str TRUMP) 'S)) (turn pass)))))",
            ('[0,[{"string":"H"}]]', '[0,[{"string":"S"}]]', "[0,[]]"),
        ),
        ("(choice ((any player 'P (set (game sto WHO) 1))))", ('[0,[{"seat":0}]]', '[0,[{"seat":1}]]')),
        (
            "(choice ((any (game hloc STOCK) 'C (move 'C (top (game vloc PILE))))))",
            ('[0,[{"card":"DEFAULT:0"}]]', '[0,[{"card":"DEFAULT:1"}]]', '[0,[{"card":null}]]'),
        ),
        ("(choice ((any (range 0..(size (game hloc STOCK))) 'N (set (game sto BID) 'N))))", None),
        ("(choice ((any (subsets (game hloc STOCK)) 'S (turn pass))))", None),
        ("(choice ((all player 'P (any (H, S) 'S (set (game str TRUMP) 'S)))))", None),
        ("(choice ((repeat 20 (any (H, S) 'S (set (game str TRUMP) 'S)))))", None),
    ],
)
def test_the_actions_of_a_choice(choice: str, expected: tuple[str, ...] | None) -> None:
    found = actions_of(choice)
    assert found is None if expected is None else set(found or ()) == set(expected)


def test_a_move_of_another_game_has_no_id() -> None:
    with pytest.raises(BadArgument, match="not a move of kuhn-poker"):
        load("kuhn-poker").action_id(load("hearts").deal().moves[0])
    with pytest.raises(BadArgument, match="not a move"):
        load("kuhn-poker").action_id(0)  # type: ignore[arg-type]
