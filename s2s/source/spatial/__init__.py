"""Mappings for spatial accelerators as they are written: layers, directives, ``.m`` files.

The machine that executes a mapping, the cost models and what makes mappings read them here.
"""
