"""Instances of statements as pieces of the source's own text, with the iterators that they name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace

import islpy as isl

from s2s.emitters.c.ast import all_loops, direct, identifiers, loop_names, loops, operands
from s2s.emitters.c.blocks import CLOSE, END, FENCE, ITERATOR, OPEN, VERBATIM
from s2s.emitters.c.carried_scalars import Rotator
from s2s.emitters.c.ends import Ends
from s2s.emitters.c.expressions import Names, Text, c_expression, convert, of_type
from s2s.emitters.c.kinds import expression_kind, node_kind, operation
from s2s.emitters.c.panels import PanelWriter
from s2s.emitters.c.scalar_replacement import Holder
from s2s.emitters.c.shared_loads import LoadSharer
from s2s.emitters.c.team import TeamWriter
from s2s.scop.nodes import LoopVariable, Scop, Statement
from s2s.scop.schedule import Dimension
from s2s.scop.texts import Storage
from s2s.source.records import dataclass

INDENT = "    "


@dataclass
class InstancePrinter:
    """Prints instances. ``text`` gives a statement's source text, ``prefix`` starts new names.

    ``pragmas`` gives the directives of a loop over a dimension and some statements, ``region`` the
    one before a team's loop, if there is a ``team``. ``known``: parameters for which it runs.
    """

    scop: Scop
    text: Callable[[Statement], str]
    dimensions: dict[str, Dimension]
    prefix: str
    pragmas: Callable[[Dimension, list[Statement], bool], list[str]]
    region: str = ""
    team: TeamWriter | None = None
    holder: Holder | None = None
    rotator: Rotator | None = None
    panels: PanelWriter | None = None
    sharer: LoadSharer | None = None
    known: isl.Set | None = None
    lines: list[str] = field(default_factory=list)
    _local_scalars: dict[str, Storage] = field(default_factory=dict)
    _crowded: frozenset[str] = frozenset()

    def _clashes(self, node: isl.AstNode) -> Iterator[str]:
        """Statements whose declarations others would see, or repeat, in the same block."""
        words = {w for p in self.scop.parameters for w in re.findall(r"\w+", p.spelling)}
        taken = Counter(words)
        for statement in self.scop.statements:
            named = {v.spelling for v in statement.iterators} | {n for _, n in statement.locals}
            taken.update(named | statement.uses | statement.declares)
        declaring = [s for s in self.scop.statements if s.declares]
        yield from (s.name for s in declaring if any(taken[n] > 1 for n in s.declares))
        for body in [node, *(b.for_get_body() for b in all_loops(node))] if declaring else []:
            often = Counter(s.name for s in direct(body, self._statement_of))
            yield from (s.name for s in declaring if often[s.name] > 1)

    def _bodies(self, node: isl.AstNode) -> Iterator[set[str]]:
        """The words in the statements of each body: of the whole AST first, then of its loops."""
        texts = (self.text(statement) for statement in direct(node, self._statement_of))
        yield set(re.findall(r"\w+", " ".join(texts)))
        for loop in loops(node):
            yield from self._bodies(loop.for_get_body())

    def _line(self, depth: int, text: str) -> None:
        self.lines.append(INDENT * depth + text if not text.startswith(("#", VERBATIM)) else text)

    def _statement_of(self, node: isl.AstNode) -> Statement:
        return self.scop.statement(node.user_get_expr().get_op_arg(0).get_id().get_name())

    def _bounds(
        self, node: isl.AstNode, names: Names, inner: Names, spelling: str, depth: int
    ) -> Ends:
        """Start and condition; bounds with several operands are computed once before the loop."""
        init, condition = node.for_get_init(), node.for_get_cond()
        changes: list[str] = []
        start = self._extreme(init, "max", "<", f"{spelling}_begin", names, depth, changes)
        op = operation(condition)
        last = condition.get_op_arg(1)
        if op in ("le", "lt"):
            end = self._extreme(last, "min", ">", f"{spelling}_end", names, depth, changes)
        for line in changes:  # after all declarations
            self._line(depth, line)
        if op not in ("le", "lt"):
            return Ends(spelling, start, "", start, c_expression(condition, inner))
        return Ends(spelling, start, "<=" if op == "le" else "<", end)

    def _extreme(
        self, expression: isl.AstExpr, kind: str, worse: str, wanted: str,
        names: Names, depth: int, changes: list[str],
    ) -> Text:  # fmt: skip
        values = list(operands(expression, kind))
        if len(values) == 1:
            return convert(expression, names)
        name = wanted if wanted.startswith(self.prefix) else f"{self.prefix}{wanted}"
        first, *rest = (c_expression(o, names) for o in values)
        self._line(depth, f"long {name} = {first};")
        changes += [f"if ({name} {worse} {other}) {name} = {other};" for other in rest]
        return Text(name, 9, True)

    def _values_outside(self, node: isl.AstNode, names: Names) -> dict[tuple[str, str], Text]:
        """Iterators of the source that have one value in all statements of an AST loop."""
        variables = set(loop_names(node))
        common: dict[tuple[str, str], Text] | None = None
        for statement, arguments in self._users(node):
            values = {}
            for variable, argument in zip(statement.iterators, arguments, strict=True):
                used = self._visible(statement, variable) and variable.spelling in statement.uses
                if not used or identifiers(argument) & variables:
                    continue
                value = convert(argument, names)
                if not _is_visible(argument, value.text, variable, names):
                    values[_plain(variable.type), variable.spelling] = value
            if common is None:
                common = values
            common = {k: v for k, v in common.items() if values.get(k) == v}
        return common or {}

    def _original(self, node: isl.AstNode, name: str, names: Names) -> LoopVariable | None:
        """The source's loop variable that an AST loop runs over, when it is the same one
        for all statements inside.
        """
        found: LoopVariable | None = None
        for statement, arguments in self._users(node):
            matching = [
                v for v, a in zip(statement.iterators, arguments, strict=True)
                if expression_kind(a) == "id" and a.get_id().get_name() == name
            ]  # fmt: skip
            spelled = [v for v in matching if self._visible(statement, v)]
            if not spelled or (found and (found.spelling, found.type) != (
                spelled[-1].spelling, spelled[-1].type)):  # fmt: skip
                return None
            found = spelled[-1]
        taken = {*names.spelling.values(), *names.declared}
        if found is None or found.spelling in taken:
            return None
        return replace(found, type=_plain(found.type), declared=True)

    def _mirrored(self, node: isl.AstNode, name: str, names: Names) -> LoopVariable | None:
        """The source's loop variable of which an AST loop runs over the negated values."""
        upward = operation(node.for_get_cond()) in ("le", "lt")
        if not upward or self.holder or self.rotator or self._values_outside(node, names):
            return None
        found: LoopVariable | None = None
        for statement, arguments in self._users(node):
            matching = [
                v for v, a in zip(statement.iterators, arguments, strict=True)
                if _is_negated(a, name) and self._visible(statement, v)
            ]  # fmt: skip
            same = matching and (found is None or found.spelling == matching[-1].spelling)
            if not same or matching[-1].unsigned:
                return None
            found = matching[-1]
        if found is None or found.spelling in {*names.spelling.values(), *names.declared}:
            return None
        return replace(found, type=_plain(found.type), declared=True)

    @staticmethod
    def _visible(statement: Statement, variable: LoopVariable) -> bool:
        """Whether no inner loop of the source hides the variable."""
        last = [v for v in statement.iterators if v.spelling == variable.spelling][-1]
        return last is variable

    def _users(self, node: isl.AstNode) -> Iterator[tuple[Statement, list[isl.AstExpr]]]:
        kind = node_kind(node)
        if kind == "user":
            name, arguments = call_of(node)
            tile = self.panels.tile if self.panels is not None else None
            if tile is None or name not in tile.packs:
                name = tile.statement if tile is not None and name == tile.name else name
                yield self.scop.statement(name), arguments
        elif kind == "for_":
            yield from self._users(node.for_get_body())
        elif kind == "if_":
            yield from self._users(node.if_get_then_node())
            if node.if_has_else_node():
                yield from self._users(node.if_get_else_node())
        elif kind == "block":
            children = node.block_get_children()
            for position in range(children.n_ast_node()):
                yield from self._users(children.get_at(position))

    def _instance(
        self, statement: Statement, arguments: list[isl.AstExpr], text: str, names: Names,
        depth: int, leaf: str = "",
    ) -> None:  # fmt: skip
        """A statement after declarations of its iterators; ``leaf`` if it goes by another name."""
        leaf = leaf or statement.name
        declared = []
        for variable, argument in zip(statement.iterators, arguments, strict=True):
            if not self._visible(statement, variable) or variable.spelling not in statement.uses:
                continue
            value = convert(argument, names)
            if not _is_visible(argument, value.text, variable, names):
                type_ = _plain(variable.type)
                line = f"const {type_} {variable.spelling} = {of_type(type_, value)};"
                line = self._iterator(variable.spelling, line, [statement])
                if not (line.startswith(ITERATOR) or _is_named(text, variable.spelling)):
                    line += f" (void){variable.spelling};"  # else a warning
                declared.append(line)
        declared += [f"{_plain(type_)} {name};" for type_, name in statement.locals]
        if declared or statement.name in self._crowded:
            self._line(depth, "{" + FENCE * (statement.name in self._crowded))
            for line in declared:
                self._line(depth + 1, line)
            self._statement(leaf, text, depth + 1)
            self._line(depth, "}")
        else:
            self._statement(leaf, text, depth)

    def _statement(self, name: str, text: str, depth: int) -> None:
        """A statement's own text; its lines keep their distances."""
        lines = text.split("\n")
        lines[0] = f"{OPEN}{name}{CLOSE}{lines[0]}"
        lines[-1] += END
        for line in lines:
            self._line(depth, line)

    def _inside(self, node: isl.AstNode) -> list[Statement]:
        return [statement for statement, _ in self._users(node)]

    def _iterator(self, spelling: str, text: str, statements: Iterable[Statement]) -> str:
        """The declaration of an iterator, with a mark if what uses it is seen in the new text."""
        seen = all(spelling not in s.uses or _is_named(self.text(s), spelling) for s in statements)
        return f"{ITERATOR}{text}" if seen else text


def _is_named(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


def call_of(node: isl.AstNode) -> tuple[str, list[isl.AstExpr]]:
    """What isl calls an instance, and the values of its iterators."""
    call = node.user_get_expr()
    count = call.get_op_n_arg()
    name = call.get_op_arg(0).get_id().get_name()
    return name, [call.get_op_arg(i) for i in range(1, count)]


def _is_visible(argument: isl.AstExpr, text: str, variable: LoopVariable, names: Names) -> bool:
    """Whether an iterator of the source has its value under its own name already."""
    if names.declared.get(variable.spelling) == text:
        return True
    if expression_kind(argument) != "id":
        return False
    name = argument.get_id().get_name()
    return names.spelling.get(name, name) == variable.spelling


def _is_negated(expression: isl.AstExpr, name: str) -> bool:
    if expression_kind(expression) != "op" or operation(expression) != "minus":
        return False
    inner = expression.get_op_arg(0)
    return expression_kind(inner) == "id" and inner.get_id().get_name() == name


def _plain(type_: str) -> str:
    """A declared type without qualifiers that would keep it from being set."""
    words = [w for w in type_.split() if w not in ("const", "volatile", "register", "static")]
    return " ".join(words)
