"""Array elements that every iteration of an inner loop sets before it reads them become locals.

::

    for i: for j: {                              for i: for j: {
        a[i] = b[j][i] - a[i - 1];      ->           if (j is not the last) {
        b[j][i] = a[i] + c[j][i]; }                      T x = b[j][i] - a[i - 1];
                                                         b[j][i] = x + c[j][i]; }
                                                     else { a[i] = ...; b[j][i] = a[i] + ...; } }

The last iteration keeps the element: what comes after the loop reads it. It is scalar expansion
(Padua and Wolfe, 1986) for an element instead of a scalar: without the element, the iterations of
the inner loop no longer wait for each other, and loops can be distributed and interchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Access, Leaf, Scop, Statement, Tree, walk
from s2s.scop.nodes import Sequence as Block
from s2s.scop.texts import PREFIX
from s2s.scop.trees import rebuild_tree
from s2s.source import Edit, Span
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.units import direction

Source = Callable[[Span], str]

_REFERENCE = re.compile(r"[A-Za-z_]\w*(?:\s*\[[\w\s+*-]*\])*")
_ASSIGNMENT = re.compile(r"\s*=(?!=)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_TYPES = frozenset({"char", "short", "int", "long", "unsigned", "signed", "float", "double"})
# Comments and literals; labels and choices; members and what a pointer points to.
_UNCLEAR = re.compile(
    r"//|/\*|[\"'#\\{}?:;](?!$)|->|[A-Za-z_)\]]\s*\.|(?:^|[-=+*/%(,<>!&|^~\[])\s*[*&]"
)


def localize(scop: Scop, source: Source) -> Scop:
    """Keep an element that an inner loop sets again and again in a local, but the last time.

    ``source`` gives the text of a span. Raises NotApplicable where there is no such element.
    """
    if scop.carried or scop.order is not None or scop.points or scop.starts or _calls(scop):
        raise NotApplicable(scop.span, "what lies between two writes is not known")
    for block in [n for n in walk(scop.tree) if isinstance(n, Block)]:
        for group in _groups(scop, block):
            changed = _localized(scop, block, group, source)
            if changed is not None:
                return changed
    raise NothingToGain(scop.span, "no element is set anew by every iteration")


def _calls(scop: Scop) -> bool:
    return any(scop.arrays[a.array].external for s in scop.statements for a in s.accesses)


def _groups(scop: Scop, block: Block) -> Iterator[list[Statement]]:
    """For each statement of a block, it and those after it in the same iterations."""
    leaves = block.children
    for start, first in enumerate(leaves):
        group: list[Statement] = []
        for leaf in leaves[start:]:
            if not isinstance(leaf, Leaf) or not isinstance(first, Leaf):
                break
            statement = scop.statement(leaf.statement)
            head = scop.statement(first.statement)
            if not _is_plain(statement) or not _same_domain(head, statement):
                break
            group.append(statement)
        if len(group) > 1 and group[0].depth > 1:
            yield group


def _is_plain(statement: Statement) -> bool:
    return statement.straight and not statement.edits and not statement.locals


def _same_domain(a: Statement, b: Statement) -> bool:
    here, there = a.domain.reset_tuple_id(), b.domain.reset_tuple_id()
    return a.iterators == b.iterators and bool(here.is_equal(there))


def _localized(scop: Scop, block: Block, group: Sequence[Statement], source: Source) -> Scop | None:
    """The SCoP with the first statement's element in a local; None where that is not right."""
    first = group[0]
    store = next((a for a in first.accesses if a.write), None)
    if store is None or store.span.start != first.span.start or not _is_store(scop, first, store):
        return None
    text = source(store.span)
    behind = source(Span(store.span.end, first.span.end))
    if not _REFERENCE.fullmatch(text) or not _ASSIGNMENT.match(behind):
        return None
    users = _users(group, store)
    group = group[: users[-1] + 1] if users else ()
    if len(group) < 2 or not _is_dead_between(scop, group, store):
        return None
    texts = _Texts(scop, group, store, source)
    edits = texts.edits()
    if edits is None:
        return None
    return _split(scop, block, group, store, edits)


