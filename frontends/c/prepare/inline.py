"""Inlining: the body of a function in place of a call.

Parameters become the arguments where these are plain, else variables. Variables of the callee move
before the region where no OpenMP construct is around the call, with names that nothing in the
function has: a declaration between loops would keep them together as one statement.
"""

from __future__ import annotations

from dataclasses import field, replace

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.prepare.binding import Binder, Declare, Substitute, is_fixed
from s2s.frontends.c.prepare.callee import Callee, has_effects, is_spelled
from s2s.frontends.c.prepare.callees import Callees
from s2s.frontends.c.prepare.calls import CallSite, Form
from s2s.frontends.c.prepare.conditionals import Undecided, configuration, resolve_conditionals
from s2s.frontends.c.prepare.rewriting import cast, declaration, rename, rewritten
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.text import statement_end
from s2s.scop.texts import INLINED
from s2s.source import Edit, Span
from s2s.source.records import dataclass

_MOVABLE = frozenset({"int", "float", "pointer"})


class NotInlinable(Exception):
    """A call stays a call; the text says why."""


@dataclass
class Names:
    """Identifiers that new declarations must not have."""

    taken: set[str]

    def fresh(self, wanted: str) -> str:
        """The wanted name, or one like it that nothing has; it is taken from now on."""
        name, count = wanted, 1
        while name in self.taken:
            name = f"{INLINED}{wanted}" if count == 1 else f"{INLINED}{wanted}_{count}"
            count += 1
        self.taken.add(name)
        return name


@dataclass(frozen=True)
class Expansion:
    """What replaces a call: an edit of its text, and declarations before the region.

    ``conditions`` are those of the preprocessor under which the callee's text is this one.
    """

    edit: Edit
    front: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()


def expand(site: CallSite, attempt: Attempt, callees: Callees, names: Names) -> Expansion:
    """The body of the callee in place of a call. Raises NotInlinable."""
    reason = callees.why_not(site.call) or callees.other_meaning(site.callee)
    if reason:
        raise NotInlinable(reason)
    try:
        always = frozenset() if site.callee.foreign is not None else callees.always_defined
        under = configuration(site.callee.text, always).conditions
    except Undecided as problem:
        raise NotInlinable(str(problem)) from None
    macro = callees.changed_macro(site.callee, attempt.function.node.span.start)
    if macro is not None:
        raise NotInlinable(f"the macro '{macro}' may be another one where it is called")
    return replace(_Inliner(site, attempt, names).run(), conditions=under)


