"""What calls of Euchre are worth: hands played out after calls of all kinds, and weights learned from them.

    python benchmarks/euchre_calls.py play FILE.jsonl --player blend:100 --hands 4000 --seed 78
    python benchmarks/euchre_calls.py learn FILE.jsonl [FILE.jsonl ...]

`play` deals at random, lets somebody with a plausible hand call, and has searching players play it out: a
line a hand. It goes on with a file that is there. `learn` fits, from the lines, how likely a contract is
made and swept given all four hands; then, from these chances, what the maker's hand alone says; then what
passing is worth, in auctions of players who judge by that, again and again until it settles. It writes the
weights that `upcard.euchre` has with it. Needs numpy (the extra `figures` brings it).
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import upcard
from upcard.euchre.auction import (
    FIRST_ROUND_FEATURES,
    LAST,
    SECOND_ROUND_FEATURES,
    Auction,
    AuctionDeal,
    HouseRules,
)
from upcard.euchre.contracts import (
    DEALER,
    POINTS,
    SEATS,
    WEIGHTS_FILE,
    Contract,
    Contracts,
    upcard_fate,
)
from upcard.euchre.euchre_cards import STANDARD, SUITS, TWIN, Card
from upcard.euchre.hands import CARD_NUMBER, FEATURES, TRUMPS, features
from upcard.euchre.observed_hand import Meaning, ObservedHand
from upcard.players.spec import resolve_player
from upcard.storage.atomic_write import write_text
from upcard.storage.jsonl import Log, read

PLAUSIBLE = {"ACE": 1.0, "KING": 0.75, "QUEEN": 0.65, "TEN": 0.55, "NINE": 0.5}
RIDGE = 1.0
DISTILLED = 60_000
AUCTIONS = 12_000
ROUNDS = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play")
    play.add_argument("file", type=Path)
    play.add_argument("--player", default="blend:100")
    play.add_argument("--hands", type=int, default=4000)
    play.add_argument("--seed", type=int, default=78)
    learn = commands.add_parser("learn")
    learn.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    if given.command == "play":
        play_hands(given.file, given.player, given.hands, given.seed)
    else:
        write_text(WEIGHTS_FILE, json.dumps(learn_all(given.files), indent=1) + "\n")
        print(f"wrote {WEIGHTS_FILE.name}")


# --- hands to learn from -------------------------------------------------------------------------


def strength(hand: Sequence[Card], trump: str) -> float:
    """Rough: only to force calls on hands that somebody might call on."""
    found = 0.0
    for card in hand:
        if card.suit_under(trump) == trump:
            found += {trump: 2.0}.get(card.suit, 1.5) if card.rank == "JACK" else PLAUSIBLE[card.rank]
        elif card.rank == "ACE":
            found += 0.7
    return found


def forced_call(sights: Sequence[ObservedHand], rng: random.Random) -> tuple[int, str, bool] | None:
    """Turn, suit, and whether alone; None where nobody has anything."""
    up = sights[0].upcard
    turns = list(range(LAST + 1))
    rng.shuffle(turns)
    for turn in turns:
        hand = sights[turn % SEATS].hand
        if turn == DEALER:
            six = [*hand, up]
            worth, suit = max(strength(six[:n] + six[n + 1 :], up.suit) for n in range(6)), up.suit
        elif turn < SEATS:
            worth, suit = strength(hand, up.suit) + (0.3 if turn == 1 else -0.4), up.suit
        else:
            worth, suit = max((strength(hand, suit), suit) for suit in TWIN if suit != up.suit)
        if rng.random() < (1 if worth >= 3.6 else 0.6 if worth >= 3 else 0.25 if worth >= 2.4 else 0.1):
            # hands that are too weak as well: how weak they are is to be learned
            return turn, suit, rng.random() < (0.6 if worth >= 4 else 0.4 if worth >= 3 else 0.2)
    return None


def play_hands(path: Path, player: str, hands: int, seed: int) -> None:
    done = lines(path) if path.exists() else []
    game = upcard.load("euchre")
    chosen = resolve_player(player, game)
    deal = done[-1]["deal"] + 1 if done else 0
    with Log(path, len(done)) as log:
        while len(done) < hands:
            row = played(game, chosen, seed, deal)
            deal += 1
            if row is not None:
                done.append(row)
                log.write([row])


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in read(path).lines]


def played(game: Any, chosen: Any, seed: int, deal: int) -> dict[str, Any] | None:
    state = game.deal(seed, deal)
    sights = [ObservedHand(state.observe(seat)) for seat in range(SEATS)]
    forced = forced_call(sights, random.Random(f"{seed}/{deal}"))
    if forced is None:
        return None
    turn, suit, alone = forced
    players = [chosen.make(seed, deal, seat) for seat in range(SEATS)]
    buried = None
    now = 0
    while state.to_move is not None:
        observation = state.observe(state.to_move)
        if now <= turn:
            word = "order" if turn < SEATS else "name"
            call = Meaning(f"{word} alone" if alone else word, None if turn < SEATS else suit)
            move = ObservedHand(observation).moves[call if now == turn else Meaning("pass")]
            now += 1
        else:
            move = players[state.to_move].choose(observation, chosen.budget).move
            sight = ObservedHand(observation)
            if sight.can("bury"):
                buried = next(meaning.card for meaning, known in sight.moves.items() if known == move)
        state.play(move)
    maker = turn % SEATS
    scores = state.outcome.scores
    return {
        "deal": deal,
        "up": sights[0].upcard,
        "hands": [sight.hand for sight in sights],
        "round": 1 + (turn >= SEATS),
        "maker": maker,
        "suit": suit,
        "alone": alone,
        "points": scores[maker] - scores[(maker + 1) % SEATS],
        **({"buried": buried} if buried else {}),
    }


# --- learning ------------------------------------------------------------------------------------


def learn_all(files: Sequence[Path]) -> dict[str, Any]:
    rows = [row for path in files for row in lines(path)]
    found: dict[str, Any] = {}
    for word, alone in (("together", False), ("alone", True)):
        kind = [row for row in rows if row["alone"] == alone]
        found[word] = {
            "made": judge(kind, lambda points: points > 0),
            "swept": judge(kind, lambda points: points >= 2),
        }
        print(f"{word}: {len(kind)} hands, made {share(kind, 1):.3f}, swept {share(kind, 2):.3f}")
    for word, alone in (("own together", False), ("own alone", True)):
        found[word] = distilled(Contracts(found), alone)
    found["passing"] = passing(Contracts(found))
    done: dict[str, Any] = rounded(found)
    return done


def share(rows: Sequence[dict[str, Any]], least: int) -> float:
    return sum(int(row["points"]) >= least for row in rows) / len(rows)


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(part) for part in value]
    return round(float(value), 4)


def judge(rows: Sequence[dict[str, Any]], good: Callable[[int], bool]) -> dict[str, Any]:
    """Weights of every hand and of who leads."""
    given, wanted = [], []
    for row in rows:
        hands = [[CARD_NUMBER[Card(*card)] for card in hand] for hand in row["hands"]]
        if "buried" in row:
            hands[DEALER].append(CARD_NUMBER[Card(*row["up"])])
            hands[DEALER].remove(CARD_NUMBER[Card(*row["buried"])])
        contract = Contract(row["maker"], SUITS.index(row["suit"]), row["alone"])
        line = one_hot((contract.leader - contract.maker) % SEATS, SEATS)
        for place in range(SEATS):
            hand = hands[(contract.maker + place) % SEATS]
            sits_out = place == 2 and contract.alone
            line += [0.0] * FEATURES if sits_out else features(hand, contract.trump)
        given.append(line)
        wanted.append(float(good(row["points"])))
    weights = logistic(np.array(given), np.array(wanted))
    return {
        "leader": list(weights[:SEATS]),
        "hands": [list(weights[SEATS + FEATURES * n : SEATS + FEATURES * (n + 1)]) for n in range(SEATS)],
    }


def logistic(given: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Newton's method with a ridge; what is wanted may be chances as well."""
    weights = np.zeros(given.shape[1])
    for _ in range(30):
        chances = 1 / (1 + np.exp(-np.clip(given @ weights, -30, 30)))
        slope = given.T @ (wanted - chances) - RIDGE * weights
        curve = (given * (chances * (1 - chances))[:, None]).T @ given + RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights += step
        if abs(step).max() < 1e-6:
            break
    return weights


