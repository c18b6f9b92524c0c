"""Mapped loop nests as C."""