def _is_store(scop: Scop, statement: Statement, store: Access) -> bool:
    """Whether an access surely writes one element that the innermost loop does not change."""
    array = scop.arrays[store.array]
    stores = [a for a in statement.accesses if a.write]
    if len(stores) != 1 or not store.exact or array.external or array.row_rank:
        return False
    aliased = any(store.array in pair and len(pair) > 1 for pair in scop.may_alias)
    if aliased or store.commutes is not None or not store.relation.is_single_valued():
        return False
    last = statement.depth - 1
    same = store.relation.apply_range(store.relation.reverse())
    iterations = isl.Map.universe(statement.domain.get_space().map_from_set())
    for position in range(last):
        iterations = iterations.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
    everywhere = iterations.intersect_domain(statement.domain).intersect_range(statement.domain)
    return bool(everywhere.is_subset(same))


def _users(group: Sequence[Statement], store: Access) -> list[int]:
    """The places of the statements that read what the first one has set."""
    return [
        place for place, statement in enumerate(group)
        if place and any(_is_same(a, store) for a in statement.accesses)
    ]  # fmt: skip


def _is_same(access: Access, store: Access) -> bool:
    """Whether an access reads the element that is stored in the same iteration."""
    if access.array != store.array or access.write:
        return False
    name = store.relation.get_tuple_name(isl.dim_type.in_)
    moved = access.relation.set_tuple_name(isl.dim_type.in_, name)
    return bool(moved.is_equal(store.relation))


def _is_dead_between(scop: Scop, group: Sequence[Statement], store: Access) -> bool:
    """Whether nothing but the group touches the element from one store to the next one."""
    first = group[0]
    again = _later_iterations(first)
    for statement in scop.statements:
        member = any(statement is s for s in group)
        for access in statement.accesses:
            if access is store or access.array != store.array:
                continue
            if member and statement is not first and _is_same(access, store):
                continue
            after = first.schedule.lex_lt_map(statement.schedule)
            until_next = after.subtract(again.apply_range(after))
            touching = store.relation.apply_range(access.relation.reverse())
            if not touching.intersect(until_next).intersect_domain(again.domain()).is_empty():
                return False
    return True


def _later_iterations(statement: Statement) -> isl.Map:
    """From each instance to the later ones of the same execution of the innermost loop."""
    relation = isl.Map.universe(statement.domain.get_space().map_from_set())
    last = statement.depth - 1
    for position in range(last):
        relation = relation.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
    if direction(statement, last).startswith("-"):
        relation = relation.order_gt(isl.dim_type.in_, last, isl.dim_type.out, last)
    else:
        relation = relation.order_lt(isl.dim_type.in_, last, isl.dim_type.out, last)
    return relation.intersect_domain(statement.domain).intersect_range(statement.domain)


def _not_last(statement: Statement) -> isl.Set:
    """Instances that a later iteration of the innermost loop follows."""
    return _later_iterations(statement).domain().coalesce()


