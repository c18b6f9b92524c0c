"""Emu beyond its simulator: what ``s2s bench emu`` measures."""
