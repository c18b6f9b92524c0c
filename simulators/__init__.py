"""Emitted text to values and cycles, one folder for each machine."""
