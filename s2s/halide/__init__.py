"""Halide pipelines beside the real Halide: what ``s2s bench halide`` measures."""
