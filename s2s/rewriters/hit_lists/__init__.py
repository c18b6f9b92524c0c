"""Iterations that a condition picks, in lists: what is read, proved and written for them."""
