"""Whether the last statement on an output writes all elements that those before it write.

``p[l][i][j] = sum; ... p[l][0][0] = max(p[l][0][0], 0);`` is no contraction: the others keep sums
that the last statement says nothing of.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from s2s.analyses.contractions.statements import AffineStore
from s2s.scop.contraction import NotAContraction


def check_all_written(own: Sequence[AffineStore]) -> None:
    """Raises NotAContraction, at a statement that writes elements which the last one leaves."""
    if len(own) < 2:
        return
    last = own[-1]
    whole = None
    for statement in own[:-1]:
        if (statement.loops, statement.subscripts) == (last.loops, last.subscripts):
            continue
        whole = _written(last) if whole is None else whole
        if not _written(statement).is_subset(whole):
            text = f"some elements of {last.tensor} are changed again, others are not"
            raise NotAContraction(text, last.store.at)


def _written(statement: AffineStore) -> isl.Set:
    """The subscripts of the elements that a statement writes."""
    names = {loop.name: f"v{k}" for k, loop in enumerate(statement.loops)}
    bounds = [f"{loop.minimum} <= {names[loop.name]} <= {loop.last}" for loop in statement.loops]
    elements = []
    for place, subscript in enumerate(statement.subscripts):
        terms = [f"{factor} * {names[name]}" for name, factor in subscript.terms.items()]
        elements.append(f"e{place} = {' + '.join([*terms, str(subscript.constant)])}")
    within = f"exists {', '.join(names.values())} : " if names else ""
    dimensions = ", ".join(f"e{place}" for place in range(len(statement.subscripts)))
    return isl.Set(f"{{ [{dimensions}] : {within}{' and '.join([*bounds, *elements]) or 'true'} }}")
