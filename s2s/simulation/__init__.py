"""``s2s simulate``: kernels of accelerators, run from their text."""
