"""The statements of a loop's body: what always runs, and what only runs when something happens."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import field

from s2s.frontends.c.effects import UNMODELLED
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.leaving import leaves_early
from s2s.frontends.c.lvalues import resolve
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import marks, read_parenthesized
from s2s.rewriters.expressions import is_pure, same, variables
from s2s.rewriters.idioms.loops import CountedLoop, Unsuitable, unlabelled
from s2s.rewriters.idioms.target import Target
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Hit:
    """Statements that only run where ``text`` is true (false if ``negated``)."""

    condition: Node
    text: str
    negated: bool
    guarded: tuple[Node, ...]


@dataclass
class Body:
    """A loop's body: what always runs, in order, and what runs under conditions."""

    items: list[Node | Hit] = field(default_factory=list)

    @property
    def hits(self) -> list[Hit]:
        return [i for i in self.items if isinstance(i, Hit)]

    @property
    def always(self) -> list[Node]:
        return [i for i in self.items if isinstance(i, Node)]


@dataclass
class Writes:
    """What statements assign: variables, and memory by the variable that leads there."""

    scalars: set[Decl] = field(default_factory=set)
    arrays: set[Decl] = field(default_factory=set)
    declared: set[Decl] = field(default_factory=set)
    anything: bool = False
    """Whether memory that no variable of the statements leads to may change."""

    @staticmethod
    def of(nodes: Iterable[Node]) -> Writes:
        found = Writes()
        for root in nodes:
            for node in root.walk():
                found._add(node)
        return found

    @property
    def stores(self) -> bool:
        return self.anything or bool(self.arrays)

    def _add(self, node: Node) -> None:
        if node.kind == "VAR_DECL" and node.decl is not None:
            self.declared.add(node.decl)
        if node.kind in UNMODELLED or (node.kind == "CALL_EXPR" and not is_pure(node)):
            self.anything = True
        if not node.assigns:
            return
        path = resolve(node.children[0])
        if path is None or path.root is None:
            self.anything = True
        elif path.steps or path.key:
            self.arrays.add(path.root)
        else:
            self.scalars.add(path.root)


def sort_body(function: Function, loop: CountedLoop, target: Target) -> Body:
    """Sort the statements of a body. Raises Unsuitable."""
    body = Body()
    pending = loop.body.statements
    inside = {s.name for s in pending if s.kind == "LABEL_STMT"}
    while pending:
        statement = unlabelled(pending.pop(0))
        if statement.kind == "NULL_STMT":
            continue
        if statement.kind != "IF_STMT" or statement.in_macro or len(statement.children) != 2:
            body.items.append(statement)
            continue
        label = _jump(statement)
        behind = [n for n, s in enumerate(pending) if s.kind == "LABEL_STMT" and s.name == label]
        condition = statement.children[0]
        if label and behind:
            guarded, pending = pending[: behind[0]], pending[behind[0] :]
            if not is_event(condition, guarded, target, loop, inside):
                raise Unsuitable(statement, "what the condition guards is not rare")
            body.items.append(_hit(function, statement, guarded, negated=True))
        elif is_event(condition, statement.children[1:], target, loop, inside):
            body.items.append(_hit(function, statement, statement.children[1:], negated=False))
        else:
            body.items.append(statement)
    return body


def _jump(statement: Node) -> str:
    """The label that an ``if`` jumps to and does nothing else."""
    inner = statement.children[1]
    if inner.kind == "COMPOUND_STMT" and len(inner.children) == 1:
        inner = inner.children[0]
    return inner.children[0].name if inner.kind == "GOTO_STMT" and inner.children else ""


def _hit(function: Function, statement: Node, guarded: list[Node], *, negated: bool) -> Hit:
    span = read_parenthesized(function.unit.buffer.data, statement.span.start)
    if span is None:
        raise Unsuitable(statement, "the condition's text is not understood")
    text = function.unit.buffer.text(span).strip()
    return Hit(statement.children[0], text, negated, tuple(guarded))


_OPPOSITE = {"<": ">", ">": "<", "<=": ">", ">=": "<"}


def finds_key(condition: Node, stepping: Set[Decl]) -> bool:
    """Whether a condition holds for one key among many.

    An element is compared for equality with a value, or the value lies between two of them.
    """
    sides: list[tuple[str, Node]] = []
    for part in _conjuncts(condition):
        found = _compared_element(part, stepping)
        if found is not None:
            if found[0] == "==" and found[1].value is None:
                return True
            sides.append(found)
    return any(
        a[0] in _OPPOSITE and b[0] in _OPPOSITE and a[0][0] == _OPPOSITE[b[0]] and same(a[1], b[1])
        for n, a in enumerate(sides) for b in sides[:n]
    )  # fmt: skip


def _conjuncts(condition: Node) -> list[Node]:
    bare = condition.bare
    if bare.op != "&&":
        return [bare]
    return [part for child in bare.children for part in _conjuncts(child)]


def _compared_element(part: Node, stepping: Set[Decl]) -> tuple[str, Node] | None:
    """How an element that steps is compared, and with what."""
    if part.op != "==" and part.op not in _OPPOSITE:
        return None
    left, right = part.children
    varies = [bool(variables(side) & stepping) for side in (left, right)]
    if varies == [True, False]:
        return part.op, right.bare
    if varies == [False, True]:
        return {"==": "==", "<": ">", ">": "<", "<=": ">=", ">=": "<="}[part.op], left.bare
    return None


