"""Verification: engines compared, designers' positions checked, speed measured."""
