"""``--target emu``: C for Emu."""
