"""Strips in which nothing happens: searches, the place of a maximum, rare events.

::

    for (i = 0; i < n; i++)              while (i < n) {
        if (a[i] > m) {                      for (; some iterations; i++)    /* as they were */
            m = a[i];                            if (a[i] > m) { m = a[i]; k = i; }
            k = i;                  ->       while (64 more iterations) {
        }                                        int any = 0;
                                                 for (l = 0; l < 64; l++) any |= a[i + l] > m;
                                                 if (any) break;
                                                 i += 64;
                                             }
                                         }

The conditions of a strip's iterations are evaluated together, with the variables as they are in
front of it. If all are false then none of the guarded statements would have run, so the variables
stay as they were evaluated: the strip is left out, or only the other statements of the body run in
it. Otherwise the source's own iterations run. That is exact for any guarded statement, a jump out
of the loop included; the loop grows by a test for each strip, which is made more rarely where
strips turn out not to be empty.

What has to be proved: the statements that always run do not change what the conditions read; and
where an iteration may leave the loop, the conditions of later ones load from within their arrays.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import (
    ElementRead,
    divides_integers,
    is_pure,
    reads_only,
    row_loads,
    unit_stride,
    variables,
)
from s2s.rewriters.idioms.conditions import (
    INTEGERS,
    STRIP_BYTES,
    as_bit,
    checks,
    element_size,
    widens,
)
from s2s.rewriters.idioms.events import (
    Body,
    Hit,
    Writes,
    check_straight,
    first_operand,
    is_prelude,
    is_private,
    sort_body,
)
from s2s.rewriters.idioms.loops import (
    CountedLoop,
    Unproved,
    Unsuitable,
    counted_loop,
    known_length,
)
from s2s.rewriters.idioms.room import check_room
from s2s.rewriters.idioms.target import Target
from s2s.rewriters.idioms.writing import Writer, breaks
from s2s.source.records import dataclass

# Iterations to run at most before strips are tested again, in strips.
_LONGEST_WAIT = 32
# Strips of a loop that is worth it: the first one runs as it was.
_LEAST_STRIPS = 2


@dataclass(frozen=True)
class Strip:
    """A loop whose empty strips of ``size`` iterations can be left out.

    ``element`` is the size of what conditions compare, in bytes. ``checks`` are C conditions under
    which a strip may be tested; ``first`` iterations run before that.
    """

    loop: CountedLoop
    body: Body
    size: int
    element: int
    checks: tuple[str, ...]
    first: int
    settled: bool
    """Whether the loop's bound stays what it is."""
    in_turn: bool = False
    """Whether a condition is tested once those before it are known to be false."""


def find_strips(function: Function, node: Node, around: Node | None, target: Target) -> Strip:
    """Recognise a loop; ``around`` is the loop around it. Raises Unsuitable."""
    loop = counted_loop(function, node)
    body = sort_body(function, loop, target)
    if not body.hits:
        raise Unsuitable(node, "nothing in the loop happens rarely")
    try:
        return _proved(function, loop, body, around)
    except Unsuitable as problem:
        raise Unproved(problem.node, problem.reason) from None


def _proved(function: Function, loop: CountedLoop, body: Body, around: Node | None) -> Strip:
    """The loop with what its strips may load. Raises Unsuitable."""
    _check_always(function, loop, body)
    body = _without_unsure_operands(loop, body)
    leaves = any(_may_leave(function, loop, hit, body) for hit in body.hits)
    try:
        size, element, asked = _sizes(loop, body, leaves, in_turn=False)
        in_turn = False
    except Unsuitable:
        in_turn = len(body.hits) > 1 and len(_tested(loop, body)) == len(body.hits)
        if not in_turn:
            raise
        size, element, asked = _sizes(loop, body, leaves, in_turn=True)
    _check_length(loop, body, _LEAST_STRIPS * size)
    steps = tuple(f"{i.amount} == 1" for i in loop.inductions if i.step is None)
    ends = any(_may_end(loop, hit) for hit in body.hits)
    first = size if ends or _set_again(body, around, loop.node) else 0
    settled = _is_settled(function, loop, body)
    return Strip(loop, body, size, element, (*steps, *asked), first, settled, in_turn)


