"""Halide pipelines as C of ours, against the real Halide."""
