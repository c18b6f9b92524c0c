"""The functions of <math.h> that compilers have vectors of, or make of instructions."""

_FUNCTIONS = frozenset(
    {"sqrt", "fabs", "abs", "exp", "exp2", "log", "log2", "log10", "pow", "sin", "cos", "tan",
     "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "fmin", "fmax", "fma", "floor",
     "ceil", "trunc", "round", "cbrt", "hypot", "copysign", "labs"}
)  # fmt: skip


def is_mathematical(name: str) -> bool:
    """Whether a name is one of them, for any of the floating-point types."""
    return name in _FUNCTIONS or name[:-1] in _FUNCTIONS
