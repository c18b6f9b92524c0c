"""Halide-like C++: algorithm and schedule, evaluated over the syntax tree, become a pipeline.

``evaluate`` (the metaprogram) -> ``pipeline.Pipeline`` -> ``lowering`` -> ``s2s.scop.nest.Nest``.
"""
