"""Where the lints keep quiet: games that are right, and what is nearly a mistake."""

from __future__ import annotations

import pytest
from tests import documents
from tests.recycle.lint_text import (
    DEAL,
    FIRST,
    FOLLOW,
    FREE,
    HAND,
    PLAY,
    RESET,
    SAME,
    SUITED,
    TO_TRICK,
    TRICK,
    VALUES,
    WIN,
    game,
    stage,
    tricks,
    warnings,
)

GAMES: dict[str, str] = {
    "tricks, by the size of a filter": tricks(
        FIRST,
        f"((and (!= (game str LEAD) NONE) (== (size {FOLLOW}) 0)) {FREE})",
        f"((!= (game str LEAD) NONE) {SUITED})",
    ),
    "tricks, by any and not any": tricks(
        FIRST,
        f"((and (!= (game str LEAD) NONE) (any {HAND} 'X {SAME})) {SUITED})",
        f"((and (!= (game str LEAD) NONE) (not (any {HAND} 'X {SAME}))) {FREE})",
    ),
    "tricks, by all unlike": tricks(
        FIRST,
        f"((and (!= (game str LEAD) NONE) (all {HAND} 'X (!= (cardatt SUIT 'X) (game str LEAD)))) {FREE})",
        f"((not (== (game str LEAD) NONE)) (any {HAND} 'C ((== (game str LEAD) (cardatt SUIT 'C))"
        f" {TO_TRICK})))",
    ),
    "tricks, with a flag": game(
        RESET,
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        TRICK,
        f"(do ((set (game str CAN) FALSE) ((> (size {FOLLOW}) 0) (set (game str CAN) TRUE))))",
        f"(choice (((== (game str CAN) TRUE) {SUITED})\n((== (game str CAN) FALSE) {FREE}))))",
        WIN.replace("(set (game str LEAD) NONE)", "(set (game str LEAD) H)") + ")",
    ),
    "tricks, through a let": game(
        RESET,
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        TRICK,
        f"(let {FOLLOW} 'F (choice (((== (size 'F) 0) {FREE}) (any 'F 'C {TO_TRICK})))))",
        WIN.replace("(set (game str LEAD) NONE)", "(set (game str LEAD) H)") + ")",
    ),
    "bidding": game(
        "(stage player (end (or (== (game sto PASSES) 4) (== (game sto BID) 9)))",
        "(choice ((do ((inc (game sto PASSES)) (turn pass)))",
        "(any (range 1..9) 'N ((> 'N (game sto BID)) (do ((set (game sto BID) 'N)",
        "(set (game sto BIDDER) (pid (current player)))))))))",
        "(do (((== (game sto PASSES) 4) (set (game sto BID) 1)))))",
        "(do (((> (game sto BIDDER) 0) (inc (((game sto BIDDER) player) sto SCORE) (game sto BID)))))",
    ),
    "naming a suit that was not turned": game(
        "(do ((move (top (game iloc STOCK)) (top (game vloc TURNED)))",
        "(set (game str TRUMP) (cardatt SUIT (top (game vloc TURNED))))))",
        "(choice ((any (H, S, D, C) 'S ((!= 'S (game str TRUMP)) (set (game str TRUMP) 'S)))))",
        "(choice (((!= (game str TRUMP) H) (set (game str TRUMP) H))\n"
        "((!= (game str TRUMP) S) (set (game str TRUMP) S))))",
        "(do (((== (game str TRUMP) H) (inc ((current player) sto SCORE)))))",
    ),
    "shedding, with a reshuffle in the choice": game(
        "(do ((move (top (game iloc STOCK)) (top (game vloc PILE)))))",
        "(stage player (end (any player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((any (filter {HAND} 'C (or (== (cardatt SUIT 'C) (cardatt SUIT (top (game vloc PILE))))",
        "(== (cardatt RANK 'C) (cardatt RANK (top (game vloc PILE)))))) 'C (move 'C (top (game vloc PILE))))",
        "(do (((== (size (game iloc STOCK)) 0)",
        "(do ((repeat all (move (bottom (game vloc PILE)) (top (game iloc STOCK)))) (shuffle"
        " (game iloc STOCK)))))",
        "((> (size (game iloc STOCK)) 0) (move (top (game iloc STOCK)) (top ((current player) iloc HAND))))",
        "(turn pass))))))",
        "(all player 'P (set ('P sto SCORE) (- 0 (size ('P iloc HAND)))))",
    ),
    "shedding, drawing several": game(
        stage(
            "(choice ((repeat 2 (do (((== (size (game iloc STOCK)) 0)",
            "(do ((repeat all (move (top (game vloc PILE)) (top (game iloc STOCK)))) (shuffle"
            " (game iloc STOCK)))))",
            "(move (top (game iloc STOCK)) (top (game vloc PILE))))))))",
        ),
    ),
    "fishing by rank": game(
        "(do ((repeat 4 (move (top (game iloc STOCK)) (top (game vloc POOL))))))",
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((any {HAND} 'C (do ((all (filter (game vloc POOL) 'X",
        "(== (cardatt RANK 'X) (cardatt RANK 'C))) 'X (move 'X (top ((current player) vloc WON))))",
        "(move 'C (top (game vloc POOL))))))))",
        "(do (((== (size (game vloc POOL)) 0) (inc ((current player) sto SWEEPS)))))",
        ")",
        scoring="(scoring max (+ (size ((current player) vloc WON)) ((current player) sto SWEEPS)))",
    ),
    "fishing by sums, guarded": game(
        VALUES,
        "(do ((repeat 4 (move (top (game iloc STOCK)) (top (game vloc POOL))))))",
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((any {HAND} 'C (do ((move 'C (top (game vloc PLAYED))))))))",
        "(choice ((move (top (game vloc PLAYED)) (top (game vloc POOL)))",
        "((<= (size (game vloc POOL)) 12) (any (subsets (game vloc POOL)) 'S",
        "((== (sum 'S using (game points VALUE)) (score (top (game vloc PLAYED)) using (game points VALUE)))",
        "(do ((repeat all (move (top 'S) (top ((current player) vloc WON))))",
        "(move (top (game vloc PLAYED)) (top ((current player) vloc WON)))))))))))",
        scoring="(scoring max (size ((current player) vloc WON)))",
    ),
    "rummy": game(
        VALUES,
        "(do ((move (top (game iloc STOCK)) (top (game vloc DISCARD)))))",
        "(stage player (end (or (any player 'P (== (size ('P iloc HAND)) 0)) (== (size (game"
        " iloc STOCK)) 0)))",
        "(choice ((move (top (game iloc STOCK)) (top ((current player) iloc HAND)))",
        "((> (size (game vloc DISCARD)) 0) (move (top (game vloc DISCARD)) (top ((current"
        " player) iloc HAND))))))",
        "(choice ((turn pass)",
        f"(any (partition SUIT {HAND}) 'G (any (runs all 3 'G using (game points VALUE)) 'R",
        "(repeat all (move (top 'R) (top ((current player) vloc MELD))))))",
        f"(any (tuples 3 {HAND} using (game points VALUE)) 'T",
        "(repeat all (move (top 'T) (top ((current player) vloc MELD)))))))",
        f"(choice ((any {HAND} 'C (move 'C (top (game vloc DISCARD)))))))",
        scoring="(scoring max (size ((current player) vloc MELD)))",
    ),
    "climbing with sets": game(
        "(stage player (end (any player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((turn pass) (any (partition RANK {HAND}) 'G (any (subsets 'G) 'S",
        "((>= (size 'S) (size (game vloc SHOWN))) (do ((repeat all (move (top (game vloc SHOWN))",
        "(top (game vloc DISCARD)))) (all 'S 'C (move 'C (top (game vloc SHOWN))))))))))))",
        "(all player 'P (set ('P sto SCORE) (- 0 (size ('P iloc HAND)))))",
    ),
    "subsets of a dealt hand": game(
        stage(
            f"(choice ((turn pass) (any (subsets {HAND}) 'S (all 'S 'C (move 'C (top (game vloc PILE)))))))"
        )
    ),
    "memory of what was played": game(
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((any {HAND} 'C (do ((move 'C (top (game vloc PILE)))",
        "((== (size (game mem LED)) 0) (remember 'C (top (game mem LED)))))))))",
        "(do (((== (size (game vloc PILE)) 8) (do ((inc ((owner (top (game mem LED))) sto SCORE)",
        "(score (top (game mem LED)) using (game points VALUE))) (forget (top (game mem LED)))))))))",
        deal=DEAL + VALUES,
    ).replace("(owner (top (game mem LED)))", "(current player)"),
    "turning blind cards": game(
        "(all player 'P (repeat 2 (move (top ('P iloc HAND)) (top ('P hloc ROW)))))",
        "(stage player (end (all player 'P (== (size ('P hloc ROW)) 0)))",
        "(choice (((> (size ((current player) hloc ROW)) 0) (any ((current player) hloc ROW) 'C",
        "(do ((move 'C (top ((current player) vloc ROW)))",
        "((== (cardatt RANK (top ((current player) vloc ROW))) A) (inc ((current player) sto SCORE)))))))",
        "((== (size ((current player) hloc ROW)) 0) (turn pass)))))",
    ),
    "house rules": game(
        stage(
            "(choice (((== 'STICK TRUE) (set (game str BID) MAKE))",
            "((!= 'STICK TRUE) (do ((set (game str BID) MAKE) (turn pass))))))",
            "(do (((and (== (game str BID) MAKE) (> 'LIMIT 3)) (inc ((current player) sto SCORE)))))",
        ),
        declares="(declare TRUE 'STICK) (declare (+ 2 3) 'LIMIT)",
    ),
    "numbered rows": game(
        "(all (range 0..3) 'N (move (top (game iloc STOCK)) (top (game vloc ROW 'N))))",
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((any {HAND} 'C (any (indexed game vloc ROW) 'R (move 'C (top 'R))))))",
        "(do (((> (size (game vloc ROW 2)) 5) (swap (game vloc ROW 2) ((current player) vloc WON))))))",
        scoring="(scoring min (size ((current player) vloc WON)))",
    ),
    "exchanging with a row": game(
        "(do ((repeat 3 (move (top (game iloc STOCK)) (top (game vloc ROW))))))",
        stage(
            f"(choice ((turn pass) (swap {HAND} (game vloc ROW))",
            f"(any {HAND} 'A (any (game vloc ROW) 'B (swap 'A 'B)))))",
        ),
    ),
    "counting computed names": game(
        stage(PLAY),
        "(do ((all (game vloc PILE) 'C (inc (game sto (cardatt SUIT 'C))))",
        "(all (H, S) 'N (inc (game sto 'N)))))",
        scoring="(scoring max (+ (game sto H) (game sto D)))",
    ),
    "teams and partners": game(
        stage(PLAY),
        "(stage team (end (all team 'T (== ('T str DONE) TRUE)))",
        "(do ((set ((current team) str DONE) TRUE) (all (current team) 'M",
        "(inc ((current team) sto SCORE) (size ('M iloc HAND)))))))",
        teams="(create teams (1, 3) (2, 4))",
        scoring="(scoring max ((team (current player)) sto SCORE))",
    ),
}

