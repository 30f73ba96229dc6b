"""Setting positions up: hands in, a stacked deck out."""

from __future__ import annotations

from collections.abc import Sequence

from upcard.engine.api import Move
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.narration.card_text import CardNotation


class Table:
    """A game dealt from given cards, told in faces such as J♠ so that positions read like a newspaper."""

    def __init__(
        self,
        game: LoadedGame,
        deal_order: Sequence[str],
        bottom: Sequence[str] = (),
        seed: int = 0,
        pile: Sequence[str] | None = None,
        number: int = 0,
    ) -> None:
        """`deal_order` is what comes from the top, first card first; `bottom` lies below the rest.

        `pile` names the cards that are shuffled, when they are not all the cards there are.
        Other seeds deal the same cards; only what chance decides later, such as a tie, differs. So do other
        numbers, but a program may be told the number of the deal.
        """
        fresh = game.deal(0, 0)
        faces = CardNotation.of(game.narrator.sheet, ascii_only=True)
        self._face = {card: faces.card(attributes) for card, attributes in fresh.faces.items()}
        self._card = {face: card for card, face in self._face.items()}
        named = [*deal_order, *bottom]
        assert len(set(named)) == len(named), "a card is named twice"
        rest = [face for face in (self._card if pile is None else pile) if face not in named]
        from_top = [*deal_order, *rest, *bottom]
        self.state: BaseState = game.deal(
            seed, number, stacked=[[self._card[face] for face in reversed(from_top)]]
        )

    def options(self) -> list[str]:
        return [self._word(move) for move in self.state.moves]

    def _word(self, move: Move) -> str:
        return move.text.translate(str.maketrans("♠♥♣♦", "shcd"))

    def do(self, *words: str) -> None:
        """Play moves by the end of their text: `Js`, `pass`, `order it up`."""
        for word in words:
            fitting = [
                m for m in self.state.moves if self._word(m) == word or self._word(m).split()[1:2] == [word]
            ]
            assert len(fitting) == 1, f"{word} is not one of {self.options()}"
            self.state.play(fitting[0])

    def scores(self) -> tuple[int, ...]:
        outcome = self.state.outcome
        assert outcome is not None, f"the game goes on: {self.options()}"
        assert outcome.ending == "finished"
        assert outcome.scores is not None
        return outcome.scores
