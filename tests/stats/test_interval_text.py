"""Figures with their intervals, in letters."""

from __future__ import annotations

import pytest

from upcard.stats.interval_text import between, percent, told
from upcard.stats.intervals import Interval


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Interval(9, 2.4506, 2.4406, 2.4606), ("2.451 ± 0.010", "245.1 ± 1.0 %", "2.451 (2.441–2.461)")),
        (Interval(9, 7.0, 7.0, 7.0), ("7.000 ± 0.000", "700.0 ± 0.0 %", "7.000 (7.000–7.000)")),
        # as many digits as it takes to see that something is left open
        (
            Interval(10**6, 2.45061, 2.45057, 2.45065),
            ("2.45061 ± 0.00004", "245.061 ± 0.004 %", "2.45061 (2.45057–2.45065)"),
        ),
        (
            Interval(10**9, 0.5, 0.5 - 1e-12, 0.5 + 1e-12),
            ("0.5000000 ± 0.0000000", "50.0000000 ± 0.0000000 %", "0.5000000 (0.5000000–0.5000000)"),
        ),
        (Interval(1, 0.25, None, None), ("0.250", "25.0 %", "0.250")),
        (Interval(0, None, None, None), ("unknown", "unknown", "unknown")),
    ],
)
def test_words(found: Interval, expected: tuple[str, str, str]) -> None:
    assert (told(found, 3), percent(found), between(found, "–")) == expected
