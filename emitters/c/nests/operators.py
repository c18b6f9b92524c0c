"""C's operators: how they are written and how tightly they bind."""

# C's precedence, higher binds tighter.
(
    CONDITIONAL,
    OR,
    AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQUAL,
    ORDER,
    SHIFT,
    SUM,
    PRODUCT,
    UNARY,
    PRIMARY,
) = range(13)

SIGNS = {
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", PRODUCT),
    "eq": ("==", EQUAL),
    "ne": ("!=", EQUAL),
    "lt": ("<", ORDER),
    "le": ("<=", ORDER),
    "gt": (">", ORDER),
    "ge": (">=", ORDER),
    "and": ("&&", AND),
    "or": ("||", OR),
    "band": ("&", BIT_AND),
    "bor": ("|", BIT_OR),
    "bxor": ("^", BIT_XOR),
}

COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
