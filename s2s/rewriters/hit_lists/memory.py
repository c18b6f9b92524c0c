"""What the parts of a nest read and write, and which of it may meet in memory."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import field

from s2s.frontends.c.effects import PURE
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import INLINE, is_plain
from s2s.rewriters.idioms.loops import Unsuitable
from s2s.rewriters.interleaving.flow import MemoryUse, Tracked, may_be_same
from s2s.source.records import dataclass

_LOCATIONS = frozenset({"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"})


@dataclass
class Reads:
    """What an evaluation depends on: variables of the function's own, and places in memory.

    ``sure`` are the places (by id) that it reads whenever it runs at all.
    """

    variables: set[Decl] = field(default_factory=set)
    places: list[Node] = field(default_factory=list)
    sure: set[int] = field(default_factory=set)


class Evaluation:
    """Reads statements that set nothing but variables of one iteration. Raises Unsuitable.

    ``set_`` are the variables that are set for sure, ``written`` all that are set somewhere, and
    ``calls`` the functions that may be called.
    """

    def __init__(self, tracked: Tracked, own: set[Decl], calls: Set[str] = INLINE) -> None:
        self.tracked = tracked
        self.own = own
        self.calls = calls
        self.reads = Reads()
        self.set_: set[Decl] = set()
        self.written: set[Decl] = set()

    def statements(self, nodes: Iterable[Node], sure: bool) -> None:
        """What these do, one after the other."""
        for node in nodes:
            self._statement(node, sure)

    def _statement(self, node: Node, sure: bool) -> None:
        kind = node.kind
        if kind == "COMPOUND_STMT":
            self.statements(node.children, sure)
        elif kind == "DECL_STMT":
            for child in node.children:
                self._declaration(child, sure)
        elif kind == "IF_STMT":
            self.value(node.children[0], sure)
            before, after = set(self.set_), []
            ways: list[Node | None] = [*node.children, None]
            for way in ways[1:3]:
                self.set_ = set(before)
                if way is not None:
                    self._statement(way, False)
                after.append(self.set_)
            self.set_ = set.intersection(*after)
        elif kind == "FOR_STMT" and len(node.children) == 4:
            first, condition, increment, body = node.children
            self._statement(first, sure)
            self.value(condition, sure)
            inside = self.once(node)
            before = set(self.set_)
            self._statement(body, sure and inside)
            self.value(increment, False)
            self.set_ = self.set_ if inside else before
        elif node.assigns:
            self._assignment(node, sure)
        elif kind != "NULL_STMT":
            raise Unsuitable(node, "what is computed before the condition is not understood")

    def once(self, loop: Node) -> bool:
        """Whether a loop runs at least once: those of which that is known say so."""
        return id(loop) in self.certain

    certain: frozenset[int] = frozenset()

    def _declaration(self, node: Node, sure: bool) -> None:
        decl = node.decl
        if node.kind != "VAR_DECL" or decl is None:
            raise Unsuitable(node, "a declaration is not understood")
        inner = decl.type.innermost()
        if inner.kind not in ("int", "float") or (decl.type.kind == "array" and not _sized(decl)):
            raise Unsuitable(node, f"'{decl.name}' is no number, and no array of a known size")
        value = initializer(node)
        if value is not None:
            if decl.type.kind == "array":
                raise Unsuitable(node, f"array '{decl.name}' is initialized")
            self.value(value, sure)
            self.written.add(decl)
        if decl.type.kind != "array":
            self.set_.add(decl)

    def value(self, node: Node, sure: bool) -> None:
        """Read an expression."""
        if node.kind == "DECL_REF_EXPR":
            self._reference(node, sure)
        elif node.assigns:
            self._assignment(node, sure)
        elif _is_place(node):
            self._place(node, sure)
            self._through(node, sure)
        elif node.kind == "CONDITIONAL_OPERATOR" or node.op in ("&&", "||"):
            self.value(node.children[0], sure)
            for child in node.children[1:]:
                self.value(child, False)
        elif node.kind == "CALL_EXPR":
            if not is_plain(node, self.calls):
                raise Unsuitable(node, f"'{node.name}' is called before the condition")
            for child in node.children[1:]:
                self.value(child, sure)
        elif node.op == "&" and node.kind == "UNARY_OPERATOR":
            raise Unsuitable(node, "an address is taken")
        elif node.op in ("/", "%") and node.type.kind == "int" and not _divides_safely(node):
            raise Unsuitable(node, "a division of integers may trap")
        else:
            for child in node.children:
                self.value(child, sure)

    def _reference(self, node: Node, sure: bool) -> None:
        decl = node.decl
        if decl is None or decl.kind not in ("VAR_DECL", "PARM_DECL"):
            if node.value is None and (decl is None or decl.kind != "ENUM_CONSTANT_DECL"):
                raise Unsuitable(node, "a reference is not understood")
        elif decl in self.own:
            if decl.type.kind != "array" and decl not in self.set_:
                raise Unsuitable(node, f"'{decl.name}' is carried from one iteration to the next")
        elif decl in self.tracked:
            self.reads.variables.add(decl)
        else:
            self._place(node, sure)

    def _place(self, node: Node, sure: bool) -> None:
        path = resolve(node)
        if path is None or path.root is None or path.union:
            raise Unsuitable(node, "an access is not understood")
        if path.root in self.own and not path.pointer_depth:
            return
        self.reads.places.append(node)
        if sure:
            self.reads.sure.add(id(node))

    def _through(self, node: Node, sure: bool) -> None:
        """The subscripts of a place, and the pointers on the way to it."""
        for child in node.children:
            inner = child.bare
            if inner.type.kind in ("array", "record") and inner.kind == "DECL_REF_EXPR":
                continue
            if inner.type.kind in ("array", "record") and _is_place(inner):
                self._through(inner, sure)
            else:
                self.value(inner, sure)

    def _assignment(self, node: Node, sure: bool) -> None:
        target = node.children[0]
        for child in node.children[1:]:
            self.value(child, sure)
        path = resolve(target)
        decl = None if path is None else path.root
        if path is None or decl is None or decl not in self.own or path.pointer_depth:
            raise Unsuitable(target, "something is stored before the condition")
        if target.kind == "DECL_REF_EXPR":
            if node.op != "=":
                self._reference(target, sure)
            self.set_.add(decl)
            self.written.add(decl)
        else:
            self._through(target, sure)


def _divides_safely(node: Node) -> bool:
    divisor = node.children[1].bare.value
    return divisor is not None and divisor > 0


def _is_place(node: Node) -> bool:
    return node.kind in _LOCATIONS or (node.kind == "UNARY_OPERATOR" and node.op == "*")


def _sized(decl: Decl) -> bool:
    type_ = decl.type
    while type_.kind == "array" and type_.element is not None:
        if type_.count is None:
            return False
        type_ = type_.element
    return True


@dataclass
class Writes:
    """What the work changes: variables of the function's own, and places in memory."""

    variables: set[Decl] = field(default_factory=set)
    places: list[Node] = field(default_factory=list)
    globals: set[Decl] = field(default_factory=set)


