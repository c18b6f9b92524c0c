"""A kernel's syntax tree to a Python function that issues its instructions.

Numbers are Python's integers, wrapped where C stores or casts them; addresses are bytes in their
memory, and the memory follows from the type. Every call of an intrinsic becomes a call of what
a core gives for its name and the types of its arguments: a kernel is translated once and bound to
each core that runs it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from pycparser import c_ast

from s2s.simulators.davinci.arithmetic import (
    common,
    literal,
    quotient,
    remainder,
    stored_as,
    wrapped,
)
from s2s.simulators.davinci.declarations import WORD, type_of
from s2s.simulators.davinci.kernel import Kernel, Parameter, Wanted, error_at
from s2s.simulators.davinci.kinds import (
    INT,
    SCALARS,
    UINT64,
    VOID,
    Pointer,
    Scalar,
    Type,
)
from s2s.simulators.davinci.problems import line_of, problem
from s2s.simulators.davinci.source import Text
from s2s.source.records import dataclass

_WORDS = re.compile(r"PIPE_\w+|EVENT_ID\d+|PAD_\w+|CRMODE_\w+")
_COMPARED = {"==", "!=", "<", "<=", ">", ">="}


def translate(text: Text, name: str | None = None) -> Kernel:
    """The kernel of this name, or the only one. Raises UserError at what is not understood."""
    wanted = name or text.kernels[0]
    if name is None and len(text.kernels) > 1:
        raise problem(
            f"several kernels, choose one with --function: {', '.join(text.kernels)}",
            line_of(text.path, 1),
        )
    functions = {e.decl.name: e for e in text.tree.ext if isinstance(e, c_ast.FuncDef)}
    if wanted not in functions:
        raise problem(f"no kernel is named '{wanted}'", line_of(text.path, 1))
    translator = _Translator(text.path, functions)
    parameters = translator.add(wanted)
    code = compile("\n".join(translator.lines), "<kernel>", "exec")
    return Kernel(
        wanted, functions[wanted].decl.coord.line, parameters, text.path, code,
        translator.constants, tuple(translator.wanted.values()),
    )  # fmt: skip


@dataclass
class _Translator:
    """Functions to Python, those that the kernel calls among them."""

    path: str
    functions: dict[str, c_ast.FuncDef]
    done: dict[str, tuple[Type, tuple[Parameter, ...]]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    wanted: dict[tuple[object, ...], Wanted] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

    def error(self, node: Any, text: str) -> Exception:
        return error_at(self.path, node, text)

    def add(self, name: str) -> tuple[Parameter, ...]:
        """Translate a function, and first those that it calls."""
        if name in self.open:
            raise self.error(self.functions[name], f"'{name}' calls itself")
        if name not in self.done:
            self.open.append(name)
            node = self.functions[name]
            kind = node.decl.type
            listed = kind.args.params if kind.args else []
            given = [p for p in listed if isinstance(p, c_ast.Decl)]
            parameters = tuple(Parameter(p.name, self.type_of(p.type)) for p in given)
            result = self.type_of(kind.type)
            body = _Body(self, {p.name: p.type for p in parameters}, result)
            body.block(node.body, 1)
            names = "".join(f", v_{p.name}" for p in parameters)
            self.lines += [f"def f_{name}(block_idx, block_num{names}):", *body.lines, "    pass"]
            self.done[name] = (result, parameters)
            self.open.pop()
        return self.done[name][1]

    def type_of(self, node: Any) -> Type:
        """The type that a declaration says."""
        return type_of(self.path, node)

    def intrinsic(self, node: c_ast.FuncCall, name: str, types: Sequence[Type]) -> str:
        """The name of a constant of the Python text that runs an intrinsic."""
        key = (name, tuple(types))
        if key not in self.wanted:
            self.wanted[key] = Wanted(f"i{len(self.wanted)}", name, tuple(types), node)
        return self.wanted[key].name

    def constant(self, value: Any) -> str:
        name = f"k{len(self.constants)}"
        self.constants[name] = value
        return name


@dataclass
class _Body:
    """The statements of a function."""

    of: _Translator
    types: dict[str, Type]
    result: Type
    lines: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    steps: list[Any] = field(default_factory=list)
    count: int = 0

    def say(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    # ---- statements

    def block(self, node: c_ast.Compound, depth: int) -> None:
        types, names = dict(self.types), dict(self.names)
        for item in node.block_items or ():
            self.statement(item, depth)
        self.types, self.names = types, names

    def body(self, node: Any, depth: int) -> None:
        self.block(node if isinstance(node, c_ast.Compound) else c_ast.Compound([node]), depth)
        self.say(depth, "pass")

    def statement(self, node: Any, depth: int) -> None:
        match node:
            case c_ast.Compound():
                self.block(node, depth)
            case c_ast.Decl():
                self.declare(node, depth)
            case c_ast.DeclList():
                for one in node.decls:
                    self.declare(one, depth)
            case c_ast.For():
                self.loop(node, depth)
            case c_ast.While():
                self.say(depth, f"while {self.condition(node.cond)}:")
                self.steps.append(None)
                self.body(node.stmt, depth + 1)
                self.steps.pop()
            case c_ast.If():
                self.say(depth, f"if {self.condition(node.cond)}:")
                self.body(node.iftrue or c_ast.EmptyStatement(), depth + 1)
                if node.iffalse is not None:
                    self.say(depth, "else:")
                    self.body(node.iffalse, depth + 1)
            case c_ast.Break():
                self.say(depth, "break")
            case c_ast.Continue():
                if self.steps and self.steps[-1] is not None:
                    self.effect(self.steps[-1], depth)
                self.say(depth, "continue")
            case c_ast.Return():
                value = f" {self.value(node.expr)[0]}" if node.expr is not None else ""
                self.say(depth, f"return{value}")
            case c_ast.EmptyStatement() | c_ast.Pragma():
                pass
            case _:
                self.effect(node, depth)

    def declare(self, node: c_ast.Decl, depth: int) -> None:
        if isinstance(node.type, c_ast.ArrayDecl):
            raise self.of.error(node, f"'{node.name}': arrays in registers are not simulated")
        kind = self.of.type_of(node.type)
        text = self.converted(node.init, kind) if node.init is not None else "0"
        self.count += node.name in self.types
        self.types[node.name] = kind
        self.names[node.name] = f"v_{node.name}" + (f"__{self.count}" if self.count else "")
        self.say(depth, f"{self.names[node.name]} = {text}")
        if isinstance(kind, Pointer) and kind.space != "gm":
            runs = self.of.intrinsic(_call(node, "*buffer"), "*buffer", (kind,))
            self.say(depth, f"{runs}({node.coord.line}, {node.name!r}, {self.names[node.name]})")

    def loop(self, node: c_ast.For, depth: int) -> None:
        types, names = dict(self.types), dict(self.names)
        if node.init is not None:
            self.statement(node.init, depth)
        self.say(depth, f"while {self.condition(node.cond) if node.cond else 'True'}:")
        self.steps.append(node.next)
        self.body(node.stmt, depth + 1)
        self.steps.pop()
        if node.next is not None:
            self.effect(node.next, depth + 1)
        self.types, self.names = types, names

    def effect(self, node: Any, depth: int) -> None:
        """An expression as a statement."""
        match node:
            case c_ast.Assignment():
                self.assign(node, depth)
            case c_ast.UnaryOp(op="p++" | "++" | "p--" | "--"):
                op = "+=" if "+" in node.op else "-="
                one = c_ast.Constant("int", "1", node.coord)
                self.assign(c_ast.Assignment(op, node.expr, one, node.coord), depth)
            case c_ast.ExprList():
                for one in node.exprs:
                    self.effect(one, depth)
            case c_ast.FuncCall():
                self.say(depth, self.call(node)[0])
            case c_ast.Cast() if isinstance(node.expr, c_ast.Constant):
                pass
            case c_ast.Cast():
                self.effect(node.expr, depth)
            case c_ast.ID() | c_ast.Constant():
                pass
            case _:
                raise self.of.error(node, "such a statement is not understood")

    def assign(self, node: c_ast.Assignment, depth: int) -> None:
        value = node.rvalue
        if node.op != "=":
            value = c_ast.BinaryOp(node.op[:-1], node.lvalue, node.rvalue, node.coord)
        if isinstance(node.lvalue, c_ast.ID):
            name = node.lvalue.name
            if name not in self.types:
                raise self.of.error(node, f"'{name}' is not declared")
            self.say(depth, f"{self.variable(name)} = {self.converted(value, self.types[name])}")
            return
        address, kind = self.place(node.lvalue)
        runs = self.of.intrinsic(_call(node, "*store"), "*store", (kind, kind.element))
        self.say(
            depth, f"{runs}({node.coord.line}, {address}, {self.converted(value, kind.element)})"
        )

    def variable(self, name: str) -> str:
        return self.names.get(name, f"v_{name}")

    # ---- expressions: their text and type

    def condition(self, node: Any) -> str:
        return self.value(node)[0]

    def converted(self, node: Any, kind: Type) -> str:
        """A value as it is stored in a variable of a type."""
        text, have = self.value(node)
        if isinstance(kind, Pointer):
            if isinstance(have, Pointer) and have.space != kind.space:
                raise self.of.error(node, f"an address of '{have.space}' for one of '{kind.space}'")
            return text
        if isinstance(kind, Scalar) and isinstance(have, Scalar):
            return stored_as(text, have, kind)
        return text

    def value(self, node: Any) -> tuple[str, Type]:
        match node:
            case c_ast.Constant():
                found = literal(node.type, node.value)
                if found is None:
                    raise self.of.error(node, "such a constant is not understood")
                return found
            case c_ast.ID():
                return self.named(node)
            case c_ast.Cast():
                kind = self.of.type_of(node.to_type.type)
                return self.converted(node.expr, kind) if isinstance(kind, Scalar) else self.value(
                    node.expr
                )[0], kind
            case c_ast.BinaryOp():
                return self.binary(node)
            case c_ast.UnaryOp():
                return self.unary(node)
            case c_ast.TernaryOp():
                yes, kind = self.value(node.iftrue)
                no, _ = self.value(node.iffalse)
                return f"({yes} if {self.condition(node.cond)} else {no})", kind
            case c_ast.ArrayRef():
                address, pointer = self.place(node)
                runs = self.of.intrinsic(_call(node, "*load"), "*load", (pointer,))
                return f"{runs}({node.coord.line}, {address})", pointer.element
            case c_ast.FuncCall():
                return self.call(node)
        raise self.of.error(node, "such an expression is not understood")

    def named(self, node: c_ast.ID) -> tuple[str, Type]:
        name = node.name
        if name in self.types:
            return self.variable(name), self.types[name]
        if name in ("block_idx", "block_num"):
            return name, INT
        if _WORDS.fullmatch(name):
            return repr(name), WORD
        raise self.of.error(node, f"'{name}' is not declared")

    def binary(self, node: c_ast.BinaryOp) -> tuple[str, Type]:
        (left, first), (right, second) = self.value(node.left), self.value(node.right)
        if node.op in ("&&", "||"):
            return f"({left} {'and' if node.op == '&&' else 'or'} {right})", INT
        if isinstance(first, Pointer) or isinstance(second, Pointer):
            return self.moved(node, left, first, right, second)
        assert isinstance(first, Scalar) and isinstance(second, Scalar)
        if node.op in _COMPARED:
            return f"({left} {node.op} {right})", INT
        kind = common(first, second)
        if node.op in ("<<", ">>"):
            kind = common(first, INT)
        if kind.is_float:
            if node.op not in "+-*/":
                raise self.of.error(node, f"'{node.op}' of floating point")
            return f"({left} {node.op} {right})", kind
        if node.op in "/%":
            runs = self.of.constant(quotient if node.op == "/" else remainder)
            return f"{runs}({left}, {right})", kind
        return wrapped(f"({left} {node.op} {right})", kind), kind

    def moved(
        self, node: c_ast.BinaryOp, left: str, first: Type, right: str, second: Type
    ) -> tuple[str, Type]:
        """Arithmetic of addresses."""
        if node.op == "+" and isinstance(second, Pointer) and not isinstance(first, Pointer):
            left, first, right, second = right, second, left, first
        if isinstance(first, Pointer) and isinstance(second, Pointer):
            if node.op == "-":
                return f"(({left} - {right}) // {first.element.bytes})", SCALARS["long"]
            if node.op in _COMPARED:
                return f"({left} {node.op} {right})", INT
        elif isinstance(first, Pointer) and node.op in "+-":
            return f"({left} {node.op} {first.element.bytes} * {right})", first
        raise self.of.error(node, f"'{node.op}' of addresses is not understood")

    def unary(self, node: c_ast.UnaryOp) -> tuple[str, Type]:
        if node.op == "*":
            address, pointer = self.place(node)
            runs = self.of.intrinsic(_call(node, "*load"), "*load", (pointer,))
            return f"{runs}({node.coord.line}, {address})", pointer.element
        if node.op == "&":
            return self.place(node.expr)
        if node.op == "sizeof" and isinstance(node.expr, c_ast.Typename):
            kind = self.of.type_of(node.expr.type)
            return str(8 if isinstance(kind, Pointer) else getattr(kind, "bytes", 8)), UINT64
        text, kind = self.value(node.expr)
        if node.op == "!":
            return f"(not {text})", INT
        if isinstance(kind, Scalar) and node.op in "+-~":
            kind = common(kind, INT)
            made = f"({node.op}{text})"
            return (made if kind.is_float else wrapped(made, kind)), kind
        raise self.of.error(node, f"'{node.op}' is not understood here")

    def place(self, node: Any) -> tuple[str, Pointer]:
        """The address of an element."""
        if isinstance(node, c_ast.ArrayRef):
            text, kind = self.value(node.name)
            index, _ = self.value(node.subscript)
        elif isinstance(node, c_ast.UnaryOp) and node.op == "*":
            text, kind = self.value(node.expr)
            index = "0"
        else:
            raise self.of.error(node, "this has no address")
        if not isinstance(kind, Pointer):
            raise self.of.error(node, "an element of what is no address")
        return f"({text} + {kind.element.bytes} * {index})", kind

    def call(self, node: c_ast.FuncCall) -> tuple[str, Type]:
        name = getattr(node.name, "name", None)
        given = node.args.exprs if node.args else []
        if name in ("get_imm",):
            return self.value(given[0])
        if name in ("get_block_idx", "get_block_num"):
            return name.removeprefix("get_"), INT
        if name in ("min", "max") and name not in self.of.functions:
            (left, kind), (right, _) = (self.value(one) for one in given)
            return f"{name}({left}, {right})", kind
        if name in self.of.functions:
            parameters = self.of.add(name)
            if len(parameters) != len(given):
                raise self.of.error(node, f"'{name}' takes {len(parameters)} arguments")
            texts = [self.converted(g, p.type) for g, p in zip(given, parameters, strict=True)]
            made = ", ".join(["block_idx", "block_num", *texts])
            return f"f_{name}({made})", self.of.done[name][0]
        pairs = [self.value(one) for one in given]
        runs = self.of.intrinsic(node, str(name), [kind for _, kind in pairs])
        texts = [str(node.coord.line), *(text for text, _ in pairs)]
        return f"{runs}({', '.join(texts)})", VOID


def _call(node: Any, name: str) -> c_ast.FuncCall:
    return c_ast.FuncCall(c_ast.ID(name, node.coord), None, node.coord)
