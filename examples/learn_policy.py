"""Learns to play one seat of a card game against random players, by PPO in numpy.

    python examples/learn_policy.py euchre
    python examples/learn_policy.py leduc-holdem --hands 300000 --curve curve.svg

It needs numpy, and matplotlib for the curve: pip install 'upcard[rl,figures]'. Any game works that has an
encoding (docs/reference/rl.md); a hand is one deal. Each line is the mean margin over the average of all
seats in the hands since the last line, while the policy still tries things out.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import upcard

Floats: TypeAlias = NDArray[np.float64]

ENVIRONMENTS = 256
HIDDEN = 64
RATE = 0.003
EPOCHS, BATCHES = 4, 4
CLIP = 0.2
ENTROPY = 0.01


class Network:
    """One hidden layer; the outputs are a logit for each action and, last, the value of the position."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        self.weights: list[Floats] = [
            rng.normal(0, inputs**-0.5, (inputs, HIDDEN)),
            np.zeros(HIDDEN),
            rng.normal(0, 0.01, (HIDDEN, actions + 1)),
            np.zeros(actions + 1),
        ]
        self._moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.weights]
        self._steps = 0

    def forward(self, seen: Floats, mask: NDArray[Any]) -> tuple[Floats, Floats, Floats]:
        """The hidden layer, the probabilities of the actions, and the values."""
        w, b, v, c = self.weights
        hidden = np.tanh(seen @ w + b)
        out = hidden @ v + c
        logits = np.where(mask, out[:, :-1], -np.inf)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True), out[:, -1]

    def learn(self, seen: Floats, hidden: Floats, slope: Floats) -> None:
        """A step of Adam along the slope of the loss by the outputs."""
        _, _, v, _ = self.weights
        back = (slope @ v.T) * (1 - hidden**2)
        gradients = [seen.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)]
        self._steps += 1
        scale = RATE * (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        for weight, gradient, (mean, square) in zip(self.weights, gradients, self._moments, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            weight -= scale * mean / (np.sqrt(square) + 1e-8)


@dataclass
class Hands:
    """The decisions of hands that are over; `returns` is what the hand brought in the end."""

    seen: list[Floats] = field(default_factory=list)
    masks: list[NDArray[Any]] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    odds: list[float] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)


class Learner:
    """Plays the first seat of a game, and improves."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.game = upcard.load(name)
        encoding = self.game.encoding
        self.env = upcard.vector(
            self.game, ENVIRONMENTS, seed=seed, opponents="random", reward="margin", threads=1
        )
        self.rng = np.random.default_rng(seed)
        self.network = Network(encoding.size, encoding.actions, self.rng)
        highest = np.concatenate([np.full(one.size, max(one.highest, 1)) for one in encoding.fields])
        self._scale = 1 / highest
        self._open: list[Hands] = [Hands() for _ in range(ENVIRONMENTS)]
        self.won: list[float] = []
        """The margin of every hand, in the order in which they ended."""

    def play(self, decisions: int) -> Hands:
        """Plays until this number of decisions belongs to hands that are over."""
        found, env = Hands(), self.env
        while len(found.actions) < decisions:
            seen, masks = env.observations * self._scale, env.masks.copy()
            _, odds, _ = self.network.forward(seen, masks)
            drawn = (odds.cumsum(axis=1) < self.rng.random((ENVIRONMENTS, 1))).sum(axis=1)
            last = odds.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)  # rounding may pass by the last action
            actions = np.minimum(drawn, last)
            step = env.step(actions)
            for n, hand in enumerate(self._open):
                hand.seen.append(seen[n])
                hand.masks.append(masks[n])
                hand.actions.append(int(actions[n]))
                hand.odds.append(odds[n, actions[n]])
            for n in map(int, (step.terminated | step.truncated).nonzero()[0]):
                hand, margin = self._open[n], float(step.rewards[n, 0])
                hand.returns = [margin] * len(hand.actions)
                for name in ("seen", "masks", "actions", "odds", "returns"):
                    getattr(found, name).extend(getattr(hand, name))
                self._open[n] = Hands()
                self.won.append(margin)
        return found

    def improve(self, hands: Hands) -> None:
        """PPO: several passes over the decisions, with steps that stay near the policy that played."""
        seen, masks, actions = np.array(hands.seen), np.array(hands.masks), np.array(hands.actions)
        before, returns = np.array(hands.odds), np.array(hands.returns)
        returns = returns / (returns.std() + 1e-8)
        advantages = returns - self.network.forward(seen, masks)[2]
        for _ in range(EPOCHS):
            for part in np.array_split(self.rng.permutation(len(actions)), BATCHES):
                self._improve(
                    seen[part], masks[part], actions[part], before[part], returns[part], advantages[part]
                )

    def _improve(
        self,
        seen: Floats,
        masks: NDArray[Any],
        actions: NDArray[Any],
        before: Floats,
        returns: Floats,
        advantages: Floats,
    ) -> None:
        count, rows = len(actions), np.arange(len(actions))
        hidden, odds, values = self.network.forward(seen, masks)
        ratio = odds[rows, actions] / before
        is_free = np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        chosen = np.zeros_like(odds)
        chosen[rows, actions] = 1
        slope = -(is_free * ratio * advantages)[:, None] * (chosen - odds)
        logs = np.log(np.maximum(odds, 1e-12))
        entropy = -(odds * logs).sum(axis=1, keepdims=True)
        slope += ENTROPY * odds * (logs + entropy)
        slope = np.where(masks, slope, 0.0)
        self.network.learn(seen, hidden, np.column_stack([slope, 0.5 * (values - returns)]) / count)


def learn(name: str, hands: int, seed: int = 0, every: int = 10_000) -> list[tuple[int, float]]:
    """Learns for this many hands; gives the mean margin of every batch of them."""
    learner, curve, counted = Learner(name, seed), list[tuple[int, float]](), 0
    started = time.process_time()
    while counted < hands:
        learner.improve(learner.play(8 * ENVIRONMENTS))
        while len(learner.won) - counted >= every:
            mean = sum(learner.won[counted : counted + every]) / every
            counted += every
            curve.append((counted, mean))
            print(f"{counted:>10,} hands  {mean:+.3f}  {time.process_time() - started:6.1f} s", flush=True)
    return curve


def draw(curves: dict[str, list[tuple[int, float]]], path: Path) -> None:
    """The curves as a picture."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(curves), figsize=(3.6 * len(curves), 2.6), squeeze=False)
    for axis, (name, curve) in zip(axes[0], curves.items(), strict=True):
        axis.plot([hands / 1000 for hands, _ in curve], [mean for _, mean in curve])
        axis.axhline(0, color="grey", linewidth=0.5)
        axis.set(title=upcard.load(name).title, xlabel="thousand hands", ylabel="margin a hand")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="+")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", type=Path, help="draw the curves into this file")
    given = parser.parse_args()
    curves = {}
    for name in given.games:
        print(name)
        curves[name] = learn(name, given.hands, given.seed)
    if given.curve is not None:
        draw(curves, given.curve)


if __name__ == "__main__":
    main()
