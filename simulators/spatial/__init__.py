"""Spatial accelerators: their numbers, the costs of mappings, a machine that executes them."""
