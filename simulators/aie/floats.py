"""Scalar arithmetic on floats, each operation rounded to its type, and parts of complex numbers.

The machine has hardware for a few of these and a library for the others, which its manual says are
those of C for ``float`` and ``double``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from s2s.simulators.aie.integers import wrapped
from s2s.simulators.aie.values import ScalarType, Type

FUNCTIONS = (
    "sqrt", "inv", "invsqrt", "exp", "log", "log2", "exp2", "sin", "cos", "tanh", "floor", "ceil",
    "round", "trunc",
)  # fmt: skip
"""Those of one operand, beside ``abs``, ``min`` and ``max``."""


def is_needed(kinds: Sequence[Type]) -> bool:
    """Whether one of these types is that of floats or complex numbers."""
    return any(isinstance(k, ScalarType) and (k.is_float or k.is_complex) for k in kinds)


def evaluate(operation: str, inputs: Sequence[Any], kinds: Sequence[Type], kind: ScalarType) -> Any:
    """``operation`` on numbers of these types or arrays of them; of ``kind``, as C has it."""
    import numpy as np

    if operation in ("real", "imag"):
        return _integer(np.rint(getattr(np.asarray(inputs[0]), operation)), kind)
    if operation == "complex":
        return _plain(np.asarray(inputs[0]) + 1j * np.asarray(inputs[1]))
    if operation == "select" and kind.is_complex:
        return _plain(np.where(np.asarray(inputs[0]) != 0, inputs[1], inputs[2]))
    bits = max((k.bits for k in kinds if isinstance(k, ScalarType) and k.is_float), default=32)
    dtype = np.dtype(f"float{bits}")
    with np.errstate(all="ignore"):
        if operation == "select":
            found = np.where(np.asarray(inputs[0]) != 0, *(_given(one) for one in inputs[1:]))
        else:
            found = _OPERATIONS[operation]()(*(_given(one).astype(dtype) for one in inputs))
        if kind.is_float:
            return _plain(np.asarray(found).astype(f"float{kind.bits}"))
        return _integer(np.trunc(np.asarray(found, np.float64)), kind)


def _given(number: Any) -> Any:
    import numpy as np

    return np.asarray(number)


def _plain(found: Any) -> Any:
    return found if found.ndim else found[()]


def _integer(found: Any, kind: ScalarType) -> Any:
    """C's integer of a float; what does not fit is the type's own business there, wrapped here."""
    import numpy as np

    whole = np.nan_to_num(np.asarray(found), nan=0.0, posinf=2.0**62, neginf=-(2.0**62))
    if not whole.ndim:
        return wrapped(int(whole), kind)
    clipped = whole.clip(-(2.0**62), 2.0**62).astype(np.int64)
    if kind.bits == 64:
        return clipped
    rest = clipped & ((1 << kind.bits) - 1)
    return rest - ((rest >> (kind.bits - 1)) << kind.bits) if kind.signed else rest


def _numpy(name: str) -> Callable[[], Callable[..., Any]]:
    def found() -> Callable[..., Any]:
        import numpy as np

        function: Callable[..., Any] = getattr(np, name)
        return function

    return found


def _round(number: Any) -> Any:
    import numpy as np

    return np.copysign(np.floor(np.abs(number) + number.dtype.type(0.5)), number)


_OPERATIONS: dict[str, Callable[[], Callable[..., Any]]] = {
    "+": _numpy("add"), "-": _numpy("subtract"), "*": _numpy("multiply"), "/": _numpy("divide"),
    "<": _numpy("less"), "<=": _numpy("less_equal"), ">": _numpy("greater"),
    ">=": _numpy("greater_equal"), "==": _numpy("equal"), "!=": _numpy("not_equal"),
    "neg": _numpy("negative"), "!": _numpy("logical_not"), "cast": _numpy("asarray"),
    "min": _numpy("fmin"), "max": _numpy("fmax"), "abs": _numpy("abs"),
    "inv": lambda: lambda x: x.dtype.type(1) / x,
    "invsqrt": lambda: lambda x: x.dtype.type(1) / _numpy("sqrt")()(x),
    "round": lambda: _round,
    **{name: _numpy(name) for name in FUNCTIONS if name not in ("inv", "invsqrt", "round")},
}  # fmt: skip