def writes_of(
    function: Function, work: tuple[Node, ...], tracked: Tracked, inside: set[Decl]
) -> Writes:
    """What statements change, variables declared ``inside`` apart. Raises Unsuitable."""
    found = Writes()
    for node in (n for root in work for n in root.walk()):
        if node.kind == "CALL_EXPR":
            _add_call(function, node, inside, found)
        elif node.assigns:
            _add_target(node.children[0], tracked, inside, found)
    return found


def _add_target(target: Node, tracked: Tracked, inside: set[Decl], found: Writes) -> None:
    path = resolve(target)
    if path is None or path.root is None or path.union:
        raise Unsuitable(target, "what is written is not understood")
    if path.root in inside:
        if path.pointer_depth:
            raise Unsuitable(target, f"'{path.root.name}' may point anywhere")
    elif target.kind == "DECL_REF_EXPR" and path.root in tracked:
        found.variables.add(path.root)
    else:
        found.places.append(target)


def _add_call(function: Function, call: Node, inside: set[Decl], found: Writes) -> None:
    effects = function.calls.of(call)
    if effects.anything or effects.output or not _is_calm(function, call, frozenset()):
        raise Unsuitable(call, f"'{call.name}' may do anything, or stop")
    found.globals |= effects.global_writes
    arguments = call.children[1:]
    for position in effects.writes:
        argument = arguments[position].uncast if position < len(arguments) else call
        if argument.kind == "UNARY_OPERATOR" and argument.op == "&":
            argument = argument.children[0]
        path = resolve(argument)
        if (
            path is None or path.root not in inside or path.pointer_depth
            or argument.type.innermost().kind not in ("int", "float")
        ):  # fmt: skip
            raise Unsuitable(argument, f"'{call.name}' writes to memory")


