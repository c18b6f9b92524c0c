"""From a function's statements to the tree of a region: loops, branches, constructs, leaves.

A ``Raw`` tree mirrors the SCoP's tree but still speaks of declarations and polynomials;
``assemble`` turns it into isl objects. Statements that have no affine form are kept whole as one
leaf with the union of what they touch.
"""

from __future__ import annotations

from s2s.frontends.c.blocks import block_cover, block_loop, is_covered
from s2s.frontends.c.evaluated import Context, Requirement
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.leaving import leaves_early
from s2s.frontends.c.lift_leaves import LeafLifter
from s2s.frontends.c.loop_range import loop_context, loop_header
from s2s.frontends.c.nesting import say_why_misplaced
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.raw import Raw, RawBranch, RawConstruct, RawLeaf, RawLoop, RawSequence
from s2s.frontends.c.side_values import SideValues
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.tag_texts import TagReader
from s2s.frontends.c.unused import drop_unused_leaves
from s2s.frontends.openmp.constructs import (
    NotUnderstood,
    construct_kind,
    depend_items,
    makes_final,
    runs_at_once,
    sink_vectors,
)
from s2s.frontends.openmp.directives import Directive
from s2s.scop.nodes import TASKS, Kind, LoopVariable
from s2s.scop.tags import DependItem
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass
class Lifter(LeafLifter):
    """Lifts consecutive statements of one function to a raw tree. Raises NotLiftable."""

    # -- statements -------------------------------------------------------------------------

    def lift(self) -> Raw:
        start = self.start(self.region[0])
        span = Span(start, self.end(self.region[-1]))
        if not self.in_team or self.attached.before(self.region[0].span.start):
            return RawSequence(self._block(list(self.region), Context(), start), span)
        # Loops that threads share, in a loop that each of them runs.
        whole = Directive("parallel", (), Span(start, start), "")
        team = RawConstruct(Kind.PARALLEL, whole, RawSequence([], span), span, Context())
        self._inside.append(team)
        try:
            team.body = RawSequence(self._block(list(self.region), Context(), start), span)
        finally:
            self._inside.pop()
        return team

    def _block(self, nodes: list[Node], context: Context, previous: int) -> list[Raw]:
        """Statements in a row; ``previous`` is where the text before the first one ends."""
        children: list[Raw] = []
        for node in nodes:
            start = self.start(node)
            if start < previous and self.texts:
                raise NotLiftable(node.span, "a macro expands to several statements")
            for directive in self.attached.standalone_between(previous, start):
                children.append(self._standalone(directive, context))
            children.append(self.statement(node, context))
            previous = self.end(node)
        return children

    def statement(self, node: Node, context: Context) -> Raw:
        directives = self.attached.before(node.span.start)
        return self._constructs(list(directives), node, context)

    def _constructs(self, directives: list[Directive], node: Node, context: Context) -> Raw:
        if not directives:
            return self._plain(node, context)
        directive, *rest = directives
        kinds = self._kinds(directive)
        if self.in_team and node is self.region[0] and kinds == [Kind.LOOP]:
            kinds = [Kind.PARALLEL, Kind.LOOP]
        opened = kinds == [Kind.SECTION] and self._around()[-1:] == [Kind.SECTION]
        if opened or kinds == [Kind.SIMD]:
            return self._constructs(rest, node, context)
        span = Span(directive.span.start, self.end(node))
        return self._nest(kinds, directive, rest, node, context, span)

    def _nest(
        self, kinds: list[Kind], directive: Directive, rest: list[Directive], node: Node,
        context: Context, span: Span,
    ) -> Raw:  # fmt: skip
        """``parallel for`` is a ``for`` inside a ``parallel``; both have the directive."""
        kind = kinds[0]
        self._check_nesting(kind, directive)
        construct = RawConstruct(
            kind, directive, RawSequence([], span), span, context,
            private=self._private_names(kinds, kind, directive),
        )  # fmt: skip
        if kind is Kind.TASK:
            construct.depends = self._depends(directive, context)
        if kind in TASKS:
            final = any(c.kind in TASKS and makes_final(c.directive) for c in self._inside)
            construct.eager = runs_at_once(directive) or final
        if kind in (Kind.LOOP, Kind.TASKLOOP):
            construct.collapse = _collapse(directive)
        self._inside.append(construct)
        try:
            if len(kinds) > 1:
                construct.body = self._nest(kinds[1:], directive, rest, node, context, span)
            elif kind in (Kind.ATOMIC, Kind.CRITICAL):
                construct.body = self._leaf(node, context, pragmas=(directive, *rest))
            elif kind is Kind.SECTIONS:
                construct.body = self._sections(node, context, directive)
            else:
                construct.body = self._constructs(rest, node, context)
        finally:
            self._inside.pop()
        if kind in (Kind.LOOP, Kind.TASKLOOP):
            self._check_worksharing(construct)
        return construct

    def _sections(self, node: Node, context: Context, directive: Directive) -> Raw:
        """The sections of a block; what stands before the first ``section`` is one as well."""
        if node.kind != "COMPOUND_STMT":
            raise NotLiftable(node.span, "'sections' without a block")
        groups: list[tuple[Directive, list[Node]]] = []
        for child in node.children:
            opening = next(
                (d for d in self.attached.before(child.span.start) if d.name == "section"), None
            )
            if opening is not None or not groups:
                groups.append((opening or directive, []))
            groups[-1][1].append(child)
        sections: list[Raw] = []
        previous = node.span.start + 1
        for opening, nodes in groups:
            span = Span(self.start(nodes[0]), self.end(nodes[-1]))
            section = RawConstruct(Kind.SECTION, opening, RawSequence([], span), span, context)
            self._inside.append(section)
            try:
                section.body = RawSequence(self._block(nodes, context, previous), span)
            finally:
                self._inside.pop()
            sections.append(section)
            previous = span.end
        return RawSequence(sections, node.span)

    def _private_names(self, kinds: list[Kind], kind: Kind, directive: Directive) -> frozenset[str]:
        """Variables that each instance of a construct has for itself."""
        listed = set(directive.listed("private", "firstprivate", "lastprivate", "linear"))
        if len(kinds) > 1 and kind is Kind.PARALLEL:
            return frozenset()  # of the inner construct
        return frozenset(listed)

    def _kinds(self, directive: Directive) -> list[Kind]:
        try:
            return construct_kind(directive)
        except NotUnderstood as error:
            raise NotLiftable(directive.span, str(error)) from None

    def _around(self) -> list[Kind]:
        return [c.kind for c in self._inside]

    def _check_nesting(self, kind: Kind, directive: Directive) -> None:
        why = say_why_misplaced(kind, directive, self._inside)
        if why:
            raise NotLiftable(directive.span, why)

    def _tags(self) -> TagReader:
        return TagReader(self.facts, self.assigned, self.affine)

    def _depends(self, directive: Directive, context: Context) -> tuple[DependItem, ...]:
        try:
            tags = self._tags()
            return depend_items(directive, lambda t: tags.several(t, context), tags.is_pointer)
        except NotUnderstood as error:
            raise NotLiftable(directive.span, str(error)) from None

    def _check_worksharing(self, construct: RawConstruct) -> None:
        body: Raw = construct.body
        for _ in range(construct.collapse):
            if isinstance(body, RawSequence) and len(body.children) == 1:
                body = body.children[0]
            if not isinstance(body, RawLoop):
                why = f": {body.opaque}" if isinstance(body, RawLeaf) and body.opaque else ""
                raise NotLiftable(construct.span, f"the worksharing loop is not affine{why}")
            body = body.body

    def _standalone(self, directive: Directive, context: Context) -> Raw:
        kinds = self._kinds(directive)
        if not kinds:
            return RawSequence([], directive.span)
        (kind,) = kinds
        construct = RawConstruct(
            kind, directive, RawSequence([], directive.span), directive.span, context
        )
        if kind is Kind.TASKWAIT:
            construct.depends = self._depends(directive, context)
        if kind in (Kind.SOURCE, Kind.SINK):
            self._check_nesting(kind, directive)
        if kind is Kind.SINK:
            construct.sinks = sink_vectors(
                directive, lambda text: self._tags().single(text, context)
            )
        return construct

    def _plain(self, node: Node, context: Context) -> Raw:
        if node.kind == "COMPOUND_STMT":
            children = self._block(node.children, context, node.span.start + 1)
            last = self.end(node.children[-1]) if node.children else node.span.start + 1
            for directive in self.attached.standalone_between(last, node.span.end):
                children.append(self._standalone(directive, context))
            return RawSequence(children, node.span)
        if node.kind == "FOR_STMT":
            return self._for(node, context)
        if node.kind == "IF_STMT":
            return self._if(node, context)
        if node.kind == "NULL_STMT":
            return RawSequence([], node.span)
        return self._leaf(node, context)

    def _for(self, node: Node, context: Context) -> Raw:
        self._forget(node)
        parameters, requirements = dict(self.affine.parameters), len(self.affine.requirements)
        try:
            special = self._over_blocks(node, context) or self._inside_block(node, context)
            if special is not None:
                return special
            header = loop_header(node, self.affine, context)
            self._check_loop(node, header.decl, context)
            inner, variable = loop_context(header, self.affine, context, self._variable)
        except NotAffine as problem:
            del self.affine.requirements[requirements:]
            self.affine.parameters.update(parameters)
            if self.attached.within(node.span):
                raise NotLiftable(problem.node.span, problem.reason) from None
            return self._leaf(node, context, reason=problem.reason, where=problem.node)
        return self._loop(node, variable, header.decl, header.step, inner)

    def _loop(
        self, node: Node, variable: LoopVariable, decl: Decl, step: int, inner: Context,
        *, blocks: str = "", covers: str = "",
    ) -> RawLoop:  # fmt: skip
        self._depth += 1
        try:
            body = self.statement(node.children[3], inner)
        finally:
            self._depth -= 1
        self._forget(node)
        span = Span(node.span.start, self.end(node))
        self.loop_spans.append(span)
        header = Span(node.span.start, node.children[3].span.start)
        return RawLoop(variable, decl, step, body, span, header, inner, blocks, covers)

    def _over_blocks(self, node: Node, context: Context) -> RawLoop | None:
        """A loop over blocks of parametric size, None where the loop is another one."""
        try:
            block = block_loop(node, self.affine, context)
            self._check_loop(node, block.decl, context)
        except NotAffine:
            return None
        around, self._blocks = self._blocks, (*self._blocks, block)
        hoisted = self.hoisted.state()
        self.affine.values[block.decl] = block.first
        variable = LoopVariable(block.number, block.decl.name, block.decl.type.spelling, True)
        try:
            loop = self._loop(node, variable, block.decl, 1, context, blocks=block.number)
        finally:
            self._blocks = around
            self.affine.values.pop(block.decl, None)
        loop.body = self.tidied(loop.body)
        if not is_covered(loop.body, block):
            self.hoisted.restore(hoisted)
            raise NotAffine(node.children[2], f"step of '{block.decl.name}' is not a constant")
        self.affine.requirements.append(
            Requirement(Context(), f"{block.size.isl()} <= 0", node.children[2])
        )
        return loop

    def tidied(self, tree: Raw) -> Raw:
        """A whole scope without what serves nothing, and without copies of pointers."""
        return drop_unused_leaves(self.hoisted.out_of(tree), self.facts.escaped)

    def _inside_block(self, node: Node, context: Context) -> RawLoop | None:
        """A loop over the iterations of one block: it runs over all of them in the SCoP."""
        cover = block_cover(node, self.affine, context, self._blocks)
        if cover is None:
            return None
        self._check_loop(node, cover.decl, context)
        block = cover.block
        variable = self._variable(cover.decl, cover.declared)
        if not cover.clipped:
            self.divisible[block.limit - block.start, block.size] = node
        formula = f"{block.start.isl()} <= {variable.name} < {block.limit.isl()}"
        inner = context.inside(variable, cover.decl, formula)
        return self._loop(node, variable, cover.decl, 1, inner, covers=block.number)

    def _check_loop(self, node: Node, decl: Decl, context: Context) -> None:
        body = node.children[3]
        if body.span.start <= node.span.start and self.texts:
            raise NotAffine(node, "the loop comes from one macro")
        if leaves_early(body):
            raise NotAffine(node, "the loop is left early (break, continue, return or goto)")
        if decl in self.facts.escaped:
            raise NotAffine(node, f"the address of '{decl.name}' is taken")
        if decl in assigned_in([body]):
            raise NotAffine(node, f"'{decl.name}' is set in the body")
        if any(known is decl for known in context.decls):
            raise NotAffine(node, f"'{decl.name}' is already a loop variable here")

    def _if(self, node: Node, context: Context) -> Raw:
        parameters, requirements = dict(self.affine.parameters), len(self.affine.requirements)
        condition = node.children[0]
        formula = self.affine.formula(condition, context)
        plain = len(node.children) in (2, 3) and not self._has_effects(condition)
        if formula is None or not plain:
            del self.affine.requirements[requirements:]
            self.affine.parameters.update(parameters)
            if self.attached.within(node.span) or self._guards_loops(node):
                return self._guarded(node, context)
            return self._leaf(node, context, reason="condition is not affine", where=condition)
        self._note_choice(node, formula, context)
        sides = SideValues(self.affine, node, context)
        sides.begin()
        then = self.statement(node.children[1], context.under(formula))
        sides.end()
        otherwise = None
        if len(node.children) == 3:
            sides.begin()
            otherwise = self.statement(node.children[2], context.under(f"not ({formula})"))
            sides.end()
        sides.join()
        return RawBranch(then, otherwise, Span(node.span.start, self.end(node)))

    def _guards_loops(self, node: Node) -> bool:
        """Whether to guard the statements of loops below a condition that depends on data."""
        if not self._is_guard(node):
            return False
        if not any(n.kind == "FOR_STMT" for n in node.walk()):
            several = _several_statements(node.children[1])
            return self.guarding and self.separate and several
        self.guardable = True
        return self.guarding

    def _is_guard(self, node: Node) -> bool:
        """Whether the condition of an ``if`` can be evaluated before each statement."""
        condition, _, *otherwise = node.children
        plain = not condition.in_macro and "\n#" not in self.buffer.text(condition.span)
        return plain and not otherwise and not self._has_effects(condition)

    def _guarded(self, node: Node, context: Context) -> Raw:
        """Each statement below a condition that depends on data is put below it by itself."""
        condition, then = node.children[:2]
        if not self._is_guard(node):
            raise NotLiftable(condition.span, "condition is not affine")
        evaluated = self._leaf(condition, context, evaluates=condition)
        self._forget(node)
        body = self.statement(then, context.guarded(condition))
        self._forget(node)
        return RawSequence([evaluated, body], Span(node.span.start, self.end(node)))


def _several_statements(body: Node) -> bool:
    """Whether a body is made of statements that can stand by themselves."""
    if body.kind != "COMPOUND_STMT" or len(body.children) < 2:
        return False
    return not any(c.kind == "DECL_STMT" for c in body.children)


def _collapse(directive: Directive) -> int:
    clause = directive.clause("collapse")
    if clause is None:
        return 1
    if not clause.argument.strip().isdigit():
        raise NotLiftable(directive.span, "collapse of a number that is not a literal")
    return int(clause.argument)
