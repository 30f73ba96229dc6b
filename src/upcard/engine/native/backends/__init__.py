"""Out of the IR: machine code through LLVM, or C text through the system's compiler."""
