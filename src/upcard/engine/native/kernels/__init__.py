"""Kernels: functions in a typed subset of Python, run as they are or compiled to the IR."""
