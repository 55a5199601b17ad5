"""Frozen values, closed choices, turn events, decisions and the error tree; no I/O."""
