"""Kernels for the AI Engine (AIE1) as C++ with the vendor's intrinsics."""
