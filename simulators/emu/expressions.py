"""Expressions as C in which each access to memory passes through the machine.

``value`` and ``place`` are the two ways to write an expression: as what it is worth, and as where
it lies. What C leaves open, the order of operands, is fixed from left to right here, because where
a thread is after an operand decides how it gets to the next one; the right side of an assignment
comes before the left one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pycparser import c_ast, c_generator

from s2s.simulators.emu.dialect import INTRINSICS, failure, unsupported
from s2s.simulators.emu.sites import Sites
from s2s.simulators.emu.symbols import Home, Scope

_IN_MEMORY = (Home.FRAME, Home.STATIC, Home.REPLICATED)
_IN_ORDER = ("&&", "||")
_STEPS = {"p++": ("", "++"), "p--": ("", "--"), "++": ("++", ""), "--": ("--", "")}
_ACTS = re.compile(r"s2s_|S2S_|[\w)\]]\s*\(|\+\+|--|(?<![=!<>])=(?!=)")
SPAWN, SPAWN_AT, SYNC, FOR = "__cilk_spawn", "__cilk_spawn_at", "__cilk_sync", "__cilk_for"
HINT = "__cilk_hint"


class Expressions:
    """Writes expressions; ``defined`` are the functions of the program itself."""

    def __init__(self, scope: Scope, sites: Sites, defined: frozenset[str]) -> None:
        self.scope = scope
        self.sites = sites
        self.defined = defined
        self._silent = 0

    def value(self, node: Any) -> str:
        """Text that does what an expression does and is worth what it is worth."""
        match node:
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef():
                return self._read(node)
            case c_ast.UnaryOp():
                return self._unary(node)
            case c_ast.BinaryOp():
                return self._spawn(node) if is_spawn(node) else self._binary(node)
            case c_ast.Assignment():
                return self._assignment(node)
            case c_ast.FuncCall():
                return self._call(node)
            case c_ast.Constant():
                return str(node.value)
            case c_ast.Cast():
                return f"(({self.type_name(node.to_type)})({self.value(node.expr)}))"
            case c_ast.TernaryOp():
                parts = [self.value(n) for n in (node.cond, node.iftrue, node.iffalse)]
                return "(({}) ? ({}) : ({}))".format(*parts)
            case c_ast.ExprList():
                return f"({', '.join(map(self.value, node.exprs))})"
            case c_ast.CompoundLiteral():
                return f"(({self.type_name(node.type)}){self.initializer(node.init)})"
            case c_ast.Typename():
                return self.type_name(node)
        raise unsupported(type(node).__name__, node)

    def place(self, node: Any) -> str:
        """Text of an lvalue that reads what leads to it, and not the memory itself."""
        match node:
            case c_ast.ID():
                symbol = self.scope.find(node.name)
                behind = symbol and symbol.home in (Home.FRAME, Home.REPLICATED)
                return f"(*{node.name})" if behind else str(node.name)
            case c_ast.ArrayRef():
                return self._element(node)
            case c_ast.StructRef():
                return self._member(node)
            case c_ast.UnaryOp() if node.op == "*":
                return f"(*({self.value(node.expr)}))"
        return self.value(node)

    def initializer(self, node: Any) -> str:
        """An initial value: an expression, or a list in braces."""
        match node:
            case c_ast.InitList():
                return "{" + ", ".join(map(self.initializer, node.exprs)) + "}"
            case c_ast.NamedInitializer():
                where = "".join(
                    f".{name.name}" if isinstance(name, c_ast.ID) else f"[{self._index(name)}]"
                    for name in node.name
                )
                return f"{where} = {self.initializer(node.expr)}"
        return f"({self.value(node)})" if isinstance(node, c_ast.ExprList) else self.value(node)

    def _index(self, node: Any) -> str:
        """The constant that names an element; newer parsers have a node around it."""
        return self.unevaluated(node.expr if type(node).__name__ == "ArrayDesignator" else node)

    def unevaluated(self, node: Any) -> str:
        """Text for places where nothing runs: array sizes, operands of sizeof."""
        self._silent += 1
        try:
            return self.value(node)
        finally:
            self._silent -= 1

    def type_name(self, node: Any) -> str:
        """A type without a name; a structure's members are written where it is declared."""
        return str(c_generator.CGenerator().visit(node))

    def site(self, node: Any) -> int:
        return self.sites.of(node)

    def _read(self, node: Any) -> str:
        kind = self.scope.type_of(node)
        place = self.place(node)
        if self._silent or not self._is_in_memory(node):
            return place
        if self.scope.is_array(kind) or self.scope.is_function(kind):
            return place
        read = self._through("S2S_LOAD", node)
        return f"(+{read})" if self.scope.is_bits(node) else read  # gcc takes no bits' own types

    def _is_in_memory(self, node: Any) -> bool:
        match node:
            case c_ast.ID():
                symbol = self.scope.find(node.name)
                return symbol is not None and symbol.home in _IN_MEMORY
            case c_ast.ArrayRef():
                return True
            case c_ast.StructRef():
                return node.type == "->" or self._is_in_memory(node.name)
            case c_ast.UnaryOp():
                return bool(node.op == "*")
        return False

    def _element(self, node: Any) -> str:
        base, index = self.value(node.name), self.value(node.subscript)
        if has_effect(base) and has_effect(index):
            return f"(*({{ __auto_type s2s_a = {base}; s2s_a + ({index}); }}))"
        return f"({base})[{index}]"

    def _member(self, node: Any) -> str:
        text = self.value(node.name) if node.type == "->" else self.place(node.name)
        return f"({text}){node.type}{node.field.name}"

    def _through(self, access: str, node: Any) -> str:
        """An lvalue that passes through the machine; bits do as part of their structure."""
        if not self.scope.is_bits(node):
            return f"{access}(({self.place(node)}), {self.site(node)})"
        whole = self.value(node.name) if node.type == "->" else f"&{self.place(node.name)}"
        return f"{access}((*({whole})), {self.site(node)}).{node.field.name}"

    def _unary(self, node: Any) -> str:
        operand = node.expr
        if node.op == "*":
            if is_call_of(getattr(operand, "expr", None), "__va_arg"):
                arguments = self.place(operand.expr.args.exprs[0])
                pointed = operand.to_type.type.type
                return f"__builtin_va_arg({arguments}, {self.type_name(pointed)})"
            return self._read(node)
        if node.op == "&":
            return f"(&{self.place(operand)})"
        if node.op in ("sizeof", "_Alignof"):
            return f"{node.op}({self.unevaluated(operand)})"
        if node.op in _STEPS:
            before, after = _STEPS[node.op]
            return f"({before}{self._updated(operand)}{after})"
        return f"({node.op}({self.value(operand)}))"

    def _updated(self, node: Any) -> str:
        place = self.place(node)
        if self._silent or not self._is_in_memory(node):
            return f"({place})"
        return self._through("S2S_UPDATE", node)

    def _binary(self, node: Any) -> str:
        left, right = self.value(node.left), self.value(node.right)
        if node.op not in _IN_ORDER and has_effect(left) and has_effect(right):
            values = f"__auto_type s2s_a = {left}; __auto_type s2s_b = {right};"
            return f"({{ {values} s2s_a {node.op} s2s_b; }})"
        return f"(({left}) {node.op} ({right}))"

    def _assignment(self, node: Any) -> str:
        value, place = self.value(node.rvalue), self.place(node.lvalue)
        if self._silent or not self._is_in_memory(node.lvalue):
            return f"({place} {node.op} {value})"
        if self.scope.is_bits(node.lvalue):
            access = self._through("S2S_TO" if node.op == "=" else "S2S_UPDATE", node.lvalue)
            return f"({{ __auto_type s2s_v = {value}; {access} {node.op} s2s_v; }})"
        after, site = "_AFTER" if has_effect(value) else "", self.site(node.lvalue)
        if node.op == "=":
            return f"S2S_STORE{after}(({place}), ({value}), {site})"
        if after:
            return f"S2S_UPDATE_AFTER(({place}), {node.op}, ({value}), {site})"
        return f"(S2S_UPDATE(({place}), {site}) {node.op} ({value}))"

    def _call(self, node: Any) -> str:
        name = node.name.name if isinstance(node.name, c_ast.ID) else None
        given = node.args.exprs if node.args else []
        if name in ("__builtin_va_start", "__builtin_va_end", "__builtin_va_copy"):
            return f"{name}({', '.join(map(self.place, given))})"
        if name == "offsetof":
            return f"__builtin_offsetof({self.type_name(given[0])}, {self.unevaluated(given[1])})"
        if name == SYNC:
            return f"s2s_sync(&s2s_f, {self.site(node)})"
        if name == SPAWN_AT:
            raise failure("'cilk_spawn_at' spawns a call", "s2s-emu-spawn", node.coord)
        arguments = [self._argument(name, argument) for argument in given]
        if sum(map(has_effect, arguments)) < 2:
            return self._called(node, arguments)
        kept, names = keep(arguments)
        return f"({{ {kept} {self._called(node, names)}; }})"

    def _argument(self, called: str | None, node: Any) -> str:
        """An argument; the C library gets the copy of replicated memory that is meant."""
        text = self.value(node)
        is_ours = called is None or called in self.defined or called in INTRINSICS
        if is_ours or self._silent or isinstance(node, c_ast.Constant):
            return text
        return f"S2S_SEEN({text})" if self.scope.is_address(self.scope.type_of(node)) else text

    def _called(self, node: Any, arguments: Sequence[str]) -> str:
        if isinstance(node.name, c_ast.ID):
            name = node.name.name
            if name in INTRINSICS and name not in self.defined:
                return f"s2s_{name}({', '.join((str(self.site(node)), *arguments))})"
            symbol = self.scope.find(name)
            if symbol is None or symbol.home is Home.NOWHERE:
                called = "s2s_main" if name == "main" else name
                return f"{called}({', '.join(arguments)})"
        return f"({self.value(node.name)})({', '.join(arguments)})"

    def _spawn(self, node: Any) -> str:
        """The spawner works the arguments out; the child runs, and the spawner is where it was."""
        call, site = node.right, self.site(node)
        if not isinstance(call, c_ast.FuncCall):
            raise failure("only a call can be spawned", "s2s-emu-spawn", node.coord)
        steps = []
        if is_call_of(node.left, SPAWN_AT):
            steps.append(f"s2s___cilk_hint({site}, {self.value(node.left.args.exprs[0])});")
        kept, names = keep([self.value(n) for n in call.args.exprs] if call.args else [])
        body = self._called(call, names)
        has_result = not self.scope.is_void(self.scope.type_of(call))
        steps += [kept, f"s2s_thread s2s_t = s2s_spawn(&s2s_f, {site});"]
        steps += [f"__auto_type s2s_r = {body};" if has_result else f"{body};"]
        steps += [f"s2s_end(&s2s_t, {site});", "s2s_r;" if has_result else ""]
        return f"({{ {' '.join(filter(None, steps))} }})"


def is_spawn(node: Any) -> bool:
    """Whether an expression is a ``cilk_spawn``, which the headers make a sum of two parts."""
    if not isinstance(node, c_ast.BinaryOp) or node.op != "+":
        return False
    marker = node.left
    return (isinstance(marker, c_ast.ID) and marker.name == SPAWN) or is_call_of(marker, SPAWN_AT)


def is_call_of(node: Any, name: str) -> bool:
    return (
        isinstance(node, c_ast.FuncCall)
        and isinstance(node.name, c_ast.ID)
        and node.name.name == name
    )


def has_effect(text: str) -> bool:
    """Whether running a text may move the thread or change something."""
    return _ACTS.search(text) is not None


def keep(texts: Sequence[str]) -> tuple[str, list[str]]:
    """Declarations that hold what acts, in order, and the texts with their names in its place."""
    declarations, names = [], []
    for number, text in enumerate(texts):
        if has_effect(text):
            declarations.append(f"__auto_type s2s_{number} = {text};")
            text = f"s2s_{number}"
        names.append(text)
    return " ".join(declarations), names
