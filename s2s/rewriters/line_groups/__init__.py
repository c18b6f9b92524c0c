"""Independent lines of a grid side by side, as lanes of vectors: what ``line_lanes`` is made of."""