def one_hot(at: int, size: int) -> list[float]:
    return [float(n == at) for n in range(size)]


def deals(seed: int) -> Iterator[AuctionDeal]:
    rng = random.Random(seed)
    pack = list(range(len(STANDARD)))
    while True:
        rng.shuffle(pack)
        yield AuctionDeal([pack[5 * n : 5 * n + 5] for n in range(SEATS)], pack[20])


def distilled(contracts: Contracts, alone: bool) -> dict[str, Any]:
    """What the maker's hand says about the chances that all hands say."""
    auction = Auction(contracts, (), HouseRules())
    given, made, marched = [], [], []
    for number, table in zip(range(DISTILLED), deals(1), strict=False):
        turn = number % (LAST + 1)
        maker, first = turn % SEATS, turn < SEATS
        rng = random.Random(number)
        suit = table.up_suit if first else rng.choice([s for s in range(4) if s != table.up_suit])
        contract = Contract(maker, suit, alone)
        hands = auction.hands_after_discard(table, contract, first)
        line = one_hot((contract.leader - maker) % SEATS, SEATS) + features(hands[maker], suit)
        taken = [0.0] * (3 * TRUMPS)
        up = upcard_fate(contract, table.up, first)
        if up is not None:
            taken[up[0] * TRUMPS + up[1]] = 1.0
        odds = contracts.odds(hands, contract)
        given.append(line + taken)
        made.append(odds.made)
        marched.append(odds.marched)
    found = {}
    for word, wanted in (("made", made), ("swept", marched)):
        weights = logistic(np.array(given), np.array(wanted))
        behind = SEATS + FEATURES
        found[word] = {
            "leader": list(weights[:SEATS]),
            "hand": list(weights[SEATS:behind]),
            "taken": [list(weights[behind + TRUMPS * n : behind + TRUMPS * (n + 1)]) for n in range(3)],
        }
    return found


