"""Backends: IR to machine code with LLVM, or to C for the system's compiler."""
