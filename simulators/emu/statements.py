"""Statements and functions as C that runs on the machine.

A function that spawns, synchronizes or has variables in memory begins with a frame, ``s2s_f``,
which notes the nodelet where it began. Each block says how many operations it has, for the model
of time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pycparser import c_ast

from s2s.simulators.emu import expressions
from s2s.simulators.emu.cilk_for import header_of
from s2s.simulators.emu.declarations import (
    definition,
    drop_initial,
    nodes,
    plain,
    rename,
    static,
    typedef,
)
from s2s.simulators.emu.dialect import line_of, unsupported
from s2s.simulators.emu.expressions import Expressions
from s2s.simulators.emu.symbols import (
    Home,
    Scope,
    Symbol,
    address_taken,
)
from s2s.simulators.emu.unused import drop_unused

_EXPRESSIONS = (
    c_ast.Assignment
    | c_ast.UnaryOp
    | c_ast.BinaryOp
    | c_ast.FuncCall
    | c_ast.TernaryOp
    | c_ast.Cast
    | c_ast.ID
    | c_ast.ExprList
    | c_ast.ArrayRef
    | c_ast.StructRef
    | c_ast.Constant
)
_FREE = ("&", "*", "sizeof", "_Alignof")


class Statements:
    """Writes the statements of one function."""

    def __init__(self, scope: Scope, expressions: Expressions, in_memory: frozenset[str]) -> None:
        self._scope = scope
        self._expressions = expressions
        self._in_memory = in_memory
        self._value = expressions.value
        self._grain = ""
        self._labels: dict[str, frozenset[int]] = {}
        self._jumps: list[tuple[Any, str, frozenset[int]]] = []
        self._switches: list[frozenset[int]] = []

    def statement(self, node: Any) -> str:
        match node:
            case None | c_ast.EmptyStatement():
                return ";"
            case c_ast.Compound():
                return self.block(node)
            case c_ast.Decl() | c_ast.DeclList() | c_ast.Typedef():
                return self.declaration(node)
            case c_ast.If():
                otherwise = f" else {self.block(node.iffalse)}" if node.iffalse else ""
                return f"if ({self._value(node.cond)}) {self.block(node.iftrue)}{otherwise}"
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                return self._loop(node)
            case c_ast.Return():
                return f"return {self._value(node.expr)};" if node.expr else "return;"
            case c_ast.Break():
                return "break;"
            case c_ast.Continue():
                return "continue;"
            case c_ast.Pragma():
                return self._pragma(node)
            case _ if isinstance(node, _EXPRESSIONS):
                return f"{self._value(node)};"
        return self._with_label(node)

    def block(self, node: Any, work: int = 0) -> str:
        """A statement in braces; ``work`` are operations besides those that stand in it."""
        items = (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
        self._scope.open()
        items = _call_what_is_waited_for([item for item in items if item is not None])
        texts = [line_of(item) + self.statement(item) for item in items]
        self._scope.close()
        work += sum(map(operations, items))
        first = [f"s2s_work({work});"] if work else []
        return "{\n" + "\n".join([*first, *texts]) + "\n}"

    def declaration(self, node: Any) -> str:
        if isinstance(node, c_ast.DeclList):
            return "\n".join(map(self.declaration, node.decls))
        if isinstance(node, c_ast.Typedef):
            return typedef(self._scope, node)
        self._scope.learn(node.type)
        if node.name is None or isinstance(node.type, c_ast.FuncDecl):
            return plain(self._scope, node)
        self._work_out_lengths(node.type)
        if "static" in node.storage or "extern" in node.storage:
            self._scope.add(Symbol(node.name, node.type, Home.STATIC))
            return static(node)
        if self._lies_in_memory(node):
            return self._variable(node)
        initial = f" = {self._expressions.initializer(node.init)}" if node.init else ""
        self._scope.add(Symbol(node.name, node.type, Home.REGISTER))
        return f"{drop_initial(node)}{initial};"

    def parameters(self, node: Any) -> Iterator[str]:
        """Declare a function's parameters; those in memory get their values copied there."""
        arguments = node.decl.type.args.params if node.decl.type.args else []
        for parameter in arguments:
            if not isinstance(parameter, c_ast.Decl) or parameter.name is None:
                continue
            name = parameter.name
            if name in self._in_memory:
                rename(parameter, f"s2s_given_{name}")
                kind = parameter.type
                self._scope.add(Symbol(name, kind, Home.FRAME))
                yield f"{self._in_frame(name, f'__typeof__(s2s_given_{name})')}"
                given = f"(void *)&s2s_given_{name}"
                yield f"__builtin_memcpy((void *){name}, {given}, sizeof *{name});"
            else:
                self._scope.add(Symbol(name, parameter.type, Home.REGISTER))

    def _work_out_lengths(self, declared: Any) -> None:
        """Lengths of arrays that are no constants become text, as other expressions do."""
        for part in nodes(declared):
            if isinstance(part, c_ast.FuncDecl):
                return
            dim = part.dim if isinstance(part, c_ast.ArrayDecl) else None
            if dim is not None and not isinstance(dim, c_ast.Constant):
                part.dim = c_ast.ID(self._value(dim), dim.coord)

    def _lies_in_memory(self, node: Any) -> bool:
        if self._scope.is_argument_list(node.type):
            return False
        return node.name in self._in_memory or self._scope.holds_array(node.type)

    def _in_frame(self, name: str, kind: str) -> str:
        drop = "__attribute__((cleanup(s2s_drop)))"
        return f"{drop} __typeof__({kind}) *{name} = s2s_variable(sizeof *{name}, s2s_f.home);"

    def _variable(self, node: Any) -> str:
        """A variable in the frame. Its initial value is a store, as any other."""
        defined = definition(node.type)
        kind, initial = self._expressions.type_name(node.type), ""
        if node.init is not None:
            initial = self._expressions.initializer(node.init)
            whole = f"({kind}){initial}" if initial.startswith("{") else initial
            if isinstance(node.type, c_ast.ArrayDecl):
                whole = f"({kind}){initial if initial.startswith('{') else '{' + initial + '}'}"
                kind = f"__typeof__({whole})" if node.type.dim is None else kind
        declared = defined + self._in_frame(node.name, kind)
        self._scope.add(Symbol(node.name, node.type, Home.FRAME))
        if node.init is None:
            return declared
        if self._scope.is_array(node.type):
            return f"{declared}\n__builtin_memcpy({node.name}, &{whole}, sizeof *{node.name});"
        site = self._expressions.site(c_ast.ID(node.name, node.coord))
        return f"{declared}\nS2S_INITIAL({node.name}, ({whole}), {site});"

    def _loop(self, node: Any) -> str:
        if isinstance(node, c_ast.DoWhile):
            body = self.block(node.stmt, operations(node.cond) + 1)
            return _turning(f"do {body} while ({self._value(node.cond)});")
        if isinstance(node, c_ast.While):
            if isinstance(node.cond, c_ast.ID) and node.cond.name == expressions.FOR:
                return self._cilk_for(node.stmt)
            body = self.block(node.stmt, operations(node.cond) + 1)
            return _turning(f"while ({self._value(node.cond)}) {body}")
        return self._for(node)

    def _for(self, node: Any) -> str:
        self._scope.open()
        first = self.statement(node.init) if node.init else ";"
        condition = self._value(node.cond) if node.cond else ""
        step = self._value(node.next) if node.next else ""
        body = self.block(node.stmt, operations(node.cond) + operations(node.next) + 1)
        self._scope.close()
        return f"{{\n{first}\n{_turning(f'for (; {condition}; {step}) {body}')}\n}}"

    def _cilk_for(self, node: Any) -> str:
        """Threads for pieces of the range, started where the function's frame is."""
        header, grain = header_of(node), self._grain or "0"
        self._grain = ""
        if header.name in self._in_memory:
            raise unsupported("the address of a cilk_for's variable", node)
        first, bound = self._value(header.first), self._value(header.bound)
        by = self._value(header.by) if header.by is not None else "1"
        self._scope.open()
        self._scope.add(Symbol(header.name, header.type, Home.REGISTER))
        body = self.block(node.stmt, 3)
        self._scope.close()
        kind = self._expressions.type_name(header.type)
        site = self._expressions.site(node.cond)
        return (
            f"{{\nconst {kind} s2s_first = {first};\n__auto_type s2s_bound = {bound};\n"
            f"const long s2s_by = {by};\n"
            f"s2s_loop s2s_l = s2s_loop_begin(&s2s_f, {header.count()}, {grain}, {site});\n"
            f"for ({kind} {header.name} = s2s_first; {header.condition()}; {header.step()}) {{\n"
            f"s2s_loop_next(&s2s_l);\n{self._own_frame(node.stmt)}{body}\n}}\n"
            "s2s_loop_end(&s2s_l);\n}"
        )

    def _own_frame(self, body: Any) -> str:
        return frame(body, True) if has_cilk(body) or self._in_memory else ""

    def _pragma(self, node: Any) -> str:
        words = str(node.string or "").replace("=", " ").split()
        if words[:2] == ["cilk", "grainsize"] and len(words) == 3:
            self._grain = words[2]
        return ""

    def _with_label(self, node: Any) -> str:
        match node:
            case c_ast.Label():
                self._labels[node.name] = self._scope.in_frame()
                return f"{node.name}: {self.statement(node.stmt)}"
            case c_ast.Goto():
                self._jumps.append((node, node.name, self._scope.in_frame()))
                return f"goto {node.name};"
            case c_ast.Switch():
                self._switches.append(self._scope.in_frame())
                text = f"switch ({self._value(node.cond)}) {self.block(node.stmt)}"
                self._switches.pop()
                return text
            case c_ast.Case():
                self._check_case(node)
                value = self._expressions.unevaluated(node.expr)
                return f"case {value}:;\n{self._all(node.stmts)}"
            case c_ast.Default():
                self._check_case(node)
                return f"default:;\n{self._all(node.stmts)}"
            case c_ast.StaticAssert():
                return ""
        raise unsupported(type(node).__name__, node)

    def check_jumps(self) -> None:
        """No jump may go past the declaration of a variable in the frame, which makes it."""
        for node, label, visible in self._jumps:
            if not self._labels.get(label, frozenset()) <= visible:
                raise unsupported("a jump past the declaration of a variable in memory", node)

    def _check_case(self, node: Any) -> None:
        if self._switches and not self._scope.in_frame() <= self._switches[-1]:
            raise unsupported("a case behind the declaration of a variable in memory", node)

    def _all(self, nodes: Iterable[Any] | None) -> str:
        return "\n".join(map(self.statement, nodes or ()))


