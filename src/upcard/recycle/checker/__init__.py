"""Checker: from forms to a typed program, with diagnostics."""
