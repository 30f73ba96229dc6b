"""Backends: IR to machine code with LLVM, or to C for the system's compiler.

Modules:
    c              C backend: IR to C text, as a second opinion for tests, for sanitizers, and for
                   reading.
    c_compiler     Compiles C text with the system's compiler: `$CC`, or the first of cc, gcc and clang.
    llvm           LLVM backend: IR to LLVM text, optimised at level 2, to an object file.
    llvm_machine   LLVM's target machine and object loader; `llvm.py` writes the text that they compile.
    llvm_snippets  Hand-written pieces of LLVM text that `llvm` includes.
    select         Selects a backend: LLVM, or the system's C compiler, or none.
    wasm/          WebAssembly backend: IR to modules, which wasmtime runs.
"""
