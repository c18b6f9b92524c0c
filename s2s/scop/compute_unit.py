"""What a kernel of an array computes: one value of its operands."""

from __future__ import annotations

from s2s.scop.expressions import Expr, Type
from s2s.scop.nest import Tensor
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Operand:
    """What a kernel gets of one buffer: a word for each load, in their order.

    ``words`` are the names of variables that have the words' values.
    """

    buffer: str
    type: Type
    words: tuple[str, ...]


@dataclass(frozen=True)
class ComputeUnit:
    """A function of words; operations with the same ``name`` use one.

    ``operands`` in the order of their buffers' first load, ``indices`` are loop variables that
    come after them. ``value`` is over the operands' words, the indices and ``tables``; there are
    no 16-bit floats in it: their words are patterns of bits. ``buffer`` takes the value.
    ``typed``, of ``typed_tables``, is the value before that, with 16-bit floats.
    """

    name: str
    buffer: str
    type: Type
    operands: tuple[Operand, ...]
    indices: tuple[str, ...]
    value: Expr
    typed: Expr
    tables: tuple[Tensor, ...] = ()
    typed_tables: tuple[Tensor, ...] = ()