def _check_length(loop: CountedLoop, body: Body, least: int) -> None:
    """That the loop can have so many iterations. Raises Unsuitable."""
    touched = [*(h.condition for h in body.hits), *body.always]
    check_room(loop.node, touched, {i.decl: i.step or 1 for i in loop.inductions}, least)


def _sizes(
    loop: CountedLoop, body: Body, leaves: bool, *, in_turn: bool
) -> tuple[int, int, tuple[str, ...]]:
    """How long a strip is, of which elements, and what is checked. Raises Unsuitable."""
    found = _loads(loop, body, leaves, in_turn=in_turn)
    element = element_size(loop, found)
    size = STRIP_BYTES // element
    asked = dict.fromkeys(checks(loop, found, size, leaves=leaves))
    return size, element, tuple(asked)


def _is_settled(function: Function, loop: CountedLoop, body: Body) -> bool:
    """Whether nothing in the loop can change its bound."""
    if _reads_memory(loop.bound_node):
        return False
    named = variables(loop.bound_node)
    everywhere = Writes.of([loop.body])
    private = all(is_private(function, d) for d in named)
    return not named & everywhere.scalars and (private or not everywhere.stores)


def _set_again(body: Body, around: Node | None, node: Node) -> bool:
    """Whether what a hit sets is set anew before the loop each time: a hit is near."""
    if around is None:
        return True
    set_ = Writes.of([g for hit in body.hits for g in hit.guarded]).scalars
    inside = assigned_in([node])
    return any(count > inside.get(d, 0) for d, count in assigned_in([around]).items() if d in set_)


def _without_unsure_operands(loop: CountedLoop, body: Body) -> Body:
    """Conditions cut down to their first operands where later ones load what may not be there."""
    items: list[Node | Hit] = []
    for item in body.items:
        simpler = first_operand(item) if isinstance(item, Hit) else None
        if simpler is not None and isinstance(item, Hit):
            try:
                alone = Body([item])
                tuple(checks(loop, _loads(loop, alone, False), 1))
            except Unsuitable:
                item = simpler
        items.append(item)
    return Body(items)


# -- what is proved -----------------------------------------------------------------------------


def _check_always(function: Function, loop: CountedLoop, body: Body) -> None:
    """What always runs is plain, and leaves alone what the conditions and the bound read."""
    for node in body.always:
        check_straight(node)
    writes = Writes.of(body.always)
    read = _read(loop, body)
    changed = (writes.scalars - {i.decl for i in loop.inductions}) | writes.arrays
    if writes.anything or any(not _leads_to_own(d) for d in writes.arrays):
        changed |= {d for d in read if not is_private(function, d)}
    clash = sorted(d.name for d in changed & read)
    if clash:
        raise Unsuitable(loop.node, f"the condition reads '{clash[0]}', which the loop may change")
    if writes.stores and not _is_apart(writes, _loads_of(loop, body)):
        raise Unsuitable(loop.node, "what the condition reads may be what the loop stores")
    if writes.stores and _reads_memory(loop.bound_node):
        raise Unsuitable(loop.node, "the loop's bound is in memory")
    if writes.declared & {i.decl for i in loop.inductions}:
        raise Unsuitable(loop.node, "the counter is hidden")


def _read(loop: CountedLoop, body: Body) -> set[Decl]:
    nodes = [h.condition for h in body.hits] + [n for n in body.always if is_prelude(n)]
    return set().union(*map(variables, [*nodes, loop.bound_node]))


def _leads_to_own(decl: Decl) -> bool:
    """Whether a store by a variable changes that variable's own array and nothing else."""
    return decl.type.kind == "array" and decl.type.innermost().scalar


