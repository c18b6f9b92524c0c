"""Expressions of C as text of Python that computes them on numbers and symbols.

Integers are Python's, brought back into C's types where those wrap. A pointer is an array and a
place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.members import member_path
from s2s.frontends.c.syntax import ASSIGNMENTS, CASTS, INCREMENTS, CType, Decl, Node
from s2s.frontends.c.traces.library import innermost, library_call, number_type
from s2s.frontends.c.typed.arithmetic import common
from s2s.scop.expressions import Type
from s2s.scop.symbol_arithmetic import convert
from s2s.scop.symbols import NotSymbolic, Value
from s2s.source import Span
from s2s.source.records import dataclass

_COMPARISONS = frozenset({"<", "<=", ">", ">="})
_BITS = frozenset({"<<", ">>", "&", "|", "^"})


@dataclass
class Names:
    """What names stand for: ``numbers`` the caller gave, ``arrays`` the function was found to use.

    ``functions`` gives the name under which a function that is called stands in the text.
    """

    numbers: Mapping[str, int]
    functions: Callable[[Node, Decl], str | None]
    text: Callable[[Span], str]
    """What the file has there."""
    arrays: dict[str, Type] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    """What the text refers to besides: conversions."""
    spans: list[Span] = field(default_factory=list)
    """Where statements are, by their numbers."""
    missing: frozenset[Decl] = frozenset()
    """Parameters without a value that nothing sets."""
    _variables: dict[Decl, str] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def variable(self, decl: Decl) -> str:
        """The name of a variable in the text."""
        word = decl.name if decl.name.isascii() and decl.name.isidentifier() else ""
        return self._variables.setdefault(decl, f"v{len(self._variables)}_{word}")

    def fresh(self, word: str) -> str:
        """A name that nothing else has."""
        self._counts[word] = self._counts.get(word, 0) + 1
        return f"{word}{self._counts[word]}"

    def at(self, node: Node) -> int:
        """The number of a statement."""
        self.spans.append(node.span)
        return len(self.spans) - 1

    def array(self, name: str, type_: CType, span: Span) -> str:
        """A pointer to an array of the caller. Raises NotSymbolic."""
        element = number_type(innermost(type_))
        if element is None:
            spelling = innermost(type_).spelling
            raise NotSymbolic(f"'{name}' has elements of type '{spelling}'", span)
        self.arrays.setdefault(name, element)
        return repr((name, 0))


class Expressions:
    """Prints expressions; all methods raise NotSymbolic for what has no place here."""

    def __init__(self, names: Names) -> None:
        self.names = names

    # ---- values

    def value(self, node: Node) -> str:
        """The text of an expression's value."""
        if node.value is not None and node.type.kind == "int":
            return f"({node.value})"
        match node.kind:
            case "DECL_REF_EXPR" if node.decl is not None:
                return self._name(node, node.decl)
            case "ARRAY_SUBSCRIPT_EXPR":
                return self._element(node)
            case "MEMBER_REF_EXPR":
                return self._member(node)
            case "FLOATING_LITERAL" if node.real is not None:
                return f"({node.real!r})"
            case "CXX_BOOL_LITERAL_EXPR":
                return "(1)" if self.names.text(node.span) == "true" else "(0)"
            case "UNARY_OPERATOR":
                return self._unary(node)
            case "BINARY_OPERATOR":
                return self._binary(node)
            case "COMPOUND_ASSIGNMENT_OPERATOR":
                return self._compound(node)
            case "CONDITIONAL_OPERATOR":
                return self._choice(node)
            case "CALL_EXPR":
                return self._call(node)
            case kind if kind in CASTS and node.children:
                return self._cast(node, node.children[-1])
            case "UNEXPOSED_EXPR" | "INIT_LIST_EXPR" if len(node.children) == 1:
                return self.value(node.children[0])
        raise NotSymbolic(_about(node), node.span)

    def _name(self, node: Node, decl: Decl) -> str:
        if decl.is_global and decl.kind == "VAR_DECL":
            return self._global(node, decl)
        if decl in self.names.missing:
            return self.unknown(decl.name, node)
        return self.names.variable(decl)

    def _global(self, node: Node, decl: Decl) -> str:
        if decl.type.kind in ("array", "pointer"):
            return self.names.array(decl.name, decl.type, node.span)
        number = clang.evaluate(decl.cursor) if decl.type.const else None
        if number is None:
            return self.unknown(decl.name, node)
        return f"({number})"

    def unknown(self, name: str, node: Node) -> str:
        """An expression that says that a value is missing when it is needed."""
        text = f"the value of '{name}' is not known; give it as a size"
        return f"unknown({text!r}, {self.names.at(node)})"

    def _member(self, node: Node) -> str:
        path, base = member_path(node)
        if node.decl is None or base is None or base.kind != "PARM_DECL":
            raise NotSymbolic("a member of a structure that is no parameter", node.span)
        if node.type.kind in ("pointer", "array"):
            return self.names.array("_".join(path), node.decl.type, node.span)
        names = (".".join(path[k:]) for k in range(len(path)))
        known = (self.names.numbers.get(name) for name in names)
        number = next((one for one in known if one is not None), None)
        return self.unknown(".".join(path), node) if number is None else f"({number})"

    def _cast(self, node: Node, inner: Node) -> str:
        new, old = number_type(node.type), number_type(inner.type)
        text = self.value(inner)
        if node.type.kind == "pointer" and inner.type.kind in ("pointer", "array"):
            self._check_pointed(node, inner)
        if new is None or old is None:
            return text
        return self.converted(text, new, old)

    def _check_pointed(self, node: Node, inner: Node) -> None:
        """A pointer has to stay one to the same elements."""
        kinds = [innermost(one.type) for one in (node, inner)]
        if "void" in (k.kind for k in kinds):
            return
        if number_type(kinds[0]) != number_type(kinds[1]):
            raise NotSymbolic("a pointer becomes one to another type", node.span)

    def converted(self, text: str, new: Type, old: Type) -> str:
        """The text of a value in another type."""
        if new.is_float or new == old:
            return text
        if old.is_integer and new.smallest <= old.smallest and old.largest <= new.largest:
            return text
        return self._conversion(text, new, old)

    def _conversion(self, text: str, new: Type, old: Type) -> str:
        """A number brought into the range of its type."""
        name = f"to_{new}_from_{old}"
        if name not in self.names.values:
            arrays = self.names.arrays

            def function(value: Value) -> Value:
                return convert(value, new, old, arrays)

            self.names.values[name] = function
        return f"{name}({text})"

    # ---- operators

    def _unary(self, node: Node) -> str:
        inner = node.children[0]
        match node.op:
            case "*":
                return self._element(node)
            case "&":
                return self.address(inner)
            case "-":
                return f"(-{self.value(inner)})"
            case "+" | "__extension__":
                return self.value(inner)
            case "~":
                return f"(~{self.value(inner)})"
            case "!":
                return f"negated({self.value(inner)})"
            case op if op in INCREMENTS:
                return self._step(node, inner)
        raise NotSymbolic(_about(node), node.span)

    def _step(self, node: Node, inner: Node) -> str:
        by = 1 if node.op.endswith("++") else -1
        size = self._scale(inner)
        if inner.kind != "DECL_REF_EXPR" or inner.decl is None or inner.decl.is_global:
            base, index = self.place(inner)
            pointer, old = self.names.fresh("p"), self.names.fresh("t")
            stored = f"store({pointer}, 0, ({old} := load({pointer}, 0)) + {by})"
            place = 2 if node.op.startswith("post") else 1
            return f"(({pointer} := move({base}, {index})), {stored}, {old})[{place}]"
        name = self._name(inner, inner.decl)
        moved = f"move({name}, {_scaled(str(by), size)})" if size else f"{name} + {by}"
        type_ = number_type(inner.type)
        if type_ is not None and type_.is_integer and (by < 0 or type_.bits < 32):
            moved = self.converted(moved, type_, Type("int", 64))
        if node.op.startswith("post"):
            return f"((_old := {name}), ({name} := {moved}))[0]"
        return f"({name} := {moved})"

    def _binary(self, node: Node) -> str:
        op, (left, right) = node.op, node.children
        if op == "=":
            return self.assign(left, self.value(right))
        if op == ",":
            return f"({self.value(left)}, {self.value(right)})[1]"
        if op in ("&&", "||"):
            word = "and" if op == "&&" else "or"
            return f"({self.condition(left)} {word} {self.condition(right)})"
        if op in ("==", "!="):
            same = f"equal({self.value(left)}, {self.value(right)})"
            return same if op == "==" else f"negated({same})"
        if op in _COMPARISONS:
            return f"({self.value(left)} {op} {self.value(right)})"
        return self.combined(node, op, left, right)

    def combined(self, node: Node, op: str, left: Node, right: Node) -> str:
        """An arithmetic operation."""
        sizes = self._scale(left), self._scale(right)
        if sizes[0] and sizes[1] and op == "-":
            return f"distance({self.value(left)}, {self.value(right)}, {sizes[0]})"
        if sizes[0] or sizes[1]:
            base, by = (left, right) if sizes[0] else (right, left)
            scaled = _scaled(self.value(by), sizes[0] or sizes[1])
            return f"move({self.value(base)}, {'-' if op == '-' else ''}{scaled})"
        return self.arithmetic(op, self.value(left), self.value(right), number_type(node.type))

    def arithmetic(self, op: str, left: str, right: str, type_: Type | None) -> str:
        """An operation on two numbers with the result's type."""
        if op == "/":
            name = "fraction" if type_ is not None and type_.is_float else "quotient"
            return f"{name}({left}, {right})"
        if op == "%":
            return f"remainder({left}, {right})"
        if op not in ("+", "-", "*") and op not in _BITS:
            raise NotSymbolic(f"the operator '{op}'")
        text = f"({left} {op} {right})"
        if type_ is not None and type_.code == "uint" and op in ("-", "*", "+", "<<"):
            return self._conversion(text, type_, type_)
        return text

    def condition(self, node: Node) -> str:
        """A truth value."""
        text = self.value(node)
        is_truth = node.op in _COMPARISONS or node.op in ("==", "!=", "&&", "||", "!")
        is_pointer = node.type.kind in ("pointer", "array")
        return text if is_truth or is_pointer else f"truth({text})"

    def _choice(self, node: Node) -> str:
        test, then, otherwise = (self.value(child) for child in node.children)
        name = self.names.fresh("t")
        chosen = f"{then} if {name} else {otherwise}"
        return (
            f"(select({name}, {then}, {otherwise}) "
            f"if ({name} := {test}).__class__ is Test else {chosen})"
        )

    # ---- lvalues

    def _scale(self, node: Node) -> str:
        """Elements between two neighbours of what a pointer leads to; empty for numbers."""
        type_ = node.type
        if type_.kind not in ("pointer", "array") or type_.element is None:
            return ""
        return self.elements(type_.element, node)

    def elements(self, type_: CType, node: Node) -> str:
        """How many elements an array has, as text; 1 for what is none."""
        sizes: list[str] = []
        depth = 0
        while type_.kind == "array" and type_.element is not None:
            if type_.count is not None:
                sizes.append(str(type_.count))
            else:
                sizes.append(self._written_size(node, depth))
            type_, depth = type_.element, depth + 1
        return " * ".join(sizes) or "1"

    def _written_size(self, node: Node, depth: int) -> str:
        """An extent that a declaration computes, counted from the innermost one."""
        base: Node | None = node
        level = depth
        while base is not None and base.kind == "ARRAY_SUBSCRIPT_EXPR":
            base, level = base.children[0], level + 1
        decl = None if base is None else base.decl
        written = [] if decl is None or decl.node is None else [
            c for c in decl.node.children if not c.kind.endswith("_REF") and c.type.kind == "int"
        ]  # fmt: skip
        known = decl is not None and decl.node is not None and decl.node.type.kind == "array"
        ranks = 0
        type_ = decl.type if decl is not None else None
        while type_ is not None and type_.kind in ("array", "pointer"):
            ranks, type_ = ranks + 1, type_.element
        # The outermost extent may be missing.
        place = len(written) - ranks + 1 + level
        if (not known and not written) or not 0 <= place < len(written):
            raise NotSymbolic("an array of unknown extents", node.span)
        return self.value(list(written)[place])

    def place(self, node: Node) -> tuple[str, str]:
        """Pointer and index of an lvalue in memory."""
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
            base, index = node.children
            if base.type.kind == "int":
                base, index = index, base
            return self.value(base), _scaled(self.value(index), self._scale(base))
        if node.kind == "UNARY_OPERATOR" and node.op == "*":
            return self.value(node.children[0]), "0"
        raise NotSymbolic(_about(node), node.span)

    def address(self, node: Node) -> str:
        """A pointer to an lvalue in memory."""
        if node.kind == "DECL_REF_EXPR" and node.type.kind == "array":
            return self.value(node)
        base, index = self.place(node)
        return base if index == "0" else f"move({base}, {index})"

    def _element(self, node: Node) -> str:
        if node.type.kind == "array":
            return self.address(node)
        if number_type(node.type) is None:
            raise NotSymbolic("a pointer that is loaded from memory", node.span)
        base, index = self.place(node)
        return f"load({base}, {index})"

    def assign(self, target: Node, value: str) -> str:
        """An assignment as an expression."""
        if target.kind == "DECL_REF_EXPR" and target.decl is not None:
            if target.decl.is_global:
                raise NotSymbolic(f"'{target.decl.name}' is set, which lasts", target.span)
            return f"({self.names.variable(target.decl)} := {value})"
        base, index = self.place(target)
        return f"store({base}, {index}, {value})"

    def _compound(self, node: Node) -> str:
        target, operand = node.children
        op = node.op.removesuffix("=")
        if node.op not in ASSIGNMENTS:
            raise NotSymbolic(_about(node), node.span)
        if target.kind == "DECL_REF_EXPR":
            return self.assign(target, self._changed(target, op, self.value(target), operand))
        base, index = self.place(target)
        name = self.names.fresh("p")
        value = self._changed(target, op, f"load({name}, 0)", operand)
        return f"store(({name} := move({base}, {index})), 0, {value})"

    def _changed(self, target: Node, op: str, old: str, operand: Node) -> str:
        size = self._scale(target)
        if size:
            return f"move({old}, {'-' if op == '-' else ''}{_scaled(self.value(operand), size)})"
        type_, by = number_type(target.type), number_type(operand.type)
        if type_ is None or by is None:
            raise NotSymbolic(_about(target), target.span)
        wide = common(type_, by)
        text = self.arithmetic(op, old, self.value(operand), wide)
        return self.converted(text, type_, wide)

    # ---- calls

    def _call(self, node: Node) -> str:
        decl = node.decl
        function = None if decl is None else self.names.functions(node, decl)
        if function is not None:
            return f"{function}({', '.join(self.value(a) for a in node.children[1:])})"
        found = library_call(node, self.value)
        if found is None:
            raise NotSymbolic(_about(node), node.span)
        return found


def _scaled(text: str, size: str) -> str:
    return text if size in ("1", "") else f"{text} * {size}"


def _about(node: Node) -> str:
    from s2s.frontends.c.typed.expressions import about

    known = {"GOTO_STMT": "a jump", "LAMBDA_EXPR": "a lambda"}
    text = known.get(node.kind) or about(node)
    return text.replace("a construct that is no part of a loop nest over arrays", "this construct")
