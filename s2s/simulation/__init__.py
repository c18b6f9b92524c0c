"""``s2s simulate --machine aie1``: AI Engine kernels, run from their text."""
