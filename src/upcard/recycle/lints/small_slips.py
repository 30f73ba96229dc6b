"""W502, W503, W511, W516: small mistakes."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.lints.lint_subject import Subject
from upcard.recycle.walk import below


def any_outside(subject: Subject) -> Iterator[Diagnostic]:
    for node in subject.nodes:
        if isinstance(node, p.ForAll) and node.was_any:
            yield Diagnostic(
                "W502",
                subject.spot(node.span),
                "an any outside a choice does not choose: it runs for every element",
                "write all if you mean that, or make it a choice: (choice ((any player 'P (cycle next 'P))))",
            )


def team_scoring(subject: Subject) -> Iterator[Diagnostic]:
    """Scoring makes each player current in turn but leaves the team cycle as it is."""
    for node in below(subject.program.scoring.value):
        if isinstance(node, p.TeamAt) or (isinstance(node, p.Teams) and node.others):
            words = subject.words(node)
            yield Diagnostic(
                "W503",
                node.span,
                f"in the scoring, {words} is the same for every player",
                "write (team (current player)), such as ((team (current player)) sto SCORE)",
            )


def left_out(subject: Subject) -> Iterator[Diagnostic]:
    """Team lists whose members are all known."""
    program = subject.program
    for node in subject.nodes:
        if not isinstance(node, p.CreateTeams):
            continue
        numbers = [subject.number(member) for team in node.teams for member in team]
        if None in numbers:
            continue
        seats = range(program.base, program.base + program.players)
        missing = [seat for seat in seats if seat not in set(numbers)]
        if missing:
            who = ", ".join(map(str, missing[:4])) + (", ..." if len(missing) > 4 else "")
            alone = " ".join(f"({seat})" for seat in missing[:4])
            yield Diagnostic(
                "W511",
                subject.spot(node.span),
                f"this team list leaves out player{'s' if len(missing) > 1 else ''} {who}",
                f"add them to a team, or make each one a team: {alone}",
            )


def unused(subject: Subject) -> Iterator[Diagnostic]:
    """Lets and declares only: a loop often just counts and ignores its variable."""
    used = {node.binding.slot for node in subject.nodes if isinstance(node, p.Var)}
    for node in subject.nodes:
        if isinstance(node, p.Let | p.LetChoice | p.Declare) and node.binding.slot not in used:
            what = "declared" if isinstance(node, p.Declare) else "bound"
            yield Diagnostic(
                "W516",
                node.binding.span,
                f"'{node.binding.name[:24]} is {what} but never used",
                "use it, or remove it",
            )
