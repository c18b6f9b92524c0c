"""C text with intrinsics to a ``program.Program``."""