@dataclass
class _Inliner:
    site: CallSite
    attempt: Attempt
    names: Names
    front: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    words: dict[str, bytes] = field(default_factory=dict)
    fixed: set[Decl] = field(default_factory=set)

    @property
    def callee(self) -> Callee:
        return self.site.callee

    def run(self) -> Expansion:
        self._check_visible()
        function = self.attempt.function
        binder = Binder(self.callee, function.facts, self.attempt.lifter.assigned)
        bound = binder.bind(self.site.call.children[1:], self.site.arguments)
        self.edits = resolve_conditionals(self.callee.text)
        self._choose_names([p for p, b in bound.items() if isinstance(b, Declare)])
        for parameter, binding in bound.items():
            if isinstance(binding, Substitute):
                self.words[parameter.name] = binding.text
                self.fixed |= {parameter} if binding.invariant else set()
        for parameter, binding in bound.items():
            if isinstance(binding, Declare):
                self._declare(parameter, binding.text.decode("utf-8", "surrogateescape"),
                              binding.invariant)  # fmt: skip
        if self.site.form is Form.EXPRESSION:
            return self._expression()
        self._move_variables()
        text = self._statement().encode("utf-8", "surrogateescape")
        return Expansion(Edit(self.site.span.start, self.site.span.end, text), tuple(self.front))

    # -- names ------------------------------------------------------------------------------

    def _check_visible(self) -> None:
        """What the callee names outside of itself means the same where the call stands."""
        function = self.attempt.function
        own = {n.name for n in function.node.walk()
               if n.kind.endswith("_DECL") and n is not function.node}  # fmt: skip
        for node in self.callee.body.walk():
            outside = node.decl is not None and _is_outside(node.decl)
            names = [name.rpartition(" ")[2] for name in node.type_names]
            if node.kind == "CALL_EXPR" or (outside and node.kind != "MEMBER_REF_EXPR"):
                names.append(node.name)
            for name in names:
                if name in own:
                    raise NotInlinable(f"'{name}' means something else where it is called")
            if node.kind in ("DECL_REF_EXPR", "CALL_EXPR") and node.decl is not None and outside:
                self._check_declared(node.decl)

    def _check_declared(self, decl: Decl) -> None:
        """Declared before the caller: C would take a call for one of another function."""
        if self.callee.foreign is not None:
            decl = self.attempt.function.unit.global_named(decl.name) or decl
        first = decl.cursor.canonical.location if decl.cursor is not None else None
        if first is None or first.file is None:
            return
        start = self.attempt.function.node.span.start
        if first.file.name == self.attempt.lifter.buffer.path and first.offset > start:
            raise NotInlinable(f"'{decl.name}' is declared behind the place where it is called")

    def _choose_names(self, declared: list[Decl]) -> None:
        """New names for variables of the callee whose names something else has."""
        chosen: dict[str, str] = {}
        for decl in [*declared, *self.callee.locals]:
            if decl.name in chosen:
                continue
            chosen[decl.name] = name = self.names.fresh(decl.name)
            if name != decl.name:
                if self.callee.hides(decl):
                    raise NotInlinable(f"a macro names its variable '{decl.name}'")
                self.words[decl.name] = name.encode()

    def _new_name(self, decl: Decl) -> str:
        return self.words.get(decl.name, decl.name.encode()).decode()

    # -- declarations -----------------------------------------------------------------------

    def _declare(self, decl: Decl, value: str, invariant: bool) -> None:
        """A variable with a value: before the region if it keeps it, else in the block."""
        if invariant:
            self.fixed.add(decl)
            self.front.append(f"{self._declared(decl.type, decl, False)} = {value};")
        elif not self.site.enclosed and decl.type.kind in _MOVABLE:
            self.front.append(f"{self._declared(decl.type, decl, True)};")
            self.inside.append(f"{self._new_name(decl)} = {value};")
        else:
            self.inside.append(f"{self._declared(decl.type, decl, False)} = {value};")

    def _declared(self, type_: CType, decl: Decl, assignable: bool) -> str:
        name = self._new_name(decl)
        text = declaration(type_, name, assignable=assignable)
        if text is None:
            raise NotInlinable(f"the type of '{decl.name}' cannot be repeated")
        words = {w: t for w, t in self.words.items() if w != name}
        return rename(text.encode("utf-8", "surrogateescape"), words).decode(
            "utf-8", "surrogateescape"
        )

    def _move_variables(self) -> None:
        """Declarations between the statements of the body go where they are in nobody's way."""
        for statement in self.callee.body.children:
            decls = [c.decl for c in statement.children if c.decl is not None]
            if statement.kind == "DECL_STMT" and self._is_text(statement, decls):
                if not all(self._can_move(d) for d in decls):
                    continue
                self._replace(statement, [self._moved(d) for d in decls])

    def _is_text(self, statement: Node, decls: list[Decl]) -> bool:
        """Whether a declaration stands in the text as it is."""
        data = self.callee.data
        whole = data[: statement.span.end].endswith(b";")
        return whole and all(
            data[d.offset : d.offset + len(d.name.encode())] == d.name.encode() for d in decls
        )

    def _can_move(self, decl: Decl) -> bool:
        node = decl.node
        if node is None or decl.type.kind not in _MOVABLE or self.callee.repeats(decl.name):
            return False
        if declaration(decl.type, decl.name) is None:
            return False
        if decl.name in self.callee.pragma_words and self.site.enclosed:
            return False
        value = initializer(node)
        if value is not None and (value.in_macro or value.kind == "INIT_LIST_EXPR"):
            return False
        if self._keeps_value(decl, value) or self._loops_of(decl):
            return True
        return not self.site.enclosed

    def _moved(self, decl: Decl) -> str:
        """What stays of a declaration where it was."""
        assert decl.node is not None
        value = initializer(decl.node)
        if value is not None and self._keeps_value(decl, value):
            self.fixed.add(decl)
            text = f"{self._declared(decl.type, decl, False)} = {self._text(value.span)};"
            self.front.append(text)
            return ""
        loops = self._loops_of(decl)
        if loops:
            type_ = self._declared(decl.type, decl, True).removesuffix(self._new_name(decl))
            starts = [loop.children[0].span.start for loop in loops]
            self.edits += [Edit(start, start, type_.encode()) for start in starts]
            return ""
        self.front.append(f"{self._declared(decl.type, decl, True)};")
        return f"{self._new_name(decl)} = {self._text(value.span)};" if value is not None else ""

    def _keeps_value(self, decl: Decl, value: Node | None) -> bool:
        """Whether a variable has its first value throughout the region."""
        facts = self.callee.facts
        if value is None or decl in facts.assigned or decl in facts.escaped:
            return False
        allowed = ("DECL_REF_EXPR", "CSTYLE_CAST_EXPR", "IMPLICIT_CAST", "INTEGER_LITERAL")
        caller = self.attempt.function.facts
        for node in value.walk():
            plain = node.kind in allowed or (
                node.kind == "BINARY_OPERATOR" and node.op in ("+", "-", "*")
            )
            if not plain:
                return False
        assert decl.node is not None
        for node in decl.node.walk():  # the sizes in its type, too
            if node.kind == "DECL_REF_EXPR" and node.value is None:
                here = is_fixed(node.decl, caller, self.attempt.lifter.assigned)
                mine = node.decl in (*self.callee.parameters, *self.callee.locals)
                if node.decl not in self.fixed and (mine or not here):
                    return False
        return True

    def _loops_of(self, decl: Decl) -> list[Node]:
        """The loops that a variable counts, where it is used for nothing else."""
        node = decl.node
        if node is None or initializer(node) is not None or decl.type.kind != "int":
            return []
        if decl.name in self.callee.pragma_words or decl in self.callee.facts.escaped:
            return []
        loops = [n for n in self.callee.body.walk() if self._counts(n, decl)]
        inside = sum(n.decl is decl for loop in loops for n in loop.walk())
        everywhere = len(self.callee.facts.references.get(decl, []))
        nested = any(m is not n and self._counts(m, decl) for n in loops for m in n.walk())
        return loops if loops and inside == everywhere and not nested else []

    def _counts(self, node: Node, decl: Decl) -> bool:
        """Whether a loop begins by setting the variable, and nothing else."""
        if node.kind != "FOR_STMT" or len(node.children) != 4:
            return False
        first = node.children[0]
        if first.kind != "BINARY_OPERATOR" or first.op != "=":
            return False
        target, value = first.children
        mentions = any(n.decl is decl for n in value.walk())
        return target.decl is decl and not mentions and is_spelled(target, self.callee.data)

    def _replace(self, statement: Node, rest: list[str]) -> None:
        text = " ".join(filter(None, rest)).encode("utf-8", "surrogateescape")
        self.edits.append(Edit(statement.span.start, statement.span.end, text))

    # -- text -------------------------------------------------------------------------------

    def _text(self, span: Span) -> str:
        data = rewritten(self.callee.data, span, self.edits, self.words)
        return data.decode("utf-8", "surrogateescape")

    def _expression(self) -> Expansion:
        if self.inside or self.front:
            raise NotInlinable("an argument has effects or is not plain")
        text = self._value()
        edit = Edit(self.site.span.start, self.site.span.end, text)
        return Expansion(edit)

    def _value(self) -> bytes:
        """What the call returns, converted to the type of the function."""
        if self.callee.choice is not None and self.site.form is Form.EXPRESSION:
            return rename(self.callee.choice, self.words)
        result = self.callee.result
        if result is None:
            raise NotInlinable("it has no value")
        text = self._text(result.span).encode("utf-8", "surrogateescape")
        converted = cast(self.site.call.type, text)
        if converted is None:
            raise NotInlinable("its value is not a scalar")
        return b"(" + converted + b")"

    def _statement(self) -> str:
        result, form = self.callee.result, self.site.form
        span = self.callee.inside
        last = self.callee.body.children[-1] if self.callee.body.children else None
        if last is not None and last.kind == "RETURN_STMT":
            end = statement_end(self.callee.data, last.span.end) or last.span.end
            self.edits.append(Edit(last.span.start, end, b""))
        body = self._text(span)
        lines = ["{", *self.inside, body.strip("\r\n")]
        if form is Form.STATEMENT:
            if result is not None and has_effects(result):
                lines.append(f"(void)({self._text(result.span)});")
            return "\n".join([*lines, "}"])
        return self._with_value(lines)

    def _with_value(self, lines: list[str]) -> str:
        buffer = self.attempt.lifter.buffer
        value = self._value().decode("utf-8", "surrogateescape")
        site = self.site
        if site.form is Form.ASSIGNMENT:
            before = buffer.text(Span(site.span.start, site.call.span.start))
            after = buffer.text(Span(site.call.span.end, site.span.end))
            return "\n".join([*lines, f"{before}{value}{after}", "}"])
        variable = site.statement.children[0].decl
        text = None if variable is None else declaration(variable.type, variable.name)
        if variable is None or text is None or variable.type.const or not variable.type.scalar:
            raise NotInlinable("the variable for its value is const or no scalar")
        if variable.type.reference or variable.is_static:
            raise NotInlinable("the variable for its value is static or a reference")
        return "\n".join([f"{text};", *lines, f"{variable.name} = {value};", "}"])


def _is_outside(decl: Decl) -> bool:
    """Whether a name is not the callee's own; constants of enumerations never are."""
    return decl.is_global or decl.kind == "ENUM_CONSTANT_DECL"
