"""WebAssembly backend: IR to modules, which wasmtime runs.

Modules:
    binary_format      The WebAssembly binary format: opcodes, numbers and sections.
    copy_loops         Recognizes loops that copy words, which become `memory.copy`.
    expression_writer  Writes expressions.
    function_writer    Writes the statements of one function, with the functions that are inlined into it.
    helper_functions   Operations of the IR that WebAssembly has no instruction for, as functions of a
                       module.
    linear_memory      Allocates blocks in a range of addresses that grows at its end: WebAssembly's
                       linear memory.
    module_writer      WebAssembly backend: IR to a WebAssembly module, in the binary format.
    step_regions       Plans how steps, which jump to each other, become nested blocks and loops.
    wasmtime_backend   The WebAssembly backend: modules compiled and run by wasmtime.
    wasmtime_host      Runs WebAssembly modules with wasmtime: one memory for the process, one store for
                       each thread.
    wat                Prints a WebAssembly module in the text format: what `module_writer` wrote,
                       instruction by instruction.
"""
