"""The native engine: compiles programs and kernels to machine code through one typed IR."""
