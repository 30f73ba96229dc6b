"""Rate limits: token buckets by address, so that one visitor cannot keep the server busy."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

MAX_ADDRESSES = 10_000


@dataclass(frozen=True)
class Rate:
    """At most `burst` at once, and then `per_second`."""

    burst: float
    per_second: float


@dataclass
class Bucket:
    rate: Rate
    left: float = field(init=False)
    at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.left = self.rate.burst

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic()
        self.left = min(self.rate.burst, self.left + (now - self.at) * self.rate.per_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass
class RateLimit:
    """A bucket for every address. The oldest are forgotten when there are too many."""

    rate: Rate
    _buckets: dict[str, Bucket] = field(default_factory=dict)

    def allows(self, address: str) -> bool:
        bucket = self._buckets.pop(address, None) or Bucket(self.rate)
        self._buckets[address] = bucket
        if len(self._buckets) > MAX_ADDRESSES:
            del self._buckets[next(iter(self._buckets))]
        return bucket.take()
