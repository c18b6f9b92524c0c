"""Graphs for graph programs: generated ones, and readers of the usual formats."""
