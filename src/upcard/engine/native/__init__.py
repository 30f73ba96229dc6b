"""The native engine in the making: one small typed IR with two ways in and two ways out."""
