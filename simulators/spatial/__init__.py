"""Spatial accelerators: their numbers, what a mapping costs on them, and a machine that executes."""
