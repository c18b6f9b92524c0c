"""``--target aie``: kernels for the AI Engine."""
