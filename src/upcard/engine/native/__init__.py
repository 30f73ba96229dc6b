"""The native engine: games as machine code, through one small typed IR with two ways in and two ways out."""
