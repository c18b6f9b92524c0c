"""Contractions in loop nests: convolutions and matrix products, whatever the nest looks like.

``extract`` follows the values of a nest (initial values, updates, shifts at the end, each in loops
of their own or together) and gives the one contraction that its output is.
"""

from __future__ import annotations

from s2s.analyses.contractions.canonical import contraction
from s2s.analyses.contractions.covered import check_all_written
from s2s.analyses.contractions.flow import final_value
from s2s.analyses.contractions.statements import statements
from s2s.scop.contraction import Contraction, NotAContraction
from s2s.scop.nest import Nest

__all__ = ["extract"]


def extract(nest: Nest) -> Contraction:
    """The contraction that a nest computes. Raises NotAContraction with a reason."""
    found = statements(nest)
    passed = {a.name: a.tensor for a in nest.arguments if a.tensor is not None}
    tensors = passed | {t.name: t for t in nest.tables}
    written = [name for name in dict.fromkeys(s.tensor for s in found) if name in passed]
    if len(written) != 1:
        names = " and ".join(written) or "none"
        raise NotAContraction(f"one array has to be computed; here it is {names}")
    check_all_written([s for s in found if s.tensor == written[0]])
    last, value = final_value(written[0], found)
    return contraction(nest.name, last, value, tensors, list(tensors))
