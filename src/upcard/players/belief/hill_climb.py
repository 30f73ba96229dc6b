"""Hill climbing: exchanges cards at random as long as the history gets further."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from upcard.engine.native import machine_memory
from upcard.engine.native.kernels.language import signed
from upcard.engine.rng import Stream
from upcard.players.belief import action_match as k
from upcard.players.belief.card_swaps import of_one_shuffle, words_of
from upcard.players.belief.evidence import Evidence
from upcard.players.belief.history_replay import Replay
from upcard.players.belief.history_steps import Inconsistent
from upcard.players.belief.hypothesis import Hypothesis
from upcard.players.belief.kernel_structs import WorldSampler

FEW_TRIES = 200
MAX_TRIES = 5000


@dataclass(frozen=True)
class HillClimb:
    """Random exchanges, for what directed repair does not find."""

    evidence: Evidence
    hypothesis: Hypothesis
    replay: Replay

    def climb(self) -> None:
        """Exchange cards until the history can be replayed to its end, then also reconsider hidden picks.
        Raises `Inconsistent`. A few tries of both come first, because one of them is mostly enough."""
        failed: Inconsistent | None = None
        for tries in (FEW_TRIES, MAX_TRIES):
            try:
                self._exchange_at_random(tries)
                return
            except Inconsistent as error:
                failed = error
            if self._repick_any():
                return
        assert failed is not None
        raise failed

    def _repick_any(self) -> bool:
        """Try other cards for hidden picks, the latest pick first; returns whether one of them helps."""
        named = self.evidence.last_named
        for number, step in reversed(list(enumerate(self.hypothesis.steps))):
            picked = step.hidden_cards
            if len(picked) != 1:
                continue
            # the card that was named last is most likely still within reach
            for card in sorted(self.hypothesis.eligible(number), key=lambda card: -named.get(card, -1)):
                if card not in picked and self._repick(number, card):
                    return True
        return False

    def _repick(self, number: int, card: int) -> bool:
        """Try another card for the hidden pick of a step; returns whether the history can be replayed so."""
        step = self.hypothesis.steps[number]
        other = step.renamed(dict.fromkeys(step.hidden_cards, card), k.DRAWN)
        self.hypothesis.replace_step(number, other)
        try:
            self._exchange_at_random(MAX_TRIES // 10)
            return True
        except Inconsistent:
            self.hypothesis.replace_step(number, step)
            return False

    def _exchange_at_random(self, tries: int) -> None:
        """Keep every exchange with which the history gets as far as before. Raises `Inconsistent` where it
        does not get to its end."""
        hypothesis, replay, m = self.hypothesis, self.replay, self.replay.machine
        replay.learn_shuffles()
        cards = hypothesis.movable()
        if len(cards) < 2:
            raise Inconsistent("nothing can be exchanged")
        m.listed = None
        replay.set_up_work()
        pairs = words_of(of_one_shuffle(hypothesis, cards))
        swaps = hypothesis.swaps()
        upto = len(hypothesis.steps)
        stream = machine_memory.words_of([signed(w) for w in Stream((upto, self.evidence.seat)).state])
        replay.pack(len(self.evidence.views))
        worlds = WorldSampler.pack(
            game=m.facts,
            history=replay.address,
            plans=0,
            plan_count=0,
            swaps=swaps.buffer_info()[0],
            walk=0,
            work=m.work.address,
            stream=ctypes.addressof(stream),
            tally=m.tally,
        )
        state, trial = replay.state.address, m.room.address
        first, own = pairs.buffer_info()[0], swaps.buffer_info()[0]
        got = m.code.walk_worlds(worlds, first, len(cards), own, state, trial, tries, k.CLIMBING)
        replay.invalidate()
        for shuffle in range(len(hypothesis.outcomes)):
            shuffled = [c for c in cards if hypothesis.shuffle_of[c] == shuffle]
            takers = {c: swaps[2 * c] for c in shuffled if swaps[2 * c] != c}
            if takers:
                hypothesis.rename(takers, shuffle)
        if got != 2000 * upto + 2000:
            raise Inconsistent(f"decision {got // 2000} would be impossible")
        replay.reach()
