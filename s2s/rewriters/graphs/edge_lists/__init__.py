"""Graphs that a program builds, known by going through what it does to memory.

``Program`` is a file gone through; ``find_graph`` says what ``#pragma s2s graph`` would say of the
lists that a loop goes through. The other files of this folder are private to it.
"""

from s2s.rewriters.graphs.edge_lists.found import find_graph
from s2s.rewriters.graphs.edge_lists.program import Program

__all__ = ["Program", "find_graph"]
