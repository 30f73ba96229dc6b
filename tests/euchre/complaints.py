"""What people complain of in programs that play Euchre: twelve habits, three positions each.

Every position is one where good players agree; the comment says why. `good` lists what avoids the habit.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.euchre.positions import Position as P

ALL_PASS = "pass,pass,pass,pass"
DEALER_ORDERS = "pass,pass,pass,order"


@dataclass(frozen=True)
class Case:
    position: P
    good: str

    @property
    def accepted(self) -> set[str]:
        return set(self.good.split(","))


HABITS: dict[str, tuple[Case, Case, Case]] = {
    # Whoever turned the card down is short of its colour, so the other suit of that colour is for the other
    # side; right, king and ten of it are worth a call with anything beside them.
    "passes a hand with right, king and ten in the next suit": (
        Case(P(0, "Jd Kd 10d Ac 9s", "9h", ALL_PASS), "diamonds"),
        Case(P(0, "Js Ks 10s Qh 9d", "Qc", ALL_PASS), "spades"),
        Case(P(2, "Jh Kh 10h As 9c", "10d", f"{ALL_PASS},pass,pass"), "hearts"),
    ),
    # Two tricks at best, and the dealer gets a trump on top; the bowers will be as good in the next suit.
    "orders from first seat on the two bowers alone": (
        Case(P(0, "Js Jc 9h 10d Qd", "As"), "pass"),
        Case(P(0, "Jh Jd 9s 10s Qc", "Kh"), "pass"),
        Case(P(0, "Jd Jh 10c 9c Ks", "Ad", score=(6, 6)), "pass"),
    ),
    # One point wins, four win no more; the partner can only help.
    "goes alone at 9 points, when one point wins": (
        Case(P(3, "Js As Ks Ah 9d", "Qs", "pass,pass,pass", score=(9, 6)), "order"),
        Case(P(0, "Jh Jd Ah Ac 9s", "9d", ALL_PASS, score=(9, 9)), "hearts"),
        Case(P(2, "Jc Js Ac Ad 10d", "9c", "pass,pass", score=(9, 8)), "order"),
    ),
    # With the top trumps in hand and losers nowhere but in trump, the others' trumps have to go first.
    "does not lead trump after calling": (
        Case(P(0, "Js Jc Ks Ah 9d", "9c", f"{ALL_PASS},spades"), "Js,Jc"),
        Case(P(0, "Jd Ad Kd 10d Ac", "10h", f"{ALL_PASS},diamonds"), "Jd"),
        Case(P(3, "Jh Jd As Kc 9c", "Kh", DEALER_ORDERS, "Ks 10s 9s As", buried="9c"), "Jh,Jd"),
    ),
    # The dealer took the right bower up for all to see. A small trump led to it helps nobody but the makers.
    "leads a small trump into the right": (
        Case(P(0, "9s Ah Kh Ad 10c", "Js", DEALER_ORDERS), "Ah,Kh,Ad,10c"),
        Case(P(0, "10d 9d As Kc Qc", "Jd", "pass,order"), "As,Kc,Qc"),
        Case(P(2, "Ac As 9h 10d Kd", "Jh", DEALER_ORDERS, "10c 9c Ac Kc"), "As,Kd,10d"),
    ),
    # All tricks so far are the makers', and trumps are out: the bower takes them before an ace is ruffed.
    "keeps the last bower instead of cashing it": (
        Case(P(3, "Js Jc Ah Ad 9c", "9s", DEALER_ORDERS, "Kd 9d 10d Ad Js 10s 9h Qs", buried="9c"), "Jc"),
        Case(P(0, "Jd Jh Qh As 9c", "9d", f"{ALL_PASS},hearts", "Jd 9h 9s 10h"), "Jh"),
        Case(
            P(0, "Js Jc Ad Ah Kh", "9c", f"{ALL_PASS},spades", "Js 9s 10s Qs Ah 9h 10h Jh Kh Qh 9d 10c"), "Jc"
        ),
    ),
    # The defenders are out of trumps, the partner has the one that was taken up: apart, two take two tricks.
    "leads trump back when the defenders are void": (
        Case(P(1, "Js Jc 9s Kd 10c", "As", "pass,order", "Kh 9s 9h 10h Js 9d 10s 9c"), "Kd,10c"),
        Case(
            P(1, "Ad 10d Ah Qc 9s", "Kd", DEALER_ORDERS, "As 9s 10s 9d Jd 9c 10d 10c 9h 10h Ah Kh"),
            "Qc",
        ),
        Case(P(1, "Jh Jd 10h Ks 9c", "Kh", "pass,order", "Ad 10h 9d Qd Jh 10s 9h 10c"), "Ks,9c"),
    ),
    # A dealer who had to name a suit has little; leading trumps draws the partner's and wastes the lead.
    "leads trump to a stuck dealer": (
        Case(P(0, "Ah Kh 9c 10c Kd", "9s", f"{ALL_PASS},pass,pass,pass,clubs"), "Ah,Kh,Kd"),
        Case(P(0, "As 9d Ad Qh 10h", "Qc", f"{ALL_PASS},pass,pass,pass,hearts"), "As,Ad,9d"),
        Case(P(0, "Kd 10d 9s As 9c", "9h", f"{ALL_PASS},pass,pass,pass,diamonds"), "As,9s,9c"),
    ),
    # The trick is the partner's; a trump put on it is a trump less.
    "trumps the partner's winning ace": (
        Case(P(3, "Js Ks Qd 10d 9c", "10s", DEALER_ORDERS, "Kh Ah 9h", buried="9c"), "Qd,10d"),
        Case(P(2, "Qd 9s 10s 9h Kh", "9d", DEALER_ORDERS, "Ac 10c"), "9s,10s,9h,Kh"),
        Case(P(0, "Qc As 9h Kh 10h", "Ks", DEALER_ORDERS, "Qc Ac 9c 10c 10d Ad 9d"), "9h,10h,Kh"),
    ),
    # Two tricks are to come and one is enough. The dealer plays next, has the right and none of the suit led:
    # a ruff is overruffed, but a trump kept until the right is gone takes the last trick.
    "ruffs in second seat when ducking euchres": (
        Case(P(2, "Ac Ah Ad Jc Jd", "Js", DEALER_ORDERS, "Kc 9c Ac 10c Ah 10d 10h Qh Ad Qd 9d 9s 9h"), "Jd"),
        Case(
            P(2, "10s Qc 10d Jd Js", "Jh", DEALER_ORDERS, "As 9s 10s Qs Ac 10c Qc 9d Kd 9h 10d Qd 9c"), "Js"
        ),
        Case(
            P(2, "10h Qd 10s Ac Jh", "Jc", DEALER_ORDERS, "Ah 9h 10h Qh Ad 10d Qd 9s Ks Js 10s Qs 9d"), "Jh"
        ),
    ),
    # One ace and small cards, first lead: the ace stops its suit at the end as well as now. A small card of a
    # long suit gives the partner a chance of an ace or a ruff besides.
    "leads an ace into a lone hand from the wrong seat": (
        Case(P(0, "Ad 10h 9h Qh 9c", "Qs", "pass,pass,pass,order alone"), "10h,9h,Qh,9c"),
        Case(P(0, "As 9d 10d Qd 9c", "Kh", "pass,pass,pass,order alone"), "9d,10d,Qd,9c"),
        Case(P(0, "Ac 9s 10s Qs 10d", "Ah", "pass,order alone"), "9s,10s,Qs,10d"),
    ),
    # Five tricks for certain.
    'throws the lay-down (the five top trumps) on anything but "alone"': (
        Case(P(0, "Jc Js Ac Kc Qc", "9c"), "order alone"),
        Case(P(1, "Jh Jd Ah Kh Qh", "9s", f"{ALL_PASS},pass"), "hearts alone"),
        Case(P(3, "Jd Jh Ad Qd 9s", "Kd", "pass,pass,pass"), "order alone"),
    ),
}
