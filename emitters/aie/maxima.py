"""Vectors that are compared: the larger ones of their lanes, and where these go.

Selections are written out: that the lanes stay in their order is documented for this form.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.expressions import Type
from s2s.scop.vector_kernel import Kernel, Maximum, Put, Widen

_SHORTS = "0, 0x06040200, 0x0e0c0a08, 0x3210"
_WORDS = "0, 0x76543210, 0xfedcba98"


def operation(kernel: Kernel, op: Widen | Maximum | Put) -> str:
    """The text of an operation."""
    type_ = kernel.output.type
    match op:
        case Widen(name, register):
            return f"v{register.lanes}int16 {name} = unpack({register.name});"
        case Maximum(register, other):
            return f"{register} = {_larger(register, other, type_)};"
        case Put():
            return "\n".join(_put(op, type_))


def _larger(register: str, other: str, type_: Type) -> str:
    if type_.is_float:
        return f"fpmax({register}, {other})"
    if type_.bits == 32:
        return f"max16({register}, {_WORDS}, {other}, {_WORDS})"
    return f"max32({register}, {_SHORTS}, {other}, {_SHORTS})"


def _put(op: Put, type_: Type) -> Iterator[str]:
    """256 bits at a time; bytes go over sums, which are shifted by nothing."""
    if type_.is_float:
        yield f"*(v8float *)({_place(op, 0)}) = {op.register};"
        return
    for part in (0, 1):
        value = f"ext_w({op.register}, {part})"
        if type_.bits == 8:
            sign, narrow = ("u", "ubsrs") if type_.code == "uint" else ("", "bsrs")
            value = f"{narrow}(ups({value}, 0), 0)"
            yield f"*(v16{sign}int8 *)({_place(op, 16 * part)}) = {value};"
        else:
            lanes = 256 // type_.bits
            vector = f"v{lanes}int{type_.bits}"
            yield f"*({vector} *)({_place(op, lanes * part)}) = {value};"


def _place(op: Put, further: int) -> str:
    offset = op.offset + further
    return f"{op.pointer} + {offset}" if offset else op.pointer
