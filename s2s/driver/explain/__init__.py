"""The text of ``s2s explain``."""
