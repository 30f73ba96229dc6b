"""Describes in sentences how a match is scored."""

from __future__ import annotations

from upcard.library.sheet import MatchRules, Sheet, Tally


def describe_match(sheet: Sheet, highest: bool, partners: bool) -> list[str]:
    """Sentences about a match. `highest`: more points are better; `partners`: sides play, not single
    seats."""
    rules, deal = sheet.match, sheet.deal_word
    side = "side" if partners else "player"
    best = f"the {side} with the {'most' if highest else 'fewest'} points"
    if rules.to is not None:
        reached = f"until a {side} has {points(rules.to)} or more"
        sentences = [f"Play {deal} after {deal} {reached}; {best} then wins the match."]
        if rules.targets:
            sentences.append(f"Also played to {alternatives(rules.targets)} (--to {rules.targets[0]}).")
    elif rules.deals == 1:
        sentences = [f"A match is a single {deal}; {best} wins it."]
    else:
        sentences = [f"A match is {rules.deals} {deal}s; {best} in all of them together wins it."]
    if rules.ties == "share":
        sentences.append("A tie for the win is shared.")
    elif rules.to is None or rules.over == "counts":
        sentences.append(f"A tie for the win is played off with another {deal}.")
    else:
        sentences.append(
            f"A tie for the win is played off with another {deal}; at "
            f"{rules.to}, the highest score possible, "
            "it is shared."
        )
    if rules.down is not None:
        sentences.append(f"The match also ends when a {side} falls to {rules.down} or below.")
    return sentences + _past_the_target(rules, deal, side) + [_tally(tally, sheet) for tally in rules.tallies]


def _past_the_target(rules: MatchRules, deal: str, side: str) -> list[str]:
    if rules.to is None or rules.over == "counts":
        return []
    if rules.over == "caps":
        return [f"A score stops at {rules.to}: points beyond that are lost."]
    return [
        f"The target must be hit exactly: a {deal} that would take a {side} past it counts nothing there."
    ]


def _tally(tally: Tally, sheet: Sheet) -> str:
    name = sheet.words.get(tally.name, tally.name.lower())
    change = f"add {points(tally.points)}" if tally.points >= 0 else f"cost {points(-tally.points)}"
    return f"{name.capitalize()} are counted through the match: every {tally.every} of them {change}."


def alternatives(numbers: tuple[int, ...]) -> str:
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last


def points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"
