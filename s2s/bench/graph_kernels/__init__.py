"""Graph kernels for Emu: migrations before and after, and the same as OpenMP programs."""
