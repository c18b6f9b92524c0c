"""Tuning designs for an array of processing elements: what one costs, and the search."""
