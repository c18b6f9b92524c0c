"""The AI Engine (first generation): kernels in C with intrinsics, their values and their cycles."""
