"""The functions of <math.h> that compilers have vectors of, or make of instructions."""

_FUNCTIONS = frozenset(
    {"sqrt", "fabs", "abs", "exp", "exp2", "log", "log2", "log10", "pow", "sin", "cos", "tan",
     "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "fmin", "fmax", "fma", "floor",
     "ceil", "trunc", "round", "cbrt", "hypot", "copysign", "labs"}
)  # fmt: skip


def is_mathematical(name: str) -> bool:
    """Whether a name is one of them, for any of the floating-point types."""
    return name in _FUNCTIONS or name[:-1] in _FUNCTIONS


# What compilers make one instruction of, or a few, on some machines at least.
_QUICK = frozenset(
    {"sqrt", "fabs", "abs", "fmin", "fmax", "fma", "floor", "ceil", "trunc", "round", "copysign",
     "labs"}
)  # fmt: skip


def is_slow(name: str) -> bool:
    """Whether libraries take many instructions for a function of <math.h>."""
    quick = name in _QUICK or name[:-1] in _QUICK
    return is_mathematical(name) and not quick
