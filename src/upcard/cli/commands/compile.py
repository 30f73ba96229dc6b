"""`upcard compile`: prints each stage of compilation."""

from __future__ import annotations

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.console import FAILURE, MISUSE, Stop, load_game, report_errors
from upcard.output import write_document

STAGES = ("ir", "llvm", "c", "asm", "wasm", "wat")


def compile_(
    game: options.Game,
    emit: str = typer.Option(
        "ir",
        "--emit",
        metavar="|".join(STAGES),
        help="Stage to print.",
        autocompletion=complete.words(*STAGES),
    ),
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    base: options.Base = None,
) -> None:
    """Print a stage of a program's compilation.

    The stages are the engine's own intermediate language, LLVM's, C, assembly, and WebAssembly, as a module
    (wasm) or as text (wat).

    Examples:
        upcard compile kuhn-poker
        upcard compile kuhn-poker --emit c
        upcard compile kuhn-poker --emit wat
    """
    from upcard.engine.native.lower import NotLowered, lower

    if emit not in STAGES:
        raise Stop(MISUSE, f"--emit is {', '.join(STAGES[:-1])} or {STAGES[-1]}, not {emit}")
    with report_errors():
        loaded = load_game(game, overrides, rules, base)
    try:
        module = lower(loaded.program, loaded.facts).module
    except NotLowered as error:
        line = loaded.program.source.line(error.node.span.start)
        raise Stop(FAILURE, f"{loaded.name}:{line}: {error}") from None
    if emit == "ir":
        from upcard.engine.native.ir_text import show

        write_document(show(module))
    elif emit == "c":
        from upcard.engine.native.backends.c import to_c

        write_document(to_c(module))
    elif emit in ("wasm", "wat"):
        from upcard.engine.native.backends.wasm.module_writer import to_wasm
        from upcard.engine.native.backends.wasm.wat import to_wat

        wasm = to_wasm(module)
        write_document(wasm if emit == "wasm" else to_wat(wasm))
    else:
        try:
            from upcard.engine.native.backends import llvm
        except ImportError:
            raise Stop(MISUSE, "llvmlite is not installed; pip install llvmlite") from None
        write_document(llvm.to_llvm(module) if emit == "llvm" else llvm.to_assembly(module))
