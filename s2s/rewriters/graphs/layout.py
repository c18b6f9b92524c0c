"""Loops' texts in pieces: headers, bodies, what stands between loops, and their indentation."""

from __future__ import annotations

import re

from s2s.frontends.c.graph_loops import VertexLoop
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.text import directives
from s2s.rewriters.graphs.refused import Refused
from s2s.source import Span

_WIDTH = re.compile(r"[ \t]*")


def margin_of(function: Function, node: Node) -> str:
    """The white space before a statement, spaces for what is not."""
    data = function.unit.buffer.data
    start = data.rfind(b"\n", 0, node.span.start) + 1
    line = data[start : node.span.start].decode(errors="replace")
    return " " * len(line.expandtabs())


def header(function: Function, loop: VertexLoop) -> str:
    """``for (...)`` as it is written."""
    lifter = function.attempt([loop.node]).lifter
    span = Span(loop.node.span.start, lifter.start(loop.body))
    return function.unit.buffer.text(span).rstrip()


def opened(head: str) -> str:
    """A header and a brace, which no comment may swallow."""
    return f"{head}\n{{" if "//" in head.rpartition("\n")[2] else f"{head} {{"


def inside(function: Function, body: Node) -> str:
    """The statements of a body, without the braces around them."""
    lifter = function.attempt([body]).lifter
    start, end = lifter.start(body), lifter.end(body)
    if body.kind == "COMPOUND_STMT" and start == body.span.start:
        start, end = start + 1, end - 1
    text = function.unit.buffer.text(Span(start, end))
    return text.strip("\n").rstrip() if text.startswith("\n") else text.strip()


def gap(function: Function, loop: VertexLoop) -> str:
    """Comments before a loop, after the statement before it: they go into its block."""
    lifter = function.attempt([loop.node]).lifter
    before = _before(function, lifter.start(loop.node))
    return f"\n{indented(before, 8)}" if before and "/*" in before else ""


def _before(function: Function, end: int) -> str:
    """A comment that ends right before a place, empty where there is none."""
    text = function.unit.buffer.data[:end].decode(errors="replace").rstrip()
    if not text.endswith("*/"):
        return ""
    return text[text.rfind("/*") :]


def check_gap(function: Function, one: VertexLoop, other: VertexLoop) -> None:
    """Raise Refused where the preprocessor has a say in what is between two loops."""
    start = function.attempt([one.node]).lifter.end(one.node)
    end = function.attempt([other.node]).lifter.start(other.node)
    if any(directives(function.unit.buffer.data[start:end])):
        raise Refused(other.node.span, "not fused: the preprocessor stands between the loops")


def indented(text: str, width: int) -> str:
    """Lines moved so that the least indented one has ``width`` spaces in front.

    Preprocessor lines stay at the margin; text with spliced lines stays as it is.
    """
    if "\\\n" in text:
        return text
    lines = [line.expandtabs() for line in text.split("\n")]
    plain = [x for x in lines if x.strip() and not x.lstrip().startswith("#")]
    least = min((_width(line) for line in plain), default=0)
    return "\n".join(_moved(line, width - least) for line in lines)


def _width(line: str) -> int:
    match = _WIDTH.match(line)
    return match.end() if match else 0


def _moved(line: str, by: int) -> str:
    if not line.strip():
        return ""
    if line.lstrip().startswith("#"):
        return line.lstrip()
    return " " * by + line if by >= 0 else line[-by:]
