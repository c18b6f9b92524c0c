"""Iterations of a loop as lanes of vectors through the recurrence that each of them runs."""
