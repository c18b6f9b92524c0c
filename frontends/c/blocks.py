"""Loops over blocks whose size is a parameter, and the loops inside that run over one block.

::

    for (i = 0; i < n; i += b)                         for (ii = 0; ii < n; ii++)
        for (ii = i; ii < i + b; ii++) S(ii)     ->        S(ii)

``i = b * I`` is not affine, but nothing of ``S`` depends on the block number ``I``: it is a
monotone function of ``ii``. The loop over blocks disappears; that ``b`` divides the range becomes a
condition of the new code, unless the inner loop is clipped at the range's end.
"""

from __future__ import annotations

from s2s.frontends.c.affine import Affine
from s2s.frontends.c.counted_loops import counted_loop, step_of
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.raw import Raw, RawConstruct, RawLeaf, RawLoop, RawSequence
from s2s.frontends.c.syntax import Decl, Node
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Block:
    """A loop ``for (decl = start; decl < limit; decl += size)``.

    ``number`` stands for the block's number in polynomials, none of which is affine.
    """

    number: str
    decl: Decl
    start: Polynomial
    limit: Polynomial
    size: Polynomial

    @property
    def first(self) -> Polynomial:
        """The value of the loop variable."""
        return self.start + self.size * Polynomial.name(self.number)

    @property
    def end(self) -> Polynomial:
        return self.first + self.size


@dataclass(frozen=True)
class Cover:
    """A loop over the iterations of one block; ``clipped`` where it also ends at the limit."""

    block: Block
    decl: Decl
    declared: bool
    clipped: bool


def block_loop(node: Node, affine: Affine, context: Context) -> Block:
    """Read the header of a loop over blocks. Raises NotAffine."""
    loop = counted_loop(node)
    decl, step = loop.variable, step_of(loop.increment, loop.variable)
    amount = step.amount if step is not None and step.sign > 0 else None
    size = affine.polynomial(amount, context) if amount is not None else None
    if size is None or not _is_parameter(size, affine):
        raise NotAffine(loop.increment, f"step of '{decl.name}' is not a constant")
    plain = decl.type.kind == "int" and decl.type.size >= 4 and decl.type.signed
    if not plain or decl.type.volatile or decl.is_global or decl.is_static:
        raise NotAffine(node.children[0], f"'{decl.name}' is not a local integer loop variable")
    start = affine.polynomial(loop.first, context)
    limits = [_exclusive(b.relation, affine.polynomial(b.limit, context)) for b in loop.bounds(1)]
    limit = limits[0] if len(limits) == 1 else None
    if start is None or limit is None or not (start.is_affine and limit.is_affine):
        raise NotAffine(loop.condition, f"the range of '{decl.name}' is not affine")
    number = f"#{affine.fresh_name(decl.name)}"
    return Block(number, decl, start, limit, size)


def _is_parameter(size: Polynomial, affine: Affine) -> bool:
    names = size.atom or ()
    return len(names) == 1 and names[0] in affine.parameters


def _exclusive(op: str, bound: Polynomial | None) -> Polynomial | None:
    if bound is None or op not in ("<", "<="):
        return None
    return bound if op == "<" else bound + Polynomial.integer(1)


def block_cover(
    node: Node, affine: Affine, context: Context, blocks: tuple[Block, ...]
) -> Cover | None:
    """The block that a loop runs over with step 1, None where there is none. Raises NotAffine."""
    if len(node.children) != 4 or not blocks:
        return None
    loop = counted_loop(node)
    start = affine.polynomial(loop.first, context)
    block = next((b for b in blocks if start is not None and start == b.first), None)
    if block is None:
        return None
    step = step_of(loop.increment, loop.variable)
    if step is None or step.constant != 1:
        return None
    ends: list[Polynomial | None] = []
    for bound in loop.bounds(1):
        ends += [_exclusive(bound.relation, v) for v in _minimum(bound.limit, affine, context)]
    if block.end not in ends or any(e not in (block.end, block.limit) for e in ends):
        return None
    return Cover(block, loop.variable, loop.declared, block.limit in ends)


def _minimum(bound: Node, affine: Affine, context: Context) -> list[Polynomial | None]:
    """The operands of ``a < b ? a : b``, or the bound alone."""
    if bound.kind == "CONDITIONAL_OPERATOR" and len(bound.children) == 3:
        test, then, otherwise = bound.children
        values = [affine.polynomial(n, context) for n in (then, otherwise)]
        if test.kind == "BINARY_OPERATOR" and test.op in ("<", "<=", ">", ">="):
            sides = [affine.polynomial(n, context) for n in test.children]
            if test.op in (">", ">="):
                sides.reverse()
            if None not in values and sides == values:
                return list(values)
    return [affine.polynomial(bound, context)]


def is_covered(tree: Raw, block: Block) -> bool:
    """Whether all statements below a loop over blocks are in one loop over the block's iterations.

    Then each runs once for each iteration, and none may name the block's own variable.
    """

    def check(node: Raw, inside: bool) -> bool:
        if isinstance(node, RawLeaf):
            return inside and block.decl not in node.references
        if isinstance(node, RawLoop):
            if node.covers == block.number and inside:
                return False
            return check(node.body, inside or node.covers == block.number)
        if isinstance(node, RawSequence):
            return all(check(child, inside) for child in node.children)
        if isinstance(node, RawConstruct):
            return check(node.body, inside)
        branches = [node.then, *([node.otherwise] if node.otherwise is not None else [])]
        return all(check(branch, inside) for branch in branches)

    return check(tree, False)
