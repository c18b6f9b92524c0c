"""A target of a package outside of s2s: loop nests over tensors as plain Python."""
