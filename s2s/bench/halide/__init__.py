"""``s2s bench halide``: the emitted C against the real Halide."""