def first_operand(hit: Hit) -> Hit | None:
    """The first operand of a conjunction: where it is false, so is the condition."""
    condition = hit.condition
    if hit.negated or condition.op != "&&":
        return None
    data = hit.text.encode("utf-8", "surrogateescape")
    found = list(marks(data, Span(0, len(data))))
    if not found or any(mark != b"&&" for _, mark in found):
        return None
    while condition.op == "&&":
        condition = condition.children[0]
    return Hit(
        condition,
        data[: found[0][0]].decode("utf-8", "surrogateescape").strip(),
        False,
        hit.guarded,
    )


def is_event(
    condition: Node, guarded: list[Node], target: Target, loop: CountedLoop,
    inside: Set[str] = frozenset(),
) -> bool:  # fmt: skip
    """Whether guarded statements are expected to run rarely, and keep loops from being vectors.

    They leave the loop (no jump to a label ``inside`` of its body) or call something, note a new
    maximum or the last place where the condition held, or store what belongs to a key that was
    looked for.
    """
    if any(leaves_early(n) for n in guarded):
        return not any(_jumps_to(n, inside) for n in guarded)
    nodes = [n for root in guarded for n in root.walk()]
    if any(n.kind == "CALL_EXPR" and not is_pure(n) for n in nodes):
        return True
    updates = [n for n in nodes if n.assigns]
    scalars = [n for n in updates if n.children[0].kind == "DECL_REF_EXPR"]
    if any(n.is_loop for n in nodes):
        return False
    stepping = {i.decl for i in loop.inductions}
    if len(scalars) < len(updates):
        there = all(not variables(n.children[0]) & stepping for n in updates)
        return there and finds_key(condition, stepping)
    if not scalars:
        return False
    if len(updates) == 1 and _is_place(condition, updates[0], stepping):
        return True
    if _is_extremum(condition, updates):
        return len(updates) > 1 or not _compilers_do(condition, updates[0], target)
    # Packing (a[j++] = ...) is as often dense: tests of strips would cost up to a fifth there.
    plain = all(n.op == "=" and not _depends_on_itself(n) for n in scalars)
    return len(scalars) == len(updates) and plain and (
        target.compiler == "clang" or len(scalars) > 1
    )  # fmt: skip


def _jumps_to(guarded: Node, labels: Set[str]) -> bool:
    """Whether code jumps to one of some labels."""
    return any(
        n.kind == "GOTO_STMT" and n.children and n.children[0].name in labels
        for n in guarded.walk()
    )


def _is_extremum(condition: Node, updates: list[Node]) -> bool:
    """Whether a condition compares a variable that is set where it holds."""
    if condition.op not in ("<", "<=", ">", ">="):
        return False
    sides = {c.uncast.decl for c in condition.children if c.uncast.kind == "DECL_REF_EXPR"}
    return any(n.op == "=" and n.children[0].decl in sides - {None} for n in updates)


def _is_place(condition: Node, update: Node, stepping: Set[Decl]) -> bool:
    """Whether a new extremum's place is noted, by which the old one is read: ``a[i] > a[k]``."""
    if condition.op not in _OPPOSITE or update.op != "=":
        return False
    place, counter = (c.uncast.decl for c in update.children)
    if place is None or counter is None or counter not in stepping:
        return False
    left, right = condition.children
    return _is_renamed(left, right, counter, place) or _is_renamed(right, left, counter, place)


def _is_renamed(new: Node, old: Node, counter: Decl, place: Decl) -> bool:
    """Whether an expression is another one with ``place`` for each ``counter``."""
    new, old = new.bare, old.bare
    if new.kind == old.kind == "DECL_REF_EXPR":
        return old.decl is (place if new.decl is counter else new.decl)
    if (new.kind, new.op, new.name, new.value) != (old.kind, old.op, old.name, old.value):
        return False
    if new.kind == "FLOATING_LITERAL" or len(new.children) != len(old.children):
        return same(new, old)
    pairs = zip(new.children, old.children, strict=True)
    return bool(new.children) and all(_is_renamed(a, b, counter, place) for a, b in pairs)


def _compilers_do(condition: Node, update: Node, target: Target) -> bool:
    """Whether compilers make a vector loop of a plain maximum."""
    target_, value = update.children
    return target_.type.kind == "int" or (
        target.fast and any(same(c, value) for c in condition.children)
    )


def _depends_on_itself(assignment: Node) -> bool:
    return assignment.children[0].decl in variables(assignment.children[1])


def is_prelude(node: Node) -> bool:
    """Whether a statement is a declaration whose value conditions may use."""
    if node.kind != "DECL_STMT":
        return False
    for child in node.children:
        value = initializer(child) if child.kind == "VAR_DECL" else None
        if value is None or not child.type.scalar or not is_pure(value):
            return False
    return True


_CONTROL = frozenset({"GOTO_STMT", "LABEL_STMT", "RETURN_STMT", "BREAK_STMT", "CONTINUE_STMT",
                      "SWITCH_STMT", "StmtExpr", "STMT_EXPR"})  # fmt: skip


def check_straight(statement: Node) -> None:
    """A statement that runs in every iteration is straight code without calls."""
    for node in statement.walk():
        static = node.kind == "VAR_DECL" and (node.decl is None or node.decl.is_static)
        calls = node.kind == "CALL_EXPR" and not is_pure(node)
        shared = node.type.volatile or "_Atomic" in node.type.canonical
        if node.is_loop or node.kind in UNMODELLED | _CONTROL or static or calls or shared:
            raise Unsuitable(node, "what always runs in the loop is not straight code")


def is_private(function: Function, decl: Decl) -> bool:
    """Whether no store through a pointer and no call can change a variable."""
    kept = decl.is_local and not decl.is_static and decl not in function.facts.escaped
    return kept and (decl.type.scalar or decl.type.kind == "array")