def _turning(loop: str) -> str:
    """A loop before and after which the first thread has nothing in registers."""
    return f"{{\ns2s_turn();\n{loop}\ns2s_turn();\n}}"


def _call_what_is_waited_for(items: Sequence[Any]) -> list[Any]:
    """Statements with calls for spawns that a ``cilk_sync`` follows, as Emu's compiler makes them.

    One that is sent somewhere stays: a call would run where its caller is.
    """
    made = []
    for before, item, after in zip([None, *items], items, [*items[1:], None], strict=False):
        waits = expressions.is_call_of(after, expressions.SYNC)
        if waits and not expressions.is_call_of(before, expressions.HINT):
            item = _without_spawn(item)
        made.append(item)
    return made


def _without_spawn(item: Any) -> Any:
    match item:
        case c_ast.Decl(init=spawn) if _is_here(spawn):
            item.init = spawn.right
        case c_ast.Assignment(rvalue=spawn) if _is_here(spawn):
            item.rvalue = spawn.right
        case _ if _is_here(item):
            return item.right
    return item


def _is_here(node: Any) -> bool:
    """Whether an expression spawns a thread where the spawner is."""
    return expressions.is_spawn(node) and isinstance(node.left, c_ast.ID)


def function(scope: Scope, expressions: Expressions, node: Any) -> str:
    """The text of a function's definition."""
    if node.param_decls:
        raise unsupported("a definition with its parameters' types behind", node)
    drop_unused(node)
    scope.add(Symbol(node.decl.name, node.decl.type, Home.NOWHERE))
    scope.open()
    writer = Statements(scope, expressions, address_taken(node.body))
    copies = "\n".join(writer.parameters(node))
    body = writer.block(node.body)
    writer.check_jumps()
    scope.close()
    needs_frame = has_cilk(node.body) or "s2s_f.home" in copies + body
    first = frame(node.body, needs_frame)
    is_main = node.decl.name == "main"
    if is_main:
        rename(node.decl, "s2s_main")
        node.decl.storage = []
    last = "\nreturn 0;" if is_main and not scope.is_void(node.decl.type.type) else ""
    return f"{drop_initial(node.decl)}\n{{\n{first}{copies}\n{body}{last}\n}}\n"


def frame(body: Any, needed: bool) -> str:
    """A function's frame; where it spawns, it ends when all that it spawned has ended."""
    if not needed:
        return ""
    wait = "__attribute__((cleanup(s2s_leave))) " if has_cilk(body) else ""
    return f"{wait}s2s_frame s2s_f = s2s_enter();\n"


def has_cilk(node: Any) -> bool:
    names = (expressions.SPAWN, expressions.SPAWN_AT, expressions.SYNC, expressions.FOR)
    return any(isinstance(n, c_ast.ID) and n.name in names for n in nodes(node))


def operations(node: Any) -> int:
    """How many operations a statement has outside of the blocks in it."""
    match node:
        case None | c_ast.For() | c_ast.While() | c_ast.DoWhile() | c_ast.Compound():
            return 0
        case c_ast.If() | c_ast.Switch():
            return 1 + operations(node.cond)
        case c_ast.Typename():
            return 0
    own = isinstance(
        node, c_ast.BinaryOp | c_ast.Assignment | c_ast.FuncCall | c_ast.ArrayRef | c_ast.TernaryOp
    ) or (isinstance(node, c_ast.UnaryOp) and node.op not in _FREE)
    return int(own) + sum(operations(child) for _, child in node.children())
