"""The metaprogram: C++ over Halide's interface, evaluated over libclang's syntax tree.

Nothing of the user's is compiled or executed: ``interpret`` walks the tree, ``library`` and the
language's objects stand for what the headers declare.
"""

from s2s.frontends.halide.evaluate.evaluation import Entry, evaluate, program_in

__all__ = ["Entry", "evaluate", "program_in"]
