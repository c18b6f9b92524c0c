"""Clockwork's files, read: a program of operations over buffers, and their functions."""