NEAR: dict[str, str] = {
    "W502 any as a condition": game(
        "(do (((any player 'P (> ('P sto SCORE) 3)) (inc (game sto N)))))", stage(PLAY)
    ),
    "W502 any in a choice": game("(choice ((any player 'P (inc ('P sto SCORE)))))"),
    "W503 through the player": game(
        "(all team 'T (inc ('T sto SCORE)))", scoring="(scoring max ((team (current player)) sto SCORE))"
    ),
    "W503 in a stage": game(
        "(stage team (end (> ((current team) sto N) 2)) (do ((inc ((current team) sto N)))))"
    ),
    "W504 written later": game("(do (((== (game str T) H) (turn pass))))", "(do ((set (game str T) H)))"),
    "W504 a computed name": game(
        "(any (A, B) 'N (set (game str 'N) H))".replace("any", "all"),
        "(do (((== (game str T) H) (turn pass))))",
    ),
    "W504 a number left at 0": game("(do (((== (game sto DEALS) 0) (inc (game sto POT)))))"),
    "W504 an empty place": game("(do (((== (size (game vloc KITTY)) 0) (turn pass))))"),
    "W504 filled through a variable": game(
        "(let (game vloc KITTY) 'K (move (top (game iloc STOCK)) (top 'K)))",
        "(do ((move (top (game vloc KITTY)) (top (game vloc KITTEN)))))",
    ),
    "W505 a series": game("(do ((inc (game sto PILEA)) (inc (game sto PILEA)) (inc (game sto PILEB))))"),
    "W505 short names": game("(do ((inc (game sto BID)) (inc (game sto BID)) (inc (game sto BED))))"),
    "W505 short words": game("(do ((inc (game sto LEAD)) (inc (game sto LEAD)) (inc (game sto DEAD))))"),
    "W505 trick and tricks": game(
        stage(
            "(do ((move (top ((current player) iloc HAND)) (top (game vloc TRICK)))\n(move (top"
            " (game vloc TRICK)) (top (game vloc TRICKS)))))",
            end="(== (size ((current player) iloc HAND)) 0)",
        )
    ),
    "W505 both used": game(
        "(do ((inc (game sto ROUND)) (inc (game sto ROUNDS))))",
        scoring="(scoring max (+ (game sto ROUND) (game sto ROUNDS)))",
    ),
    "W506 nothing": game("(do (((!= (cardatt SUIT (top (game iloc STOCK))) NONE) (turn pass))))"),
    "W506 a computed value": game(
        "(do ((set (game str T) H) (set (game points V) (((SUIT : (game str T)) 1)))))"
    ),
    "W506 a computed deck": game(
        "(do (((== (cardatt MARK (top (game vloc X))) SPECIAL) (turn pass))))",
        deal="(do ((set (game str K) GOLD) (create deck (game vloc X) (deck (MARK ((game str K)))))))",
    ),
    "W507 the cycle": game("(stage player (end (== (current player) (3 player))) (do ((turn pass))))"),
    "W507 chance": game("(stage player (end (== (random 3) 0)) (do ((turn pass))))"),
    "W507 an owner": game(
        stage(PLAY),
        "(stage team (end (== (owner (top ((0 player) vloc X))) (0 player)))\n(do ((move (top"
        " (game iloc STOCK)) (top ((0 player) vloc X))))))",
    ),
    "W507 an inner stage": game(
        "(stage player (end (== (game sto N) 3))\n(stage player (end (== (game sto N) 3)) (do"
        " ((inc (game sto N))))))"
    ),
    "W507 a computed name": game(
        "(stage team (end (== (game sto N) 3)) (all (M, N) 'X (inc (game sto 'X))))"
    ),
    "W507 through memory": game(
        "(do ((remember (top (game iloc STOCK)) (top (game mem M)))))",
        "(stage team (end (== (size (game iloc STOCK)) 0))\n(let (top (game mem M)) 'C (move 'C"
        " (top (game vloc Y)))))",
    ),
    "W508 a few cards": game("(do (((> (size (subsets (top 5 (game iloc STOCK)))) 3) (turn pass))))"),
    "W508 one rank": game(
        "(do (((> (size (subsets (filter (game iloc STOCK) 'C (== (cardatt RANK 'C) A)))) 3) (turn pass))))"
    ),
    "W508 pairs": game(
        VALUES,
        "(all (tuples 2 (game iloc STOCK) using (game points VALUE)) 'T (inc (game sto N) (size"
        " (subsets 'T))))",
    ),
    "W508 guarded in and": game(
        "(do (((and (< (size (game iloc STOCK)) 9) (any (subsets (game iloc STOCK)) 'S (== (size"
        " 'S) 2))) (turn pass))))"
    ),
    "W509 the own hand": game(
        f"(choice ((turn pass) (any (filter {HAND} 'C (== (cardatt RANK 'C) A)) 'C (move 'C (top"
        f" (game vloc PILE))))))"
    ),
    "W509 sizes": game(
        "(choice ((turn pass) ((> (size (game iloc STOCK)) (size ((next player) iloc HAND)))"
        " (inc (game sto N)))))"
    ),
    "W509 outside a choice": game(
        "(do (((== (cardatt RANK (top (game iloc STOCK))) A) (inc (game sto N)))))"
    ),
    "W509 blind": game(
        "(choice ((any ((next player) iloc HAND) 'C (move 'C (top ((current player) iloc HAND))))))"
    ),
    "W509 bound player": game(
        "(let (current player) 'ME (choice ((turn pass) (any ('ME iloc HAND) 'C ((== (cardatt"
        " RANK 'C) A) (move 'C (top (game vloc PILE))))))))"
    ),
    "W509 another's oloc": game(
        "(all player 'P (move (top ('P iloc HAND)) (top ('P oloc HAT))))",
        "(choice ((turn pass) ((== (cardatt RANK (top ((next player) oloc HAT))) A) (inc (game sto N)))))",
    ),
    "W510 three ways": game(
        "(do ((set (game sto N) (size (game iloc STOCK)))))",
        "(choice (((< (game sto N) 3) (turn pass)) ((== (game sto N) 3) (turn pass)) ((> (game"
        " sto N) 3) (turn pass))))",
    ),
    "W510 whole numbers": game(
        "(do ((set (game sto N) (size (game iloc STOCK)))))",
        "(choice (((<= (game sto N) 3) (turn pass)) ((>= (game sto N) 4) (turn pass))))",
    ),
    "W510 two numbers": game(
        "(do ((inc (game sto N) (random 5))))",
        "(choice (((<= (game sto N) (game sto M)) (turn pass)) ((< (game sto M) (game sto N)) (turn pass))))",
    ),
    "W510 a flag": game(
        "(do (((== (size (game iloc STOCK)) 4) (set (game sto FLAG) 1))))",
        "(choice (((== (game sto FLAG) 0) (turn pass)) ((== (game sto FLAG) 1) (turn pass))))",
    ),
    "W510 counted up": game(
        stage(
            "(choice (((== (game sto TURN) 0) (turn pass)) ((== (game sto TURN) 1) (turn pass))))",
            end="(== (game sto TURN) 2)",
        )
    ),
    "W510 until the end": game(stage("(choice (((< (game sto TURN) 9) (turn pass))))")),
    "W510 all suits": game(
        "(choice (((== (cardatt SUIT (top (game vloc PILE))) H) (turn pass)) ((== (cardatt SUIT"
        " (top (game vloc PILE))) S) (turn pass)) ((== (cardatt SUIT (top (game vloc PILE))) D)"
        " (turn pass)) ((== (cardatt SUIT (top (game vloc PILE))) C) (turn pass))))",
        deal=DEAL + "(do ((move (top (game iloc STOCK)) (top (game vloc PILE)))))",
    ),
    "W510 each card has a case": game(
        f"(choice ((any {HAND} 'C (do (((== (cardatt RANK 'C) A) (inc (game sto N))) ((!="
        f" (cardatt RANK 'C) A) (dec (game sto N))))))))"
    ),
    "W510 players who still play": game(
        "(choice ((any (filter (other player) 'P (> (size ('P iloc HAND)) 0)) 'P (cycle next 'P))))"
    ),
    "W510 de Morgan": game(
        "(choice (((and (== (game sto N) 1) (== (game sto M) 1)) (turn pass)) ((or (!= (game sto"
        " N) 1) (not (== (game sto M) 1))) (turn pass))))",
        "(do ((inc (game sto N)) (inc (game sto M))))",
    ),
    "W510 a player": game(
        "(choice (((== (current player) (1 player)) (turn pass)) ((!= (1 player) (current"
        " player)) (turn pass))))"
    ),
    "W511 all named": game(
        teams="(create teams (0, 1) (2) (3))", scoring="(scoring max ((team (current player)) sto SCORE))"
    ),
    "W511 computed": game(
        declares="(declare 1 'X)",
        deal="(do ((set (game sto S) 1) (create teams ((game sto S), 2))))"
        + "(do ((inc ((team ('X player)) sto SCORE))))",
        scoring="(scoring max ((team (current player)) sto SCORE))",
    ),
    "W514 the draw comes last": game(
        "(choice (((> (size (game iloc STOCK)) 0) (do ((turn pass) (shuffle (game iloc"
        " STOCK))))) (turn pass)))"
    ),
    "W514 sizes stay": game(
        "(choice ((do ((shuffle (game iloc STOCK)) ((> (size (game iloc STOCK)) 0) (move (top"
        " (game iloc STOCK)) (top (game vloc PILE))))))))"
    ),
    "W514 something else": game(
        f"(choice ((do ((shuffle (game iloc STOCK)) (any {HAND} 'C (move 'C (top (game vloc PILE))))))))"
    ),
    "W514 the score of the best": game(
        VALUES,
        f"(choice ((do ((turn pass) ((> (score (max {HAND} using (game points VALUE)) using (game"
        f" points VALUE)) 12) (inc (game sto N)))))))",
    ),
    "W514 in two alternatives": game(
        "(choice ((shuffle (game iloc STOCK)) ((== (cardatt RANK (top (game vloc UP))) A) (turn pass))))",
        deal=DEAL + "(do ((move (top (game iloc STOCK)) (top (game vloc UP)))))",
    ),
    "W515 a remembered card": game(
        "(do ((remember (top (game iloc STOCK)) (top (game mem M)))))",
        "(let (top (game mem M)) 'C (move 'C (top (game vloc PILE))))",
    ),
    "W515 through a filter": game(
        "(do ((remember (top (game iloc STOCK)) (top (game mem M))) (move (top (filter (game mem"
        " M) 'C (== (cardatt RANK 'C) A))) (top (game vloc PILE)))))"
    ),
    "W515 beside a card": game(
        "(do ((move (top (game iloc STOCK)) (top (game vloc PILE)))))",
        "(all (game vloc PILE) 'C (move (top (game iloc STOCK)) 'C))",
    ),
    "W515 a listed place": game(
        "(all (all player 'P ('P vloc ROW)) 'R (move (top (game iloc STOCK)) (top 'R)))"
    ),
    "W515 a best reference": game(
        VALUES,
        "(do ((remember (top (game iloc STOCK)) (top (game mem M))) (forget (max (game mem M)"
        " using (game points VALUE)))))",
    ),
    "W516 used in another": game(
        "(do ((inc (game sto N) 'B)))", declares="(declare 5 'A) (declare (+ 'A 1) 'B)"
    ),
    "W516 a loop that counts": game("(all player 'P (inc (game sto N)))"),
    "W516 used in the setup": game(stage(PLAY), declares="(declare 4 'N)").replace(
        "(create players 4)", "(create players 'N)"
    ),
}


@pytest.mark.parametrize("name", [*GAMES, *NEAR])
def test_what_is_right_is_left_alone(name: str) -> None:
    text = GAMES.get(name) or NEAR[name]
    assert warnings(text) == []


@pytest.mark.parametrize("number", [documents.EUCHRE, documents.WHIST])
def test_published_games_have_nothing_to_warn_of(number: int) -> None:
    text = documents.document(number)
    program = text[text.index("(game\n") :]
    assert {code for code, _ in warnings(program)} <= {"W501"}
