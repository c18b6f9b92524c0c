"""``s2s bench emu``: migrations of graph kernels before and after."""