def _is_apart(writes: Writes, found: list[ElementRead | None]) -> bool:
    """Whether loads through pointers read nothing that stores change."""
    through = {
        load.root for load in found if load is not None and None in load.sizes
    }  # fmt: skip
    if not through:
        return True
    if writes.anything or through & writes.arrays or any(v.deep for v in found if v is not None):
        return False
    restrict = all(d.type.restrict for d in through)
    return restrict or all(d.type.restrict for d in writes.arrays)


def _reads_memory(node: Node) -> bool:
    return any(
        n.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR")
        or (n.op == "*" and len(n.children) == 1)
        for n in node.walk()
    )


def _may_end(loop: CountedLoop, hit: Hit) -> bool:
    """Whether a hit may leave the loop."""
    own = {s.name for s in loop.body.statements if s.kind == "LABEL_STMT"}
    for node in (n for root in hit.guarded for n in root.walk()):
        if node.kind in ("RETURN_STMT", "BREAK_STMT", "INDIRECT_GOTO_STMT", "SWITCH_STMT"):
            return True
        if node.kind == "CALL_EXPR" and not is_pure(node):
            return True
        if node.kind == "GOTO_STMT" and not (node.children and node.children[0].name in own):
            return True
    return False


def _may_leave(function: Function, loop: CountedLoop, hit: Hit, body: Body) -> bool:
    """Whether iterations after a hit may not run, or may load from somewhere else."""
    if _may_end(loop, hit):
        return True
    writes = Writes.of(hit.guarded)
    places = variables(loop.bound_node)
    found = _loads_of(loop, body)
    for load in found:
        # What the source loads first and does not step from is there for the whole strip.
        if load is not None and (load.varies or load.guarded):
            places |= variables(load.node)
    places = {d for d in places if d.type.kind != "array"}
    if places & writes.scalars:
        return True
    deep = any(load is None or load.deep for load in found)
    fixed = (
        not deep
        and all(is_private(function, d) for d in places)
        and not _reads_memory(loop.bound_node)
    )
    return writes.stores and not fixed


def _loads_of(
    loop: CountedLoop, body: Body, leaves: bool = False, *, in_turn: bool = False
) -> list[ElementRead | None]:
    """What conditions load; those after a possible exit count as guarded.

    Not so ``in_turn``: where the test of a condition comes after that of the ones before it, no
    hit can keep the strip's first iteration from evaluating it.
    """
    stepping = {i.decl for i in loop.inductions}
    found: list[ElementRead | None] = []
    behind = False
    for item in body.items:
        if isinstance(item, Hit):
            found += row_loads(item.condition, stepping, behind)
            behind = leaves and not in_turn
        elif is_prelude(item):
            found += row_loads(item, stepping, behind)
    return found


def _loads(
    loop: CountedLoop, body: Body, leaves: bool, *, in_turn: bool = False
) -> list[ElementRead]:
    """The loads of all conditions: neighbours in neighbouring iterations. Raises Unsuitable."""
    for hit in body.hits:
        if not reads_only(hit.condition):
            raise Unsuitable(hit.condition, "the condition has effects or calls a function")
        if divides_integers(hit.condition):
            raise Unsuitable(hit.condition, "the condition may divide by zero")
        if widens(hit.condition):
            raise Unsuitable(hit.condition, "the condition compares in another type")
    steps = {i.decl: 1 if i.step is None else i.step for i in loop.inductions}
    found = []
    for load in _loads_of(loop, body, leaves, in_turn=in_turn):
        if load is None or not unit_stride(load, steps):
            raise Unsuitable(loop.node, "the condition does not load neighbouring elements")
        found.append(load)
    if not any(load.varies for load in found):
        raise Unsuitable(loop.node, "the condition does not depend on an array's elements")
    return found


# -- the new text -------------------------------------------------------------------------------


