"""What compiled text calls: operations of C that Python has not, and C's library."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

from s2s.net.errors import Exited, NotExecuted, Undefined
from s2s.net.shapes import DOUBLE, FLOAT, INT, LONG, VOID, Shape

_ROUND = ctypes.c_float
_INDEFINITE = -(1 << 63)


def divide(left: float, right: float) -> float:
    """Division of floating-point numbers."""
    try:
        return left / right
    except ZeroDivisionError:
        if left != left or left == 0 or right != right:
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)


def quotient(left: int, right: int) -> int:
    """Division of integers, towards zero."""
    if right == 0:
        raise Undefined("division by zero")
    if left >= 0 and right > 0:
        return left // right
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


def remainder(left: int, right: int) -> int:
    if left >= 0 and right > 0:
        return left % right
    return left - quotient(left, right) * right


def shifted(value: int, by: int) -> int:
    if not 0 <= by < 64:
        raise Undefined("a shift by more than the width")
    return value << by


def truncated(value: float) -> int:
    """A number as an integer; where it is none, what x86 gives."""
    try:
        found = int(value)
    except (ValueError, OverflowError):
        return _INDEFINITE
    return found if -(1 << 63) <= found < 1 << 64 else _INDEFINITE


def refuse(why: str) -> Any:
    raise NotExecuted(why)


def undefined(why: str) -> Any:
    raise Undefined(why)


def checked(subscript: int, count: int) -> int:
    """A subscript that is within its row."""
    if not 0 <= subscript < count:
        raise Undefined("a subscript outside of its array")
    return subscript


def moved(memory: Any, target: int, source: int, scalars: list[tuple[int, Any]]) -> int:
    """Assignment of a record."""
    values = [(target + offset, memory[source + offset]) for offset, _ in scalars]
    for address, value in values:
        memory[address] = value
        memory.written.add(address)
    return target


def stored(memory: Any, address: int, value: Any, note: Any) -> Any:
    """A store inside of an expression."""
    memory[address] = value
    note(address)
    return value


def ended(*_: Any) -> Any:
    raise Exited


def _guarded(function: Callable[..., float]) -> Callable[..., float]:
    def call(*arguments: float) -> float:
        try:
            return float(function(*arguments))
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return call


def _log(function: Callable[[float], float]) -> Callable[[float], float]:
    def call(value: float) -> float:
        return -math.inf if value == 0 else function(value)

    return _guarded(call)


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except ValueError:
        return math.inf if base == 0 else math.nan


def _least(left: float, right: float) -> float:
    if left != left:
        return right
    return left if right != right or left <= right else right


def _most(left: float, right: float) -> float:
    if left != left:
        return right
    return left if right != right or left >= right else right


def _kept(value: float, function: Callable[[float], int]) -> float:
    return math.copysign(float(function(value)), value) if math.isfinite(value) else value


_MATH: dict[str, Callable[..., float]] = {
    name: _guarded(getattr(math, name))
    for name in (
        "sqrt", "sin", "cos", "tan", "exp", "asin", "acos", "atan", "atan2", "sinh", "cosh",
        "tanh", "hypot", "fmod", "cbrt", "exp2", "expm1", "log1p", "erf", "erfc", "copysign",
        "asinh", "acosh", "atanh", "ldexp", "lgamma", "remainder",
    )
    if hasattr(math, name)
} | {
    "fabs": abs,
    "pow": _guarded(_power),
    "log": _log(math.log),
    "log2": _log(math.log2),
    "log10": _log(math.log10),
    "floor": lambda v: _kept(v, math.floor),
    "ceil": lambda v: _kept(v, math.ceil),
    "trunc": lambda v: _kept(v, math.trunc),
    "rint": lambda v: _kept(v, round),
    "nearbyint": lambda v: _kept(v, round),
    "round": lambda v: _kept(math.copysign(abs(v) + 0.5, v), math.trunc),
    "fmin": _least,
    "fmax": _most,
    "fma": lambda a, b, c: a * b + c,
}  # fmt: skip


def mathematics(name: str) -> tuple[Callable[..., float], Shape] | None:
    """A function of <math.h> on numbers, and the type of its arguments and result."""
    name = name.removeprefix("__builtin_")
    if name in _MATH:
        return _MATH[name], DOUBLE
    if name.endswith("f") and name[:-1] in _MATH:
        double = _MATH[name[:-1]]
        return (lambda *a: _ROUND(double(*a)).value), FLOAT
    return None


INTEGERS: dict[str, tuple[Callable[..., Any], Shape]] = {
    "abs": (abs, INT),
    "labs": (abs, LONG),
    "llabs": (abs, LONG),
    "omp_get_num_threads": (lambda: 1, INT),
    "omp_get_thread_num": (lambda: 0, INT),
    "omp_get_num_procs": (lambda: 4, INT),
    "omp_in_parallel": (lambda: 0, INT),
    "omp_get_level": (lambda: 0, INT),
    "omp_get_wtime": (lambda: 0.0, DOUBLE),
    "__builtin_expect": (lambda value, _: value, LONG),
    "exit": (ended, VOID),
    "abort": (ended, VOID),
    "__assert_fail": (ended, VOID),
    "isnan": (lambda v: int(v != v), INT),
    "isinf": (lambda v: int(math.isinf(v)), INT),
    "signbit": (lambda v: int(math.copysign(1.0, v) < 0), INT),
}
"""Functions of integers and others without memory, with the types of their results."""

OUTPUT = frozenset({"printf", "fprintf", "puts", "putchar", "fputs", "fflush", "putc", "fputc"})
"""Functions whose calls are compared, one by one."""

RUNTIME: dict[str, Any] = {
    "_R": _ROUND, "_div": divide, "_quo": quotient, "_rem": remainder, "_shl": shifted,
    "_int": truncated, "_no": refuse, "_undef": undefined, "_at": checked, "_move": moved,
    "_set": stored, "_scalars": [],
}  # fmt: skip
