"""C expressions as polynomials and isl formulas, with the conditions under which that is right.

C integers wrap (unsigned) or truncate (division); a polynomial does neither. Wherever the two
could differ, a *requirement* is noted: a formula that must hold for no iteration that evaluates
the expression. Requirements become run-time assumptions of the region.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field, replace

from s2s.frontends.c.chosen import Chosen, Comparison, Condition
from s2s.frontends.c.evaluated import Context, Requirement
from s2s.frontends.c.fixed_places import is_readable, places_in, spelled, subscripts
from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.remainders import remainder
from s2s.frontends.c.row_lengths import RowLengths
from s2s.frontends.c.syntax import CASTS, CType, Decl, Node
from s2s.scop.nodes import Parameter
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "=", "!=": "!="}


@dataclass
class Affine:
    """Converts expressions of one region; owns its parameters and requirements.

    ``invariant`` answers whether a variable or member keeps its value in the region.
    """

    invariant: Callable[[Node], bool]
    text: Callable[[Node], str]
    number: Callable[[Decl], int | None]
    """What a variable is wherever the function names it, where that is one number."""
    parameters: dict[str, Parameter] = field(default_factory=dict)
    parameter_nodes: dict[str, Node] = field(default_factory=dict)
    requirements: list[Requirement] = field(default_factory=list)
    values: dict[Decl, Polynomial] = field(default_factory=dict)
    """Scalars whose current value is known (forward substitution)."""
    products: dict[str, Polynomial] = field(default_factory=dict)
    """Parameters that stand for polynomials of others, with these."""
    equal_products: dict[str, Polynomial] = field(default_factory=dict)
    """Those that are equal to them: what is computed in 32 bits without a sign may wrap."""
    reads_anywhere: bool = False
    """Whether places behind pointers may be read where the source would not read them yet."""
    readable: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For parameters that are places in memory, under which of these conditions (isl text) the
    source reads them."""
    _names: dict[tuple[object, ...], str] = field(default_factory=dict)
    _in_address: bool = False
    _taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.chosen = Chosen(self.fresh_name)
        self.rows = RowLengths(self.parameters, self.fresh_name)

    def settled_parameters(self) -> dict[str, Parameter]:
        """All parameters, each with the condition under which it can be read."""
        for name, conditions in self.readable.items():
            condition = "" if "" in conditions else " or ".join(f"({c})" for c in conditions)
            self.parameters[name] = replace(self.parameters[name], readable=condition)
        return self.parameters

    def fresh_name(self, wanted: str) -> str:
        """An identifier for isl that nothing else of the region has."""
        base = re.sub(r"\W+", "_", wanted).strip("_") or "p"
        base = base if not re.match(r"\d", base) and base not in _ISL_WORDS else f"v_{base}"
        name, count = base, 1
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name

    def subscript(self, node: Node, context: Context) -> Polynomial | None:
        """``polynomial`` of a value that is only added to an address.

        What wraps in 64 bits leads to the same address as what does not.
        """
        self._in_address = True
        try:
            return self.polynomial(node, context)
        finally:
            self._in_address = False

    def polynomial(self, node: Node, context: Context) -> Polynomial | None:
        """The value of an integer expression, None where it is not a polynomial."""
        if node.value is not None and node.type.kind == "int":
            return Polynomial.integer(node.value)
        if node.type.kind != "int":
            return None
        if node.kind == "DECL_REF_EXPR":
            return self._variable(node, context)
        if node.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR") or (
            node.kind == "UNARY_OPERATOR" and node.op == "*"
        ):
            return self._place(node, context)
        if node.kind in CASTS and node.children:
            return self._cast(node, context)
        if node.kind == "UNARY_OPERATOR" and node.op == "~" and node.type.signed:
            value = self.polynomial(node.children[0], context)
            return None if value is None else -value - Polynomial.integer(1)
        if node.kind == "UNARY_OPERATOR" and node.op in ("-", "+"):
            value = self.polynomial(node.children[0], context)
            if value is None or node.op == "+":
                return value
            return self._no_wrap(-value, node, context)
        if node.kind == "BINARY_OPERATOR" and len(node.children) == 2:
            return self._binary(node, context)
        if node.kind == "CONDITIONAL_OPERATOR" and len(node.children) == 3:
            return self._conditional(node, context)
        return None

    def _conditional(self, node: Node, context: Context) -> Polynomial | None:
        condition = self.condition(node.children[0], context)
        if condition is None:
            return None
        contexts = context.under(condition.formula), context.under(f"not ({condition.formula})")
        then, otherwise = map(self.polynomial, node.children[1:], contexts)
        if then is None or otherwise is None:
            return None
        return self.chosen.choose(condition, then, otherwise)

    def condition(self, node: Node, context: Context) -> Condition | None:
        """An affine condition with what it compares."""
        formula = self.formula(node, context)
        if formula is None:
            return None
        if node.kind != "BINARY_OPERATOR" or node.op not in RELATIONS:
            return Condition(formula, None)
        left, right = (self.polynomial(c, context) for c in node.children)
        if left is None or right is None:
            return Condition(formula, None)
        return Condition(formula, Comparison(left, node.op, right))

    def _variable(self, node: Node, context: Context) -> Polynomial | None:
        decl = node.decl
        if decl is None:
            return None
        for known, variable in zip(context.decls, context.iterators, strict=True):
            if known is decl:
                return Polynomial.name(variable.name)
        if decl in self.values:
            return self.values[decl]
        if decl.kind not in ("VAR_DECL", "PARM_DECL") or decl.type.volatile or decl.type.reference:
            return None
        number = self.number(decl) if self.invariant(node) else None
        if number is not None:
            return Polynomial.integer(number)
        return self._parameter(node, (decl, ""), decl.name)

    def _place(self, node: Node, context: Context) -> Polynomial | None:
        """A member or an element that keeps its value, as a parameter."""
        path = resolve(node)
        if path is None or path.root is None or path.union or path.root.thread_local:
            return None
        if node.type.volatile or path.root.type.volatile or not self.invariant(node):
            return None
        named = frozenset(self.parameters)
        indices = subscripts(path, lambda index: self.polynomial(index, context), named)
        if indices is None:
            return None
        key = (path.root, path.key, indices)
        readable = self._readable(path, indices, context)
        known = self._names.get(key)
        if known is None and readable is None:
            return None
        value = self._parameter(node, key, _name_of_place(path, indices))
        if known is None and value is not None:
            self.readable[self._names[key]] = (readable or "",)
        elif known is not None and readable is not None and "" not in self.readable[known]:
            self.readable[known] = (*self.readable[known], readable) if readable else ("",)
        return value

    def bound(self, node: Node, context: Context) -> Polynomial | None:
        """The affine value of a loop's bound; what is not affine in it is a parameter by itself.

        ``i < n * m - 1`` is below the parameter ``(n * m)`` less one.
        """
        value = self.polynomial(node, context)
        if (value is not None and value.is_affine) or node.type.kind != "int":
            return value
        if node.kind in CASTS and node.children:
            return self._cast(node, context, self.bound)
        if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-"):
            left, right = (self.bound(child, context) for child in node.children)
            if left is not None and right is not None and left.is_affine and right.is_affine:
                both = left + right if node.op == "+" else left - right
                return both if node.op == "+" else self._no_wrap(both, node, context)
        found = self._expression(node, context)
        if found is not None and value is not None:
            (name,) = found.names
            self.products[name] = value
            if not _may_wrap(node):
                self.equal_products[name] = value
        return found

    def _expression(self, node: Node, context: Context) -> Polynomial | None:
        """The value of an expression of what keeps its value, as a parameter."""
        text = spelled(node)
        found = places_in(node) if text else None
        if found is None or any(
            p.node.kind == "DECL_REF_EXPR" and not self.invariant(p.node) for p in found
        ):
            return None
        if any(self.polynomial(p.node, context) is None for p in found):
            return None
        if any(p.root is d for p in found for d in (*context.decls, *self.values)):
            return None
        readable = self._early(context)
        if readable is None:
            return None
        key = ("expression", text, *(p.root for p in found))
        if key not in self._names:
            name = self._names[key] = self.fresh_name(text)
            type_ = node.type
            self.parameters[name] = Parameter(
                name, f"({text})", type_.spelling, not type_.signed, type_.size
            )
            self.parameter_nodes[name] = node
            self.readable[name] = (readable,)
        return Polynomial.name(self._names[key])

    def _readable(
        self, path: Path, indices: tuple[Polynomial, ...], context: Context
    ) -> str | None:
        """Under which condition on parameters the source reads a place that may not exist.

        Empty where it can be read at any time; None where that depends on more than parameters.
        """
        return "" if is_readable(path, indices) else self._early(context)

    def _early(self, context: Context) -> str | None:
        """Under which condition on parameters the source evaluates what stands here."""
        if self.reads_anywhere:
            return ""
        if not context.certain:
            return None
        if not context.formulas:
            return ""
        names = ", ".join(v.name for v in context.iterators)
        return f"exists ({names} : {context.formula})" if names else context.formula

    def _parameter(self, node: Node, key: tuple[object, ...], wanted: str) -> Polynomial | None:
        if not self.invariant(node) or node.type.size > 8 or node.type.size < 1:
            return None
        if key not in self._names:
            name = self._names[key] = self.fresh_name(wanted)
            self.parameters[name] = Parameter(
                name, self.text(node), node.type.spelling, not node.type.signed, node.type.size
            )
            self.parameter_nodes[name] = node
        return Polynomial.name(self._names[key])

    def _cast(
        self, node: Node, context: Context,
        evaluate: Callable[[Node, Context], Polynomial | None] | None = None,
    ) -> Polynomial | None:  # fmt: skip
        operand = node.children[-1]
        source, target = operand.type, node.type
        if _comes_back(source, target):
            modular = self._modular(operand, context)
            if modular is not None and modular.is_affine:
                low, high = -(1 << 31), (1 << 31) - 1
                text = f"{modular.isl()} > {high} or {modular.isl()} < {low}"
                self.requirements.append(Requirement(context, text, node))
                return modular
        value = (evaluate or self.polynomial)(operand, context)
        if value is None or source.kind != "int":
            return None
        if value.number is not None:
            fits = target.signed or value.number >= 0
            return value if fits and target.size >= 4 else None
        if target.size < source.size or target.size < 4:
            return None
        if not target.signed and source.signed:
            return self._nonnegative(value, node, context)
        if target.signed and not source.signed and target.size == source.size:
            return value  # values beyond the signed range are not met in loops that end
        return value

    def _modular(self, node: Node, context: Context) -> Polynomial | None:
        """The sum or product that an unsigned value is but for multiples of 2**32."""
        inner = node.children[-1] if node.children else node
        keeps = (
            node.type.kind == inner.type.kind == "int" and 4 <= node.type.size <= inner.type.size
        )
        if node.kind in CASTS and keeps:
            return self._modular(inner, context)
        if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-", "*"):
            left, right = (self._modular(child, context) for child in node.children)
            if left is None or right is None:
                return None
            return left * right if node.op == "*" else left + right.scaled(1 - 2 * (node.op == "-"))
        return self.polynomial(node, context)

    def _binary(self, node: Node, context: Context) -> Polynomial | None:
        left = self.polynomial(node.children[0], context)
        right = self.polynomial(node.children[1], context) if left is not None else None
        if left is None or right is None:
            return None
        if node.op == "+":
            return self._fits(left + right, node, context)
        if node.op == "-":
            return self._no_wrap(left - right, node, context)
        if node.op == "*":
            left, right = self.rows.name_lengths(left, right)
            return self._fits(left * right, node, context)
        exact = _exact_quotient(left, right) if node.type.signed else None
        if exact is not None and node.op in ("/", "%"):
            return exact if node.op == "/" else Polynomial.integer(0)
        constant = right.number
        if node.op == "%" and constant is None:
            found = remainder(node, left, right, context, self.chosen, self.parameters)
            self.requirements += [] if found is None else [found[1]]
            return None if found is None else found[0]
        if node.op == "&" and constant is not None and left.is_affine:
            return _masked(left, constant)
        if constant is None or constant <= 0:
            return None
        if node.op == "<<" and constant < 31:
            return self._fits(left * Polynomial.integer(1 << constant), node, context)
        if node.op in ("/", "%", ">>") and left.is_affine:
            if self._nonnegative(left, node, context) is None:
                return None
            divisor = 1 << constant if node.op == ">>" else constant
            if left.number is not None:
                number = left.number
                return Polynomial.integer(number % divisor if node.op == "%" else number // divisor)
            if node.op == "%":
                return Polynomial.name(f"({left.isl()} mod {divisor})")
            return self.rows.quotient(left, divisor)
        return None

    def _no_wrap(self, value: Polynomial, node: Node, context: Context) -> Polynomial | None:
        return value if node.type.signed else self._nonnegative(value, node, context)

    def _fits(self, value: Polynomial, node: Node, context: Context) -> Polynomial:
        """A sum or product of parameters that is a bound may not have wrapped."""
        wraps = value.number is None and not node.type.signed and node.type.size == 4
        if wraps and value.is_affine and value.names <= self.parameters.keys():
            violation = f"{value.isl()} > {(1 << 32) - 1}"
            self.requirements.append(Requirement(context, violation, node))
        return value

    def _nonnegative(self, value: Polynomial, node: Node, context: Context) -> Polynomial | None:
        if not value.is_affine:
            return value if self._in_address and node.type.size == 8 else None
        if value.number is None:
            self.requirements.append(Requirement(context, f"{value.isl()} < 0", node))
        elif value.number < 0:
            return None
        return value

    def formula(self, node: Node, context: Context) -> str | None:
        """A condition in isl's notation, None where it is not affine."""
        outside, self._in_address = self._in_address, False
        try:
            return self._formula(node, context)
        finally:
            self._in_address = outside

    def _formula(self, node: Node, context: Context) -> str | None:
        if node.value is not None:
            return "true" if node.value else "false"
        if node.kind == "BINARY_OPERATOR" and node.op in ("&&", "||"):
            left = self._formula(node.children[0], context)
            if left is None:
                return None
            inner = context.under(left if node.op == "&&" else f"not ({left})")
            right = self._formula(node.children[1], inner)
            word = "and" if node.op == "&&" else "or"
            return None if right is None else f"(({left}) {word} ({right}))"
        if node.kind == "UNARY_OPERATOR" and node.op == "!":
            inner_formula = self._formula(node.children[0], context)
            return None if inner_formula is None else f"(not ({inner_formula}))"
        if node.kind in CASTS and node.type.kind == "int" and node.children:
            return self._formula(node.children[-1], context) if node.children[-1].kind in (
                "BINARY_OPERATOR", "UNARY_OPERATOR") else None  # fmt: skip
        if node.kind == "BINARY_OPERATOR" and node.op in RELATIONS:
            left_value, right_value = (self.polynomial(c, context) for c in node.children)
            if left_value is None or right_value is None:
                return None
            return self._relation(left_value, RELATIONS[node.op], right_value)
        value = self.polynomial(node, context)
        return None if value is None else self._relation(value, "!=", Polynomial.integer(0))

    def _relation(self, left: Polynomial, op: str, right: Polynomial) -> str | None:
        sides = self.chosen.shown(left), self.chosen.shown(right)
        if not all(side.is_affine for side in sides):
            return None
        text = f"{sides[0].isl()} {op} {sides[1].isl()}"
        return self.chosen.formula((left, right), text)


def _may_wrap(node: Node) -> bool:
    """Whether part of an expression is computed in 32 bits without a sign."""
    computed = (n for n in node.walk() if n.kind in ("BINARY_OPERATOR", "UNARY_OPERATOR"))
    return any(n.type.kind == "int" and not n.type.signed and n.type.size < 8 for n in computed)


def _masked(value: Polynomial, mask: int) -> Polynomial | None:
    """The lowest bits of a value, or all but these: remainders that are not negative."""
    lowest = mask + 1 if mask >= 0 else -mask
    if lowest & (lowest - 1) or value.number is not None:
        return None if value.number is None else Polynomial.integer(value.number & mask)
    rest = Polynomial.name(f"({value.isl()} mod {lowest})") if lowest > 1 else Polynomial()
    return rest if mask >= 0 else value - rest


def _comes_back(source: CType, target: CType) -> bool:
    """Whether an unsigned value becomes signed again, in which its lowest bits are what counts."""
    sizes = source.size == target.size == 4
    return sizes and source.kind == target.kind == "int" and target.signed and not source.signed


def _name_of_place(path: Path, indices: tuple[Polynomial, ...]) -> str:
    """What to call a place in isl: ``grid_0``, ``p_n``."""
    assert path.root is not None
    fields = [part.strip("*") for part in path.key.split(".")[1:]]
    numbers = [
        str(i.number) if i.number is not None else "_".join(sorted(i.names))
        for i, step in zip(indices, path.steps, strict=True)
        if step.index is not None
    ]
    return "_".join([path.root.name, *fields, *numbers])


def _exact_quotient(left: Polynomial, right: Polynomial) -> Polynomial | None:
    """``left / right`` where ``right`` is a name that each term of ``left`` contains."""
    if right.atom is None or len(right.atom) != 1:
        return None
    quotient, rest = left.divide(right.atom[0])
    return None if rest.number != 0 or quotient.number == 0 else quotient


_ISL_WORDS = frozenset(
    [
        "and",
        "or",
        "not",
        "exists",
        "mod",
        "floor",
        "ceild",
        "floord",
        "min",
        "max",
        "true",
        "false",
        "implies",
        "infty",
        "NaN",
        "div",
        "divs",
        "lt",
        "le",
        "gt",
        "ge",
        "eq",
        "ne",
        "rat",
        "e",
    ]
)
