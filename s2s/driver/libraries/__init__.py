"""``--offload`` to libraries of this very machine."""
