"""Nests that are run on symbols."""

import pytest

from s2s.analyses.operators.symbolic import trace_nest
from s2s.scop.expressions import BOOL, INT32, Binary, Const, Load, Variable
from s2s.scop.nest import Argument, Dimension, If, Nest, Store, Tensor
from s2s.scop.symbols import NotSymbolic


def test_a_value_that_is_known_when_it_runs_is_refused() -> None:
    zero = Const(INT32, 0)
    condition = Binary(BOOL, "gt", Variable(INT32, "q[0]"), zero)
    tensors = {n: Tensor(n, (INT32,), (Dimension(zero, Const(INT32, 6)),)) for n in ("a", "b")}
    nest = Nest(
        "copy",
        (
            Argument("a", tensors["a"], INT32),
            Argument("b", tensors["b"], INT32, output=True),
        ),
        If(condition, Store("b", (zero,), (Load(INT32, "a", (zero,)),))),
    )
    with pytest.raises(NotSymbolic, match=r"'q\[0\]' is known only"):
        trace_nest(nest)