def _is_calm(function: Function, call: Node, seen: frozenset[Decl]) -> bool:
    """Whether what a call runs is known, and has no directives in it."""
    definition = function.calls.definition(call)
    if definition is None or call.decl is None:
        return call.decl is not None and call.decl.is_global and call.name in PURE
    if call.decl in seen:
        return False
    if definition.span.start < 0 or not call.decl.in_file:
        return False
    if any(definition.span.overlaps(d.span) for d in function.unit.pragmas):
        return False
    return all(
        _is_calm(function, n, seen | {call.decl})
        for n in definition.walk() if n.kind == "CALL_EXPR"
    )  # fmt: skip


def use_of(node: Node, *, write: bool) -> MemoryUse:
    """An access of a place that is understood."""
    path = resolve(node)
    assert path is not None
    root = path.root if not path.pointer_depth else None
    return MemoryUse(root, node.type, write, node)


def are_apart(function: Function, write: Node, read: Node, tracked: Tracked) -> bool:
    """Whether a place that is written is known to be none of those that are read."""
    if not may_be_same(function, use_of(write, write=True), use_of(read, write=False), tracked):
        return True
    one, other = resolve(write), resolve(read)
    if one is None or other is None:
        return False
    if _is_restricted(function, one, other) or _is_restricted(function, other, one):
        return True
    return _are_other_members(one, other)


def _is_restricted(function: Function, one: Path, other: Path) -> bool:
    """Whether the source promises that only one of two paths leads to what it leads to."""
    assigned = function.facts.assigned
    mine, its = one.root, other.root
    if mine is None or its is None or mine is its or not mine.type.restrict:
        return False
    if mine.kind != "PARM_DECL" or one.pointer_depth != 1 or assigned.get(mine):
        return False
    given = its.kind == "PARM_DECL" and other.pointer_depth == 1 and not assigned.get(its)
    return given or (not other.pointer_depth and mine not in function.facts.copied)


def _are_other_members(one: Path, other: Path) -> bool:
    """Whether two paths lead to different members of records of one array.

    The pointer to the array is the same variable, which nobody writes between the two.
    """
    if one.root is not other.root:
        return False
    mine, its = one.key.split("."), other.key.split(".")
    if len(mine) < 2 or len(its) < 2 or mine[0] != its[0] or mine[0] not in ("", "*"):
        return False
    return mine[1] != its[1] and "*" not in "".join(mine[1:] + its[1:])


def are_same_array(one: Node, other: Node) -> bool:
    """Whether two places are elements of one array, told apart by subscripts alone."""
    first, second = resolve(one), resolve(other)
    return (
        first is not None and second is not None
        and first.root is second.root and first.key == second.key
    )  # fmt: skip
