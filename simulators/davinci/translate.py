"""A kernel's syntax tree to a Python function that issues its instructions.

Numbers are Python's integers, wrapped where C stores or casts them; addresses are bytes in their
memory, and the memory follows from the type. Every call of an intrinsic becomes a call of what
a core gives for its name and the types of its arguments: a kernel is translated once and bound to
each core that runs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from pycparser import c_ast

from s2s.simulators.davinci.kinds import (
    FLOAT,
    HALF,
    INT,
    SCALARS,
    SPACES,
    UINT64,
    VOID,
    Pointer,
    Scalar,
    Type,
    Word,
)
from s2s.simulators.davinci.problems import line_of, problem
from s2s.simulators.davinci.source import Text

Bind = Callable[[str, tuple[Type, ...], int], Callable[..., Any]]
"""Gives what runs an intrinsic, called with (line, *arguments); raises KeyError for no intrinsic,
TypeError with a text for arguments that it does not take."""

WORD = Word()
_WORDS = re.compile(r"PIPE_\w+|EVENT_ID\d+|PAD_\w+|CRMODE_\w+")
_MADE_OF = re.compile(rf"({'|'.join(SPACES.values())})__(\w+)")
_COMPARED = {"==", "!=", "<", "<=", ">", ">="}


@dataclass(frozen=True)
class Parameter:
    """A kernel's argument."""

    name: str
    type: Type


@dataclass(frozen=True)
class Wanted:
    """An intrinsic that a kernel calls, ``name`` in its text; where it is called first."""

    name: str
    intrinsic: str
    types: tuple[Type, ...]
    node: Any


@dataclass(frozen=True)
class Kernel:
    """A function as a function of Python, to be bound to a core."""

    name: str
    line: int
    parameters: tuple[Parameter, ...]
    path: str
    code: CodeType
    constants: Mapping[str, Any]
    wanted: tuple[Wanted, ...]

    def bind(self, bind: Bind) -> Callable[..., None]:
        """``run(block_idx, block_num, *arguments)``, which issues the instructions of a block.

        Addresses of arguments in global memory are given in the order of the parameters. Raises
        UserError at a call of what is no intrinsic.
        """
        names = dict(self.constants)
        for one in self.wanted:
            try:
                names[one.name] = bind(one.intrinsic, one.types, one.node.coord.line)
            except KeyError:
                text = f"'{one.intrinsic}' is neither defined nor a known intrinsic"
                raise error_at(self.path, one.node, text) from None
            except TypeError as error:
                raise error_at(self.path, one.node, str(error)) from None
        exec(self.code, names)
        found: Callable[..., None] = names[f"f_{self.name}"]
        return found


def error_at(path: str, node: Any, text: str) -> Exception:
    """An error at a node's line."""
    coord = getattr(node, "coord", None)
    place = line_of(coord.file or path, coord.line) if coord else line_of(path, 1)
    return problem(text, place)


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
        if isinstance(node, c_ast.PtrDecl):
            inner = node.type
            if isinstance(inner, c_ast.TypeDecl) and isinstance(inner.type, c_ast.IdentifierType):
                match = _MADE_OF.fullmatch(" ".join(inner.type.names))
                if match and match[2].replace("_", " ") in SCALARS:
                    return Pointer(match[1], SCALARS[match[2].replace("_", " ")])
                if match and match[2] in SCALARS:
                    return Pointer(match[1], SCALARS[match[2]])
            raise self.error(node, "a pointer without '__gm__', '__ubuf__' or another memory")
        if isinstance(node, c_ast.TypeDecl) and isinstance(node.type, c_ast.IdentifierType):
            name = " ".join(node.type.names)
            if name in SCALARS:
                return SCALARS[name]
            if name.removeprefix("pipe_t") == "" or name == "event_t":
                return WORD
            raise self.error(node, f"the type '{name}' is not known")
        raise self.error(node, "such a declaration is not understood")

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
            return _as(text, have, kind)
        return text

    def value(self, node: Any) -> tuple[str, Type]:
        match node:
            case c_ast.Constant():
                return self.literal(node)
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

    def literal(self, node: c_ast.Constant) -> tuple[str, Type]:
        text = node.value
        if node.type in ("float", "double", "long double"):
            return repr(float(text.rstrip("fFlL"))), FLOAT
        if "int" in node.type:
            digits = text.rstrip("uUlL")
            octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
            number = int(digits, 8 if octal else 0)
            wide = len(text) - len(digits) > 1 or number >= 1 << 31
            unsigned = "u" in text.lower()[len(digits) :]
            name = ("unsigned " if unsigned else "") + ("long" if wide else "int")
            return str(number), SCALARS[name]
        raise self.of.error(node, "such a constant is not understood")

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
        kind = _common(first, second)
        if node.op in ("<<", ">>"):
            kind = _common(first, INT)
        if kind.is_float:
            if node.op not in "+-*/":
                raise self.of.error(node, f"'{node.op}' of floating point")
            return f"({left} {node.op} {right})", kind
        if node.op in "/%":
            runs = self.of.constant(_quotient if node.op == "/" else _remainder)
            return f"{runs}({left}, {right})", kind
        return _wrapped(f"({left} {node.op} {right})", kind), kind

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
            kind = _common(kind, INT)
            made = f"({node.op}{text})"
            return (made if kind.is_float else _wrapped(made, kind)), kind
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


def _common(first: Scalar, second: Scalar) -> Scalar:
    """The type of arithmetic between two, by C's usual conversions."""
    if first.is_float or second.is_float:
        return FLOAT if HALF not in (first, second) or FLOAT in (first, second) else HALF
    widths = [max(one.bytes, 4) for one in (first, second)]
    widest = max(widths)
    unsigned = any(one.kind == "uint" and one.bytes == widest for one in (first, second))
    return SCALARS[f"{'u' if unsigned else ''}int{8 * widest}_t"]


def _wrapped(text: str, kind: Scalar) -> str:
    """What an operation gives in its type; signed 64 bits and int are left as they are."""
    return f"({text} & {(1 << 8 * kind.bytes) - 1})" if kind.kind == "uint" else text


def _as(text: str, have: Scalar, kind: Scalar) -> str:
    """A number stored in another type."""
    if kind.is_float:
        return text
    if have.is_float:
        text = f"int({text})"
    if re.fullmatch(r"\d+", text) and int(text) < 1 << (8 * kind.bytes - 1):
        return text
    if kind.kind == "uint":
        return text if have == kind else f"({text} & {(1 << 8 * kind.bytes) - 1})"
    if have.kind == "int" and have.bytes <= kind.bytes:
        return text
    half = 1 << (8 * kind.bytes - 1)
    return f"((({text} + {half}) & {2 * half - 1}) - {half})"


def _quotient(left: int, right: int) -> int:
    """C's division, towards zero."""
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


def _remainder(left: int, right: int) -> int:
    return left - right * _quotient(left, right)
