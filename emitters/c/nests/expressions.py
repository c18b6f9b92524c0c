"""Typed expressions as C text that computes exactly what Halide defines.

The C value of an expression always lies in the range of its type: what C would compute in ``int``
is cast back where it could leave the narrower type, signed division rounds down, and products of
shorts are made in ``unsigned``, where overflow is defined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from s2s.emitters.c.nests.exact import EXACT, Exact, largest, magnitude, of_operation
from s2s.emitters.c.nests.floats import limited, may_trap
from s2s.emitters.c.nests.kinds import c_type, literal, promoted, suffix
from s2s.emitters.c.nests.operators import (
    AND,
    BIT_AND,
    BIT_OR,
    COMPARISONS,
    CONDITIONAL,
    EQUAL,
    OR,
    ORDER,
    PRIMARY,
    PRODUCT,
    SHIFT,
    SIGNS,
    SUM,
    UNARY,
)
from s2s.scop.errors import Inexpressible
from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Type,
    Unary,
    Variable,
)
from s2s.scop.intrinsics import expand_intrinsic
from s2s.scop.normal_form import normalized
from s2s.source.records import dataclass

_MATH = {
    "sqrt": "sqrt",
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
    "round": "rint",
    **{name: name for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
    **{name: name for name in ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")},
    **{name: name for name in ("exp", "log", "pow", "abs", "fma")},
}

_OWN_SINGLE = frozenset(("exp", "log", "pow"))
_OWN_IN_LANES = frozenset(("floor", "ceil", "trunc"))
"""Those of the C library keep gcc from vectorizing."""

_MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}

_CONVERSIONS = frozenset(
    f"{way}_{type}" for way in ("from", "to", "round") for type in ("float16", "bfloat16")
) | {"odd_float"}
"""What ``narrow_floats`` puts in."""

Text = tuple[str, int]
"""Text and the precedence of its outermost operator."""


@dataclass
class Writer:
    """Turns expressions into text; ``helpers`` collects the functions that the text calls."""

    variable: Callable[[str], str]
    load: Callable[[Load], str]
    helpers: set[str] = field(default_factory=set)
    headers: set[str] = field(default_factory=set)
    bound: dict[Expr, str] = field(default_factory=dict)
    """Expressions that are in C variables already."""
    lanes: bool = False
    """Whether the text stands in a vectorized loop: there it has no branches."""

    def text(self, expr: Expr, least: int = CONDITIONAL) -> str:
        """The C text, in parentheses where it binds less tightly than ``least``."""
        text, level = self._write(expr)
        return f"({text})" if level < least else text

    def _write(self, expr: Expr) -> Text:
        if expr in self.bound:
            return self.bound[expr], PRIMARY
        match expr:
            case Const():
                text = literal(expr)
                return text, UNARY if text.startswith("-") else PRIMARY
            case Variable(_, name):
                return self.variable(name), PRIMARY
            case Load():
                return self.load(expr), PRIMARY
            case Cast():
                return self._cast(expr)
            case Unary(_, "not", value):
                return f"!{self.text(value, UNARY)}", UNARY
            case Unary(kind, _, value):
                return self._fitting(kind, f"~{self.text(value, UNARY)}", UNARY)
            case Select(_, condition, then, otherwise):
                if self.lanes and (may_trap(then) or may_trap(otherwise)):
                    return self._helper("select", expr.type, condition, then, otherwise)
                test = self.text(condition, OR)
                arms = f"{self.text(then, OR)} : {self.text(otherwise, CONDITIONAL)}"
                return f"{test} ? {arms}", CONDITIONAL
            case Binary():
                return self._binary(expr)
            case Call():
                return self._call(expr)
        raise Inexpressible(f"no C for {type(expr).__name__}")

    def _fitting(self, type: Type, text: str, level: int) -> Text:
        """A value that C computed as int or unsigned, in the range of its type."""
        if not promoted(type):
            return text, level
        inner = text if level >= UNARY else f"({text})"
        return f"({c_type(type)}){inner}", UNARY

    def _cast(self, expr: Cast) -> Text:
        target, source = expr.type, expr.value.type
        if target == BOOL:
            return f"{self.text(expr.value, EQUAL + 1)} != 0", EQUAL
        converted = target.is_integer and expr.value not in self.bound
        value = (self._limits(expr.value) if converted else None) or self.text(expr.value, UNARY)
        if source.is_float and promoted(target):
            return f"({c_type(target)})(int){value}", UNARY
        return f"({c_type(target)}){value}", UNARY

    def _binary(self, expr: Binary) -> Text:
        op, type = expr.op, expr.type
        if op in ("min", "max"):
            limits = self._limits(expr, converted=False)
            return (limits, PRIMARY) if limits else self._helper(op, type, expr.left, expr.right)
        if op in ("div", "mod"):
            return self._division(expr)
        if op in ("shl", "shr"):
            return self._shift(expr)
        if op in EXACT and promoted(type) and type != BOOL:
            text, level, _ = self._narrowed(expr, self._exact(expr))
            return text, level
        if op in COMPARISONS and isinstance(expr.left, Const):
            expr = replace(expr, op=_MIRRORED[op], left=expr.right, right=expr.left)
            op = expr.op
        sign, level = SIGNS[op]
        left_level, right_level = level, level + 1
        if op in ("band", "bor", "bxor"):
            # Compilers warn about & beside arithmetic without parentheses.
            left_level, right_level = self._left_of_bits(expr, level), UNARY
        elif op in COMPARISONS:
            left_level = right_level = SUM
        elif level in (AND, OR) and self.lanes:
            sign, level = (sign[0], BIT_AND if level == AND else BIT_OR)
            left_level, right_level = self._left_of_bits(expr, level), UNARY
        elif level in (AND, OR):
            left_level = right_level = BIT_OR
        # Each operand is written once: twice would be 2**n times in a chain.
        left, right = self._operand(expr.left, left_level), self._operand(expr.right, right_level)
        return f"{left} {sign} {right}", level

    def _left_of_bits(self, expr: Binary, level: int) -> int:
        """How tightly the left operand of ``&``, ``|`` or ``^`` has to bind: as loosely only as
        the same operator.
        """
        left = expr.left
        same = isinstance(left, Binary) and left.op == expr.op and left not in self.bound
        return level if same else UNARY

    def _operand(self, expr: Expr, least: int) -> str:
        """An operand of arithmetic; C itself converts what is narrower than int."""
        return self.text(self._unconverted(expr), least)

    def _unconverted(self, expr: Expr) -> Expr:
        """What a conversion to a type that has all its values is of, where C computes in int."""
        if not isinstance(expr, Cast) or expr in self.bound:
            return expr
        source, target = expr.value.type, expr.type
        if not promoted(source) or source == BOOL or not (promoted(target) or target == INT32):
            return expr
        wider = target.smallest <= source.smallest and source.largest <= target.largest
        return expr.value if wider else expr

    def addend(self, value: Expr) -> str:
        """What is added to a narrow integer, or taken from it, and narrowed with it."""
        exact = self._exact(value)
        if of_operation("add", exact[2], largest(value.type)) > INT32.largest:
            exact = self._narrowed(value, exact)
        return exact[0]

    def _exact(self, expr: Expr) -> Exact:
        """A sum or product of narrow integers as int has it, where int is wide enough."""
        if not isinstance(expr, Binary) or expr.op not in EXACT or expr in self.bound:
            value = self._unconverted(expr)
            return (*self._write(value), magnitude(value))
        left, right = self._exact(expr.left), self._exact(expr.right)
        if of_operation(expr.op, left[2], right[2]) > INT32.largest:
            left, right = self._narrowed(expr.left, left), self._narrowed(expr.right, right)
        sign, level = SIGNS[expr.op]
        size = of_operation(expr.op, left[2], right[2])
        unsigned = size > INT32.largest  # defined where it overflows
        texts = _enclosed(left, UNARY if unsigned else level), _enclosed(right, level + 1)
        text = f"{'(unsigned)' if unsigned else ''}{f' {sign} '.join(texts)}"
        return self._narrowed(expr, (text, level, size)) if unsigned else (text, level, size)

    def _narrowed(self, expr: Expr, exact: Exact) -> Exact:
        """A value of int in the range of the expression's type."""
        text, level, _ = exact
        if not isinstance(expr, Binary) or expr.op not in EXACT or expr in self.bound:
            return exact
        return (*self._fitting(expr.type, text, level), largest(expr.type))

    def _limits(self, expr: Expr, converted: bool = True) -> str | None:
        """In lanes, limits of a float without a branch: several, or those of what is ``converted``.

        From ``(int)(x < 1 ? x : 1)`` gcc makes ``x < 1 ? (int)x : 1``, and of a choice in a choice
        branches, neither of which are the machine's minimum and maximum any more.
        """
        inner = limited(expr) if self.lanes else None
        if inner is None or not isinstance(expr, Binary):
            return None
        below = None if inner in self.bound else self._limits(inner)
        if not converted and below is None:
            return None
        operands = (expr.left, expr.right)
        texts = [below if below and o is inner else self.text(o) for o in operands]
        name = f"s2s_masked_{expr.op}_{suffix(expr.type)}"
        self.helpers.add(name)
        return f"{name}({', '.join(texts)})"

    def _division(self, expr: Binary) -> Text:
        type, divisor = expr.type, expr.right
        if type.is_float and expr.op == "div":
            left, right = self.text(expr.left, PRODUCT), self.text(divisor, PRODUCT + 1)
            return f"{left} / {right}", PRODUCT
        if not type.is_integer or not isinstance(divisor, Const):
            return self._helper(expr.op, type, expr.left, divisor)
        if divisor.value == 0:
            return "0", PRIMARY
        if type.code == "uint":
            sign = "/" if expr.op == "div" else "%"
            left = self.text(expr.left, PRODUCT)
            return f"{left} {sign} {self.text(divisor, PRIMARY)}", PRODUCT
        if divisor.value < 0:
            return self._helper(expr.op, type, expr.left, divisor)
        return self._by_constant(expr, int(divisor.value))

    def _by_constant(self, expr: Binary, divisor: int) -> Text:
        """Signed division, rounded down, by a positive constant."""
        left = expr.left
        if divisor & (divisor - 1):
            return self._helper(f"floor_{expr.op}", expr.type, left, expr.right)
        if expr.op == "mod":
            mask = literal(Const(expr.type, divisor - 1))
            return f"{self.text(left, UNARY)} & {mask}", BIT_AND
        if divisor == 1:
            return self._write(left)
        return f"{self.text(left, PRODUCT)} >> {divisor.bit_length() - 1}", SHIFT

    def _shift(self, expr: Binary) -> Text:
        distance = expr.right
        if isinstance(distance, Const):
            return self._shift_by(expr, int(distance.value))
        if distance.type.code == "int":
            return self._helper(expr.op, expr.type, expr.left, distance)
        right = self.text(distance, UNARY)
        if expr.op == "shr":
            return f"{self.text(expr.left, UNARY)} >> {right}", SHIFT
        return self._fitting(expr.type, f"{self._unsigned(expr.left)} << {right}", SHIFT)

    def _shift_by(self, expr: Binary, distance: int) -> Text:
        left = expr.op == "shl"
        if distance < 0:
            left, distance = not left, -distance
        if not left:
            return f"{self.text(expr.left, UNARY)} >> {distance}", SHIFT
        text = f"{self._unsigned(expr.left)} << {distance}"
        if expr.type.code == "int" and expr.type.bits >= 32:
            return f"({c_type(expr.type)})({text})", UNARY
        return self._fitting(expr.type, text, SHIFT)

    def _unsigned(self, expr: Expr) -> str:
        """The value as what C may shift left without overflow."""
        if expr.type.code == "uint" and expr.type.bits >= 32:
            return self.text(expr, UNARY)
        type = Type("uint", max(32, expr.type.bits))
        name = "unsigned" if type.bits == 32 else c_type(type)
        return f"({name}){self.text(expr, UNARY)}"

    def _helper(self, operation: str, type: Type, *arguments: Expr) -> Text:
        name = f"s2s_{operation}_{suffix(type)}"
        self.helpers.add(name)
        if type.is_float:
            self.headers.add("math.h")
        return f"{name}({', '.join(map(self.text, arguments))})", PRIMARY

    def _call(self, call: Call) -> Text:
        plain = expand_intrinsic(call)
        if plain is not None:
            return self._write(normalized(plain))
        if call.name in ("likely", "likely_if_innermost", "strict_float"):
            return self._write(call.arguments[0])
        if call.name in ("fast_inverse", "fast_inverse_sqrt"):
            return self._inverse(call)
        if call.name in ("div_round_to_zero", "mod_round_to_zero"):
            return self._helper(call.name, call.type, *call.arguments)
        if call.name == "abs" and not call.arguments[0].type.is_float:
            return self._integer_abs(call)
        if call.name in _MATH and call.type.is_float:
            return self._math(call)
        if call.name == "reinterpret":
            return self._reinterpret(call)
        if call.name in _CONVERSIONS:
            self.helpers.add(f"s2s_{call.name}")
            return f"s2s_{call.name}({self.text(call.arguments[0])})", PRIMARY
        if call.name in ("is_nan", "is_inf", "is_finite"):
            self.headers.add("math.h")
            name = call.name.replace("_", "")
            return f"({name}({self.text(call.arguments[0])}) != 0)", PRIMARY
        if call.name in ("count_leading_zeros", "count_trailing_zeros", "popcount"):
            return self._bits(call)
        if call.name == "undef":
            return literal(Const(call.type, 0.0 if call.type.is_float else 0)), PRIMARY
        raise Inexpressible(f"no C for the function {call.name} on {call.type}")

    def _integer_abs(self, call: Call) -> Text:
        value = call.arguments[0]
        test = f"{self.text(value, ORDER + 1)} < 0"
        unsigned = f"({c_type(Type('uint', max(32, value.type.bits)))})"
        positive = f"{unsigned}{self.text(value, UNARY)}"
        text = f"{test} ? 0 - {positive} : {positive}"
        if promoted(call.type):
            return f"({c_type(call.type)})({text})", UNARY
        return text, CONDITIONAL

    def _math(self, call: Call) -> Text:
        self.headers.add("math.h")
        single = call.type.bits == 32
        if single and (call.name in _OWN_SINGLE or (self.lanes and call.name in _OWN_IN_LANES)):
            name = f"s2s_{call.name}_f32"
            self.helpers.add(name)
        else:
            name = "fabs" if call.name == "abs" else _MATH[call.name]
            name += "f" if single else ""
        return f"{name}({', '.join(map(self.text, call.arguments))})", PRIMARY

    def _inverse(self, call: Call) -> Text:
        """Halide's result is as near as the machine's estimate is; this is the nearest."""
        (value,) = call.arguments
        if call.name == "fast_inverse_sqrt":
            value = Call(call.type, "sqrt", (value,))
        return self._write(Binary(call.type, "div", Const(call.type, 1.0), value))

    def _reinterpret(self, call: Call) -> Text:
        (value,) = call.arguments
        if value.type == call.type:
            return self._write(value)
        if value.type.is_integer and call.type.is_integer:
            return f"({c_type(call.type)}){self.text(value, UNARY)}", UNARY
        self.headers.add("string.h")
        name = f"s2s_bits_{suffix(value.type)}_{suffix(call.type)}"
        self.helpers.add(name)
        return f"{name}({self.text(value)})", PRIMARY

    def _bits(self, call: Call) -> Text:
        (value,) = call.arguments
        bits = value.type.bits
        unsigned = Type("uint", bits)
        text = f"({c_type(unsigned)}){self.text(value, UNARY)}"
        long = "ll" if bits == 64 else ""
        if call.name == "popcount":
            return f"__builtin_popcount{long}({text})", PRIMARY
        word = max(bits, 32)
        zero = f"{self.text(value, EQUAL + 1)} == 0 ? {bits} : "
        if call.name == "count_trailing_zeros":
            return f"{zero}__builtin_ctz{long}({text})", CONDITIONAL
        less = f" - {word - bits}" if word > bits else ""
        return f"{zero}__builtin_clz{long}({text}){less}", CONDITIONAL


def _enclosed(exact: Exact, least: int) -> str:
    text, level, _ = exact
    return f"({text})" if level < least else text
