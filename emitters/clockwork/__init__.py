"""Clockwork's files and the mapped design, printed."""
