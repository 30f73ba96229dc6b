"""Kernels: functions in a typed subset of Python, run as they are or compiled to the IR.

Modules:
    accumulate        Kernels that add up the rows of finished games.
    compiler          Kernel compiler: from the typed subset of Python to the IR.
    game_columns      Kernel that turns rows of finished games into columns, each as wide as Arrow wants
                      it.
    language          The kernel language: types and operations of the subset of Python that kernels use.
    loaded_kernels    Modules of kernels as machine code, compiled once for all games.
    playout           Kernels that play batches of random games, from the deal or from a state.
    random_numbers    Random-number kernels: splitmix64, xoshiro256++, bounded draws, shuffles
                      (docs/language/chance.md).
    resample          Kernels that deal hidden cards anew for a seat (docs/language/knowing.md), or
                      without memory.
    sort              Sorting kernel: stable, ascending, in place.
    struct_access     Struct access in kernels: where fields and elements lie, and which struct a pointer
                      leads to.
    structs           Structs of the kernel language: memory whose fields have names and types.
    trace             Kernels that trace random games: which seat chose among how many moves, and sums of
                      that.
    workspace_growth  The head of a workspace, and kernels that enlarge a workspace on demand.
"""
