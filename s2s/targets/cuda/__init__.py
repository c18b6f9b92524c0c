"""``--target cuda``: kernels for a GPU."""