@dataclass(frozen=True)
class _Texts:
    """The group's text as one block with a local for the element."""

    scop: Scop
    group: Sequence[Statement]
    store: Access
    source: Source

    @property
    def local(self) -> str:
        return f"{PREFIX}{self.store.array}_local"

    def edits(self) -> tuple[Edit, ...] | None:
        """What changes in the text of the group; None where a reference is not understood."""
        text = self.source(self.store.span)
        start, end = self.store.span.start, self.store.span.end
        found = [
            Edit(
                start, end, f"{{ __typeof__({text}) {self.local}".encode("utf-8", "surrogateescape")
            )
        ]
        for place, statement in enumerate(self.group):
            spans = self._references(statement)
            if spans is None:
                return None
            if not place:
                spans = [s for s in spans if s != self.store.span]
                if spans:
                    return None
            found += [Edit(s.start, s.end, self.local.encode()) for s in spans]
        closing = self.group[-1].span.end
        return (*found, Edit(closing, closing, b" }"))

    def _references(self, statement: Statement) -> list[Span] | None:
        """Where a statement names the stored element; None where that cannot be told."""
        text = self.source(statement.span)
        element = _squeezed(self.source(self.store.span))
        same = self._spelled(statement, text)
        if same is None or not same <= {element}:
            return None
        spans = []
        for match in re.finditer(rf"(?<![\w.>]){_lead(element)}\b", text):
            reference = _REFERENCE.match(text, match.start())
            assert reference is not None
            if _squeezed(reference.group()) == element:
                if not same:
                    return None
                start = statement.span.start + len(
                    text[: match.start()].encode("utf-8", "surrogateescape")
                )
                spans.append(Span(start, start + len(reference.group().encode())))
        return spans

    def _spelled(self, statement: Statement, text: str) -> set[str] | None:
        """How a statement spells the element; None where its text may hide references.

        One array may have several names (copies of a pointer), and equal accesses count once.
        """
        leads: dict[str, set[str]] = {}
        same: set[str] = set()
        for access in statement.accesses:
            spelled = _squeezed(self.source(access.span))
            if not _REFERENCE.fullmatch(spelled):
                return None
            leads.setdefault(_lead(spelled), set()).add(access.array)
            if access is self.store or _is_same(access, self.store):
                same.add(spelled)
        words = set(_WORD.findall(text)) - _TYPES
        subscripted = set(re.findall(r"([A-Za-z_]\w*)\s*\[", text))
        if _UNCLEAR.search(text) or not words <= statement.uses or not subscripted <= set(leads):
            return None
        name = _lead(_squeezed(self.source(self.store.span)))
        if any(self.store.array in arrays and lead != name for lead, arrays in leads.items()):
            return None
        return same


def _lead(reference: str) -> str:
    """The name that a reference begins with."""
    return _WORD.match(reference).group()  # type: ignore[union-attr]


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _split(
    scop: Scop, block: Block, group: Sequence[Statement], store: Access, edits: tuple[Edit, ...]
) -> Scop:
    """The group's iterations but the last one as one statement, the last one as it was."""
    first = group[0]
    domain = _not_last(first)
    inner = _merged(group, store, domain, edits)
    kept = {s.name: _rest(s, domain) for s in group}

    def place(node: Tree) -> Tree:
        if not isinstance(node, Block):
            return node
        parts: list[Tree] = []
        for child in node.children:
            if isinstance(child, Leaf) and child.statement == first.name:
                parts.append(Leaf(inner.name, inner.span))
            parts.append(child)
        return Block(tuple(parts), node.span)

    statements: list[Statement] = []
    for statement in scop.statements:
        if statement is first:
            statements.append(inner)
        statements.append(kept.get(statement.name, statement))
    return replace(scop, statements=tuple(statements), tree=rebuild_tree(scop.tree, place))


def _merged(
    group: Sequence[Statement], store: Access, domain: isl.Set, edits: tuple[Edit, ...]
) -> Statement:
    first = group[0]
    name = f"{first.name}_local"
    domain = domain.set_tuple_name(name)
    accesses = []
    for statement in group:
        for access in statement.accesses:
            if access is store or _is_same(access, store):
                continue
            relation = access.relation.set_tuple_name(isl.dim_type.in_, name)
            accesses.append(replace(access, relation=relation.intersect_domain(domain)))
    return replace(
        first, name=name, domain=domain, accesses=tuple(accesses), edits=edits,
        schedule=first.schedule.set_tuple_name(isl.dim_type.in_, name),
        span=Span(first.span.start, group[-1].span.end),
        uses=frozenset().union(*(s.uses for s in group)), choices=(),
    )  # fmt: skip


def _rest(statement: Statement, domain: isl.Set) -> Statement:
    """A statement of the group in the last iterations."""
    rest = statement.domain.subtract(domain.set_tuple_name(statement.name)).coalesce()
    accesses = tuple(
        replace(a, relation=a.relation.intersect_domain(rest)) for a in statement.accesses
    )
    return replace(statement, domain=rest, accesses=accesses)
