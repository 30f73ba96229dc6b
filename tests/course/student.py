"""The course game once more, written as a student would: no engine, no match, nothing of the project.

A second opinion for the tests, and the program that the judge is tried on, whole and with one thing broken.
It runs alone: tests copy it elsewhere.
"""

from __future__ import annotations

import sys

RANKS = "Nine Ten Jack Queen King Ace".split()
SUITS = "Spades Hearts Clubs Diamonds".split()
USAGE = (
    "Usage: euchre.exe PACK_FILENAME [shuffle|noshuffle] POINTS_TO_WIN "
    "NAME1 TYPE1 NAME2 TYPE2 NAME3 TYPE3 NAME4 TYPE4"
)
# a card is a number: rank times four plus suit, so that numbers are in plain order


def name(card: int) -> str:
    return f"{RANKS[card // 4]} of {SUITS[card % 4]}"


def suit(card: int, trump: int) -> int:
    left = card // 4 == 2 and card % 4 == (trump + 2) % 4
    return trump if left else card % 4


def height(card: int, trump: int, led: int = -1) -> int:
    if suit(card, trump) == trump:
        bower = 200 if card // 4 == 2 and card % 4 == trump else 100 if card // 4 == 2 else 0
        return 1000 + bower + card
    return card + (500 if card % 4 == led else 0)


class Player:
    def __init__(self, name: str, human: bool) -> None:
        self.name, self.human = name, human
        self.hand: list[int] = []

    def answer(self, question: str, more: str = "") -> str:
        for number, card in enumerate(self.hand):
            print(f"Human player {self.name}'s hand: [{number}] {name(card)}")
        if more:
            print(more)
        print(f"Human player {self.name}, please {question}:", flush=True)
        return next(WORDS)

    def make(self, up: int, dealer: bool, second: bool) -> int | None:
        if self.human:
            word = self.answer('enter a suit, or "pass"')
            return None if word == "pass" else SUITS.index(word)
        trump = (up % 4 + 2) % 4 if second else up % 4
        honours = len([c for c in self.hand if suit(c, trump) == trump and c // 4 >= 2])
        if second:
            return trump if dealer or honours >= 1 else None
        return trump if honours >= 2 else None

    def pick_up(self, up: int) -> None:
        if self.human:
            number = int(self.answer("select a card to discard", "Discard upcard: [-1]"))
            if number >= 0:
                self.hand[number] = up
        else:
            self.hand.append(up)
            self.hand.remove(min(self.hand, key=lambda c: height(c, up % 4)))
        self.hand.sort()

    def play(self, trump: int, led: int | None) -> int:
        if self.human:
            return self.hand.pop(int(self.answer("select a card")))
        if led is None:
            side = [c for c in self.hand if suit(c, trump) != trump]
            card = max(side) if side else max(self.hand, key=lambda c: height(c, trump))
        else:
            same = [c for c in self.hand if suit(c, trump) == led]
            if same:
                card = max(same, key=lambda c: height(c, trump, led))
            else:
                card = min(self.hand, key=lambda c: height(c, trump))
        self.hand.remove(card)
        return card


def make_trump(players: list[Player], dealer: int, up: int) -> tuple[int, int]:
    for turn in range(8):
        seat = (dealer + 1 + turn) % 4
        trump = players[seat].make(up, seat == dealer, turn >= 4)
        if trump is None:
            print(f"{players[seat].name} passes")
            continue
        print(f"{players[seat].name} orders up {SUITS[trump]}")
        if turn < 4:
            players[dealer].pick_up(up)
        print()
        return trump, seat
    raise AssertionError


def hand(players: list[Player], dealer: int, pack: list[int]) -> tuple[int, int, str]:
    cards = list(pack)
    for player in players:
        player.hand = []
    for batch, size in enumerate([3, 2, 3, 2, 2, 3, 2, 3]):
        for _ in range(size):
            players[(dealer + 1 + batch) % 4].hand.append(cards.pop(0))
    for player in players:
        player.hand.sort()
    up = cards.pop(0)
    print(f"{players[dealer].name} deals")
    print(f"{name(up)} turned up")
    trump, maker = make_trump(players, dealer, up)
    won = [0, 0]
    leader = (dealer + 1) % 4
    for _ in range(5):
        led, best, winner = None, -1, leader
        for turn in range(4):
            seat = (leader + turn) % 4
            card = players[seat].play(trump, led)
            print(f"{name(card)} {'played' if turn else 'led'} by {players[seat].name}")
            if led is None:
                led = suit(card, trump)
            if height(card, trump, led) > best:
                best, winner = height(card, trump, led), seat
        leader = winner
        won[leader % 2] += 1
        print(f"{players[leader].name} takes the trick\n")
    winners = 0 if won[0] > won[1] else 1
    if winners != maker % 2:
        return winners, 2, "euchred!"
    return (winners, 2, "march!") if won[winners] == 5 else (winners, 1, "")


def main(argv: list[str]) -> int:
    if len(argv) != 12 or argv[2] not in ("shuffle", "noshuffle") or not 1 <= int(argv[3]) <= 100:
        print(USAGE)
        return 1
    if any(kind not in ("Simple", "Human") for kind in argv[5::2]):
        print(USAGE)
        return 1
    try:
        with open(argv[1]) as file:
            pack = [RANKS.index(line.split()[0]) * 4 + SUITS.index(line.split()[2]) for line in file]
    except OSError:
        print(f"Error opening {argv[1]}")
        return 1
    print("".join(f"{word} " for word in argv))
    players = [Player(argv[i], argv[i + 1] == "Human") for i in range(4, 12, 2)]
    teams = [f"{players[t].name} and {players[t + 2].name}" for t in (0, 1)]
    score = [0, 0]
    number = 0
    while max(score) < int(argv[3]):
        print(f"Hand {number}")
        if argv[2] == "shuffle":
            for _ in range(7):
                mixed = [0] * 24
                mixed[0::2], mixed[1::2] = pack[12:], pack[:12]
                pack = mixed
        winners, points, how = hand(players, number % 4, pack)
        score[winners] += points
        print(f"{teams[winners]} win the hand")
        if how:
            print(how)
        for team in (0, 1):
            print(f"{teams[team]} have {score[team]} points")
        print()
        number += 1
    print(f"{teams[0 if score[0] > score[1] else 1]} win!")
    return 0


WORDS = (word for line in sys.stdin for word in line.split())

if __name__ == "__main__":
    sys.exit(main(["./euchre.exe", *sys.argv[1:]]))
