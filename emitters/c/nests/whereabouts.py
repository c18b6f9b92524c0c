"""Which definition has a value for which there is no C; asked only where there is one."""

from __future__ import annotations

from s2s.emitters.c.nests.expressions import Writer
from s2s.emitters.c.nests.kinds import c_type
from s2s.scop.errors import Inexpressible
from s2s.scop.expressions import Expr
from s2s.scop.nest import Nest, Store, walk
from s2s.scop.normal_form import normalized
from s2s.source import Span


def inexpressible(nest: Nest) -> Span | None:
    """The place in the source of the first such definition, None where it is not one of them.

    The nest has no narrow floats any more. The printer names values outside of the statements that
    they are for, so that it does not know.
    """
    for node in walk(nest.body):
        if isinstance(node, Store) and not all(map(_has_text, (*node.values, *node.subscripts))):
            return node.at
    return None


def _has_text(value: Expr) -> bool:
    writer = Writer(lambda name: name, lambda load: load.tensor)
    try:
        c_type(value.type)
        writer.text(normalized(value))
    except Inexpressible:
        return False
    return True
