"""Sums of several iterations of a loop at once: what is recognised, proved, and written."""
