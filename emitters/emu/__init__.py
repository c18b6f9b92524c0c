"""C for Emu: what programs for it need besides their own text."""