def passing(contracts: Contracts) -> list[list[float]]:
    """What a pass is worth by the prospects of a hand, turn by turn."""
    weights = [
        [0.0] * (FIRST_ROUND_FEATURES if turn < SEATS else SECOND_ROUND_FEATURES) for turn in range(LAST)
    ]
    for number in range(ROUNDS):
        auction = Auction(contracts, weights, HouseRules())
        given: list[list[list[float]]] = [[] for _ in range(LAST)]
        wanted: list[list[float]] = [[] for _ in range(LAST)]
        calls = [0] * (LAST + 1)
        rng = random.Random(number)
        for table in (table for _, table in zip(range(AUCTIONS), deals(2 + number), strict=False)):
            waiting: list[tuple[int, list[float]]] = []
            for turn in range(LAST + 1):
                contract, _ = auction.best(table, turn)
                # now and then somebody passes who should not: what that costs must be known too
                if contract is not None and not (turn < LAST and rng.random() < 0.1):
                    break
                waiting.append((turn, auction.pass_features(table, turn)))
            assert contract is not None
            calls[turn] += 1
            odds = contracts.odds(auction.hands_after_discard(table, contract, turn < SEATS), contract)
            points = odds.worth(contract.alone, POINTS)
            for at, told in waiting:
                given[at].append(told)
                wanted[at].append(points if at % 2 == turn % 2 else -points)
        fresh = [
            np.linalg.lstsq(np.array(x), np.array(y), rcond=None)[0]
            for x, y in zip(given, wanted, strict=True)
        ]
        weights = [
            list((np.array(old) + new) / 2) if number else list(new)
            for old, new in zip(weights, fresh, strict=True)
        ]
        print("calls by turn", " ".join(f"{n / AUCTIONS:.3f}" for n in calls))
    return weights


if __name__ == "__main__":
    main()
