"""Types of CCE C: integers, floating point, pointers into one of the core's memories."""

from __future__ import annotations

from s2s.source.records import dataclass

PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3")
"""Scalar, vector, matrix, and three for transfers: each in order, all at once."""

SPACES = {
    "__gm__": "gm",
    "__ubuf__": "ub",
    "__cbuf__": "l1",
    "__ca__": "l0a",
    "__cb__": "l0b",
    "__cc__": "l0c",
}
"""Qualifiers of addresses, and the memories that they mean."""
MEMORY_NAMES = {
    "gm": "global memory", "ub": "the unified buffer", "l1": "L1",
    "l0a": "L0A", "l0b": "L0B", "l0c": "L0C",
}  # fmt: skip


@dataclass(frozen=True)
class Scalar:
    """A number: ``bytes`` wide; ``kind`` is "int", "uint" or "float"."""

    name: str
    bytes: int
    kind: str

    @property
    def is_float(self) -> bool:
        return self.kind == "float"


@dataclass(frozen=True)
class Pointer:
    """An address of elements in one of the memories."""

    space: str
    element: Scalar


@dataclass(frozen=True)
class Word:
    """A name with a meaning of its own: ``PIPE_V``, ``EVENT_ID0``, ``PAD_NONE``."""


Type = Scalar | Pointer | Word

HALF = Scalar("half", 2, "float")
FLOAT = Scalar("float", 4, "float")
INT = Scalar("int", 4, "int")
UINT64 = Scalar("uint64_t", 8, "uint")
VOID = Scalar("void", 1, "uint")

SCALARS = {
    "half": HALF,
    "__fp16": HALF,
    "float16": HALF,
    "float16_t": HALF,
    "float": FLOAT,
    "double": Scalar("double", 8, "float"),
    "void": VOID,
    "bool": Scalar("bool", 1, "uint"),
    "_Bool": Scalar("bool", 1, "uint"),
    "char": Scalar("char", 1, "int"),
    "signed char": Scalar("char", 1, "int"),
    "unsigned char": Scalar("uint8_t", 1, "uint"),
    "short": Scalar("int16_t", 2, "int"),
    "unsigned short": Scalar("uint16_t", 2, "uint"),
    "int": INT,
    "signed": INT,
    "unsigned": Scalar("uint32_t", 4, "uint"),
    "unsigned int": Scalar("uint32_t", 4, "uint"),
    "long": Scalar("int64_t", 8, "int"),
    "long int": Scalar("int64_t", 8, "int"),
    "long long": Scalar("int64_t", 8, "int"),
    "unsigned long": UINT64,
    "unsigned long long": UINT64,
    "size_t": UINT64,
    **{
        f"{sign}int{bits}_t": Scalar(f"{sign}int{bits}_t", bits // 8, f"{sign}int")
        for sign in ("", "u")
        for bits in (8, 16, 32, 64)
    },
}
NUMPY = {
    "half": "float16", "float": "float32", "double": "float64", "void": "uint8", "bool": "uint8",
    "char": "int8", "int": "int32",
    **{f"{s}int{b}_t": f"{s}int{b}" for s in ("", "u") for b in (8, 16, 32, 64)},
}  # fmt: skip
"""numpy's names of the types of elements."""
