"""Variables and pointers that loops walk with, as where they began and how far they have come.

::

    for (y = 0; y < h; y++) {                    for (y = 0; y < h; y++) {
        int k = y * w + 1;                           int k = y * w + 1;
        const float *p = in + y * w;                 const float *p = in + y * w;
        for (x = 1; x < w - 1; x++) {     ->         for (x = 1; x < w - 1; x++) {
            out[k] = *p++;                               out[(k + (x - 1))] = p[(x - 1)];
            k++;                                         ;
        }                                            }
    }                                            }

(Induction variable substitution; Allen and Kennedy, "Optimizing Compilers for Modern
Architectures", section 5.5.) They are declared in the block that the loops are in, or parameters
of the function whose block that is, and are not named after the loops, so that nobody sees where
they end. Through a whole nest they have come as far as the loops around and the lengths of those
inside say: ``q[y * w + x]``. Each iteration of the innermost loop advances them by the same
constant: in its header (``x++, p++``), by statements of its body, or by an ``x++`` that is all
which a statement says of them and that each of its executions reaches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.prepare.walking import NotWalked, Walk
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import INCREMENTS, Decl, Node
from s2s.source import Edit


def walks_inside(attempt: Attempt) -> bool:
    """Whether loops advance a variable that they do not count with: a cheap look."""
    return any(True for s in attempt.statements for _ in _candidates(attempt, s))


def walks_in_nest(attempt: Attempt) -> bool:
    """``walks_inside`` of loops in loops."""
    nests = any(
        n.kind == "FOR_STMT" for s in attempt.statements for child in s.children
        for n in child.walk()
    )  # fmt: skip
    return nests and walks_inside(attempt)


def substituted_walkers(attempt: Attempt) -> tuple[Edit, ...]:
    """The edits that say of each place how far the variables have come; none without any."""
    edits: list[Edit] = []
    for statement in attempt.statements:
        for block, loop, decls in _candidates(attempt, statement):
            for decl in decls:
                try:
                    found = Walk(attempt, block, loop, decl).edits
                except (NotWalked, NotAffine):
                    continue
                if not _overlap(edits + found):
                    edits += found
    return tuple(sorted(edits))


def _overlap(edits: list[Edit]) -> bool:
    """Whether two variables are moved in one place (``p[*q++]`` is; ``*p++ * k++`` is not)."""
    pairs = pairwise(sorted(edits))
    return any(b.start < a.end or b.start == a.start for a, b in pairs)


def _candidates(attempt: Attempt, nest: Node) -> Iterator[tuple[Node, Node, list[Decl]]]:
    """Blocks with a loop in them, and what is set before the loop and advanced in it."""
    if nest.kind == "FOR_STMT" and _advanced(nest):
        yield from _around(attempt, nest)
    for around in nest.walk():
        block = around.children[-1] if around.kind == "FOR_STMT" else around
        if around.kind == "FOR_STMT" and block.kind == "COMPOUND_STMT" and not block.in_macro:
            for statement in block.children:
                if statement.kind == "FOR_STMT":
                    yield from _in_block(block, statement, ())


def _advanced(nest: Node) -> list[Decl]:
    """What is moved in a nest that no declaration or header of it sets."""
    own = {n.decl for n in nest.walk() if n.kind == "VAR_DECL"}
    moved = (n.children[0].decl for n in nest.walk() if n.op in INCREMENTS or n.op in ("+=", "-="))
    return [d for d in dict.fromkeys(moved) if d is not None and d not in own]


def _around(attempt: Attempt, nest: Node) -> Iterator[tuple[Node, Node, list[Decl]]]:
    """The nest with the block that it is in: its variables may be the function's parameters."""
    function = attempt.function.node
    body = function.children[-1] if function.children else function
    for block in body.walk():
        if block.kind == "COMPOUND_STMT" and nest in block.children:
            parameters = (
                ()
                if block is not body
                else (
                    n.decl
                    for n in function.children
                    if n.kind == "PARM_DECL" and n.decl is not None
                )
            )
            yield from _in_block(block, nest, parameters)


def _in_block(
    block: Node, loop: Node, parameters: Iterable[Decl]
) -> Iterator[tuple[Node, Node, list[Decl]]]:
    before = list(parameters)
    for statement in block.children[: block.children.index(loop)]:
        if statement.kind == "DECL_STMT":
            before += [v.decl for v in statement.children if v.decl is not None and v.children]
    advanced = [decl for decl in before if decl in loop.assigned]
    if advanced:
        yield block, loop, advanced
