"""Writing new loops around the text of old ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from s2s.emitters.c.style import style_of
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import is_pure, variables
from s2s.rewriters.idioms.loops import CountedLoop, statement_span
from s2s.rewriters.indentation import break_long
from s2s.source import Edit

_STEP = "    "


class Writer:
    """Texts of one loop; names that it introduces begin with ``prefix``."""

    def __init__(self, function: Function, loop: CountedLoop, prefix: str) -> None:
        self.function = function
        self.loop = loop
        self.prefix = prefix
        self.buffer = function.unit.buffer
        start = loop.node.span.start
        line = self.buffer.data[self.buffer.line_start(start) : start].decode("utf-8", "replace")
        self.indent = line[: len(line) - len(line.lstrip())]

    def text(self, node: Node) -> str:
        """A statement as it stands, its semicolon included."""
        return self.buffer.text(statement_span(self.function, node))

    def condition(self) -> str:
        return self.loop.header.condition

    def init(self) -> str:
        """The statement that the loop begins with."""
        return f"{self.loop.header.init};" if self.loop.header.init_node is not None else ""

    def rest(self, exit_label: str = "") -> tuple[str, str]:
        """The source's loop over all iterations that are left.

        Where few iterations stay as they are, this comes after an ``else`` and not after both
        branches: gcc makes faster loops of it where it knows what they begin with.
        """
        increment = self.loop.header.increment if self.loop.header.increment_node else ""
        return f"for (; {self.condition()}; {increment})", "    " + self.body(exit_label)

    def body(self, exit_label: str = "") -> str:
        """The loop's body; its own ``break`` becomes a jump where a label is given."""
        span = statement_span(self.function, self.loop.body)
        edits = [
            Edit(b.span.start, b.span.end, f"goto {exit_label}".encode())
            for b in breaks(self.loop.body) if exit_label
        ]  # fmt: skip
        return self.buffer.edited(span, edits)

    def copied_body(self, suffix: str) -> str:
        """The loop's body once more, with other names for its labels."""
        span = statement_span(self.function, self.loop.body)
        edits = []
        for node in self.loop.body.walk():
            if node.kind == "LABEL_STMT":
                end = node.span.start + len(node.name.encode())
                edits.append(Edit(end, end, suffix.encode()))
            elif node.kind == "GOTO_STMT":
                edits.append(Edit(node.span.end, node.span.end, suffix.encode()))
        return self.buffer.edited(span, edits)

    def anew(self) -> str | None:
        """The text that the loop begins with, if it can run once more to the same effect."""
        init = self.loop.header.init_node
        set_ = [] if init is None else _set_first(init)
        names = {decl for decl, _ in set_}
        again = all(is_pure(v) and not reads_memory(v) and not variables(v) & names
                    for _, v in set_)  # fmt: skip
        return self.loop.header.init if set_ and again else None

    def bases(self, used: Iterable[Node]) -> list[str]:
        """Declarations of the values that stepping variables have before a strip."""
        return [f"const {d.type.spelling} {self.prefix}{d.name}_at = {d.name};"
                for d in self._stepping(used)]  # fmt: skip

    def shadows(self, used: Iterable[Node]) -> list[str]:
        """Declarations of the stepping variables of one of a strip's iterations."""
        found = []
        steps = {i.decl: i for i in self.loop.inductions}
        for decl in self._stepping(used):
            ahead = steps[decl].advanced(f"{self.prefix}l")
            found.append(f"{decl.type.spelling} {decl.name} = {self.prefix}{decl.name}_at{ahead};")
        return found

    def _stepping(self, used: Iterable[Node]) -> list:  # type: ignore[type-arg]
        named = set().union(*(variables(n) for n in used))
        return [i.decl for i in self.loop.inductions if i.decl in named]

    def lanes(self, count: int) -> str:
        """The header of a loop over the iterations of a strip."""
        name = f"{self.prefix}l"
        return f"for (int {name} = 0; {name} < {count}; {name}++)"

    def some(self, count: str) -> list[str]:
        """The header of the source's loop over at most ``count`` more iterations (C text, a long).

        For loops that leave their bound as it is.
        """
        loop, end = self.loop, f"{self.prefix}end"
        name = loop.counter.decl.name
        type_ = loop.bound_node.type.spelling.removeprefix("const ")
        ahead = count if abs(loop.step) == 1 else f"{count} * {abs(loop.step)}"
        enough = f"{loop.distance()} > (unsigned long)({ahead})"
        sign = "+" if loop.step > 0 else "-"
        return [
            f"const {type_} {end} = {enough} ? ({type_})({name} {sign} {ahead}) : {loop.bound};",
            f"for (; {name} {loop.relation} {end}; {loop.header.increment})",
        ]

    def assembled(self, lines: Sequence[str]) -> bytes:
        """Lines, each indented by its braces, as the text that replaces the loop."""
        depth = 0
        out: list[str] = []
        style = style_of(self.buffer.data)
        for line in lines:
            depth -= line.startswith("}")
            out += break_long(f"{self.indent}{_STEP * depth}{line}", style)
            depth += line.endswith("{")
        text = "\n".join(out)
        return text.removeprefix(self.indent).encode("utf-8", "surrogateescape")


def _set_first(init: Node) -> list[tuple[Decl, Node]]:
    """What a loop's first part sets, to which values; nothing where it does more, or less."""
    if init.op == "=":
        target, value = init.children
        plain = target.kind == "DECL_REF_EXPR"
        return [(target.decl, value)] if plain and target.decl is not None else []
    found = []
    for child in init.children if init.kind == "DECL_STMT" else []:
        first = initializer(child)
        if first is None or child.decl is None:
            return []
        found.append((child.decl, first))
    return found


def reads_memory(value: Node) -> bool:
    """Whether an expression has elements or what pointers point to."""
    kinds = ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR")
    return any(n.kind in kinds or (n.op == "*" and len(n.children) == 1) for n in value.walk())


def breaks(body: Node) -> list[Node]:
    """The ``break`` statements that leave the loop with this body."""
    found, stack = [], [body]
    while stack:
        node = stack.pop()
        if node.kind == "BREAK_STMT":
            found.append(node)
        if node is body or not (node.is_loop or node.kind == "SWITCH_STMT"):
            stack.extend(node.children)
    return found
