"""A function that a call may run, with the text of the file that defines it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from s2s.frontends.c.effects import UNMODELLED
from s2s.frontends.c.facts import Facts, gather
from s2s.frontends.c.prepare.choices import chosen_value
from s2s.frontends.c.prepare.conditionals import Text
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import DirectiveLine
from s2s.frontends.c.unit import Unit
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(eq=False)
class Callee:
    """A function definition with the text of its file."""

    node: Node
    data: bytes
    unit: Unit
    in_main: bool
    skipped: tuple[Span, ...]
    foreign: Any = None
    """The cursor of the definition, where it is in another file of the program."""

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def body(self) -> Node:
        return self.node.children[-1]

    @cached_property
    def inside(self) -> Span:
        """The text between the braces of the body."""
        return Span(self.body.span.start + 1, self.body.span.end - 1)

    @cached_property
    def parameters(self) -> list[Decl]:
        return [n.decl for n in self.node.children if n.kind == "PARM_DECL" and n.decl]

    @cached_property
    def facts(self) -> Facts:
        return gather(self.node)

    @cached_property
    def calls(self) -> list[Node]:
        """The calls in the body, whatever they call."""
        return [n for n in self.body.walk() if n.kind == "CALL_EXPR"]

    @cached_property
    def named(self) -> frozenset[str]:
        """The names of types and of global variables and functions in the body."""
        found: set[str] = set()
        for node in self.body.walk():
            found.update(name.rpartition(" ")[2] for name in node.type_names)
            if node.decl is not None and node.decl.is_global:
                found.add(node.name)
        return frozenset(found)

    @cached_property
    def locals(self) -> list[Decl]:
        """Variables declared in the body, in order."""
        return [n.decl for n in self.body.walk() if n.kind == "VAR_DECL" and n.decl]

    @property
    def text(self) -> Text:
        return Text(self.data, self.inside, self.skipped)

    @cached_property
    def lines(self) -> list[DirectiveLine]:
        """The preprocessor lines of the body."""
        return self.text.lines()

    @cached_property
    def pragmas(self) -> list[DirectiveLine]:
        return [line for line in self.lines if line.text.startswith("pragma")]

    @cached_property
    def pragma_words(self) -> frozenset[str]:
        """Identifiers in the pragmas of the body."""
        return frozenset(w for line in self.pragmas for w in re.findall(r"[A-Za-z_]\w*", line.text))

    @property
    def has_tasks(self) -> bool:
        return any(re.match(r"pragma\s+omp\s+task", line.text) for line in self.pragmas)

    @cached_property
    def result(self) -> Node | None:
        """The expression that the function returns at its end."""
        last = self.body.children[-1] if self.body.children else None
        if last is None or last.kind != "RETURN_STMT" or not last.children:
            return None
        return last.children[0]

    @cached_property
    def choice(self) -> bytes | None:
        """What a function of integers that does nothing else returns, in its parameters."""
        return chosen_value(self)

    @property
    def is_expression(self) -> bool:
        """Whether the body gives a value that one expression without effects has."""
        return self.choice is not None or self._returns_only

    @property
    def _returns_only(self) -> bool:
        """Whether the body is one ``return`` of a value without effects of its own."""
        single = len(self.body.children) == 1 and self.result is not None
        return single and not self.lines and not has_effects(self.result)

    def hides(self, decl: Decl) -> bool:
        """Whether a macro names a variable, so that no change of the text reaches it."""
        name = decl.name.encode()
        if decl.node is not None and self.data[decl.offset : decl.offset + len(name)] != name:
            return True
        hidden = decl.name in self.unit.macro_words or self.unit.spells_arguments
        references = self.facts.references.get(decl, [])
        return hidden and not all(is_spelled(n, self.data) for n in references)

    def repeats(self, name: str) -> bool:
        """Whether several variables of the function have this name."""
        return sum(d.name == name for d in (*self.parameters, *self.locals)) > 1


def is_spelled(reference: Node, data: bytes) -> bool:
    """Whether a variable's name stands in the text where it is referred to, without a macro."""
    text = data[reference.span.start : reference.span.end]
    return not reference.in_macro and text.strip(b"() \t\r\n") == reference.name.encode()


def has_effects(node: Node | None) -> bool:
    """Whether an expression assigns, or calls."""
    if node is None:
        return False
    return any(
        n.kind == "CALL_EXPR" or n.assigns or n.kind in UNMODELLED for n in node.walk()
    )  # fmt: skip