def strip_text(strip: Strip, writer: Writer, label: str) -> bytes:
    """The loop with tests of strips; ``label`` is a new one for what a ``break`` leads to."""
    loop, p, size = strip.loop, writer.prefix, strip.size
    leaves = bool(breaks(loop.body))
    more = " && ".join([f"({writer.condition()})", loop.more(size), *strip.checks])
    used = _used(_tested(loop, strip.body))
    rest = _rest(strip, writer)
    short = _may_be_short(strip)
    lines = [
        "{",
        f"/* s2s: strips of {size} iterations in which nothing happens are passed over */",
        writer.init(),
        *([f"if (({writer.condition()}) && {loop.more(_LEAST_STRIPS * size)}) {{"] * short),
        f"long {p}run = {strip.first}, {p}wait = {size};",
        f"while ({writer.condition()}) {{",
        *_as_it_was(strip, writer),
        "    " + writer.body(label if leaves else ""),
        f"while ({more}) {{",
        f"{INTEGERS[strip.element]} {p}any = 0;",
        *writer.bases([*used, *strip.body.always]),
        *_tests(strip, writer),
        *rest,
        loop.advance(size),
        f"{p}wait = {size};",
        "}",
        f"{p}run = {p}wait;",
        f"if ({p}wait < {_LONGEST_WAIT * size}) {p}wait *= 2;",
        "}",
        *(["} else {", *writer.rest(label if leaves else ""), "}"] * short),
        *([f"{label}: ;"] if leaves else []),
        "}",
    ]
    return writer.assembled([line for line in lines if line])


def _may_be_short(strip: Strip) -> bool:
    """Whether the loop may have too few iterations, and its body may be there twice."""
    length = known_length(strip.loop)
    twice = not any(
        n.kind == "LABEL_STMT" or (n.decl is not None and n.kind == "VAR_DECL" and n.decl.is_static)
        for n in strip.loop.body.walk()
    )
    return twice and (length is None or length < _LEAST_STRIPS * strip.size)


def _as_it_was(strip: Strip, writer: Writer) -> list[str]:
    """The header of the source's loop over the next iterations."""
    loop, p = strip.loop, writer.prefix
    if not strip.settled:
        more = f", {loop.header.increment}" if loop.header.increment_node is not None else ""
        return [f"for (long {p}n = 0; {p}n < {p}run && ({writer.condition()}); {p}n++{more})"]
    return writer.some(f"{p}run")


def _used(tested: list[Node | Hit]) -> list[Node]:
    """What a strip's test evaluates."""
    return [i.condition if isinstance(i, Hit) else i for i in tested]


def _tested(loop: CountedLoop, body: Body) -> list[Node | Hit]:
    """The conditions, with the declarations and the steps before them."""
    last = max(n for n, i in enumerate(body.items) if isinstance(i, Hit))
    steps = {id(i.node) for i in loop.inductions}
    return [
        i for i in body.items[: last + 1]
        if isinstance(i, Hit) or is_prelude(i) or id(i) in steps
    ]  # fmt: skip


def _tests(strip: Strip, writer: Writer) -> Iterator[str]:
    """Loops over a strip, after each of which a hit leads to the source's iterations."""
    tested = _tested(strip.loop, strip.body)
    for group in [[t] for t in tested] if strip.in_turn else [tested]:
        yield writer.lanes(strip.size) + " {"
        yield from writer.shadows(_used(group))
        for item in group:
            if isinstance(item, Node):
                yield writer.text(item)
            else:
                yield f"{writer.prefix}any |= {as_bit(item)};"
        yield "}"
        yield f"if ({writer.prefix}any) break;"


def _rest(strip: Strip, writer: Writer) -> list[str]:
    """The loop that runs, in a strip without hits, what always runs."""
    steps = {id(i.node) for i in strip.loop.inductions}
    if all(id(n) in steps or is_prelude(n) for n in strip.body.always):
        return []
    always = strip.body.always
    texts = [writer.text(n) for n in always]
    return [writer.lanes(strip.size) + " {", *writer.shadows(always), *texts, "}"]
