"""The text of loops whose work goes into buckets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from s2s.emitters.emu.buckets import Bucketed, Field, Put
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.rewriters.emu.buckets import Building
from s2s.rewriters.emu.buckets import Put as Found
from s2s.rewriters.emu.captures import parameter
from s2s.rewriters.emu.program import Program
from s2s.source import Edit


def write_buckets(program: Program, building: Building, number: int) -> str:
    """Rewrite a loop; what is returned goes before its function. Raises Refused."""
    name = f"s2s_{building.function.name}_put_{number}"
    puts = [p for p in building.puts if not program.text(p.node).startswith("(void)0")]
    members: dict[str, str] = {}
    homes = _names_of_homes(building, number)
    bucketed = Bucketed(name, [_put(program, found, homes, members) for found in puts])
    for place, found in enumerate(puts):
        indent = _indent(program, found.node)
        program.rewriting.replace(program.statement(found.node), bucketed.record(place, indent))
    for decl, nodes in building.homes.items():
        for node in nodes:
            index = program.text(node.children[-1].uncast.children[1])
            end = program.statement(_statement(program, node)).end
            program.rewriting.insert(end, f" {homes[decl]} = {index};")
    indent = _indent(program, building.loop)
    program.rewriting.insert(
        building.loop.span.start, bucketed.before(list(homes.values()), indent)
    )
    program.rewriting.insert(program.statement(building.loop).end, bucketed.after(indent))
    return bucketed.functions()


def _names_of_homes(building: Building, number: int) -> dict[Decl, str]:
    """For each pointer to a vertex the variable for the vertex's index."""
    found: dict[Decl, str] = {}
    for decl in building.homes:
        name = f"s2s_home_{decl.name}_{number}"
        while name in found.values():
            name += "_"
        found[decl] = name
    return found


def _put(program: Program, found: Found, homes: dict[Decl, str], members: dict[str, str]) -> Put:
    """A statement as a record; ``members`` are those of the structure, with what declares them."""
    fields: list[Field] = []
    first: list[str] = []
    if found.variable is not None:
        home = homes[found.variable]
        _add_variable(found.variable, fields, first, members)
    else:
        assert found.element is not None
        array, index = (program.text(child) for child in found.element.children)
        home = index
        table = _member(found.element.children[0].uncast.type, "s2s_array", array, members)
        place = _member(found.element.children[1].uncast.type, "s2s_index", index, members)
        fields += [table, place]
        declared = parameter(_plain(found.element.type), "const s2s_owner")
        first.append(f"{declared} = s2s_next->{table.name}[s2s_next->{place.name}];")
    seen: set[Decl | None] = {found.variable}
    edits: list[tuple[Node, str]] = []
    for node in found.given:
        if node.kind != "DECL_REF_EXPR":
            value = _member(node.type, f"s2s_value_{len(edits)}", program.text(node), members)
            fields.append(value)
            edits.append((node, f"s2s_next->{value.name}"))
        elif node.decl is not None and node.decl not in seen:
            seen.add(node.decl)
            _add_variable(node.decl, fields, first, members)
    edits += [(node, "s2s_owner") for node in _owners(program, found)]
    return Put(tuple(fields), tuple(first), _statement_text(program, found, edits), home)


def _member(type_: CType, name: str, value: str, members: dict[str, str]) -> Field:
    """A member of the structure, under another name where it has one of another type."""
    while members.get(name, parameter(_plain(type_), name)) != parameter(_plain(type_), name):
        name += "_"
    members[name] = parameter(_plain(type_), name)
    return Field(members[name], name, value)


def _add_variable(
    decl: Decl, fields: list[Field], first: list[str], members: dict[str, str]
) -> None:
    one = _member(decl.type, decl.name, decl.name, members)
    fields.append(one)
    type_ = _plain(decl.type)
    if type_.kind == "pointer":
        declared = parameter(type_, f"const {decl.name}")
        first.append(f"{declared} = s2s_next->{one.name};")
    else:
        first.append(f"const {parameter(type_, decl.name)} = s2s_next->{one.name};")


def _owners(program: Program, found: Found) -> Iterator[Node]:
    if found.element is None:
        return
    words = _words(program, found.element)
    for node in found.node.walk():
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and _words(program, node) == words:
            yield node


def _statement_text(program: Program, found: Found, edits: list[tuple[Node, str]]) -> str:
    """A statement with other expressions in some places."""
    span = program.statement(found.node)
    changed = [
        Edit(n.span.start, n.span.end, text.encode("utf-8", "surrogateescape")) for n, text in edits
    ]
    text = program.rewriting.text_with(span, changed)
    return text if text.endswith(("}", ";")) else f"{text};"


def _plain(type_: CType) -> CType:
    """A type without the qualifiers of the variable itself."""
    spelling = type_.spelling
    if type_.kind == "pointer":
        spelling = re.sub(r"(?:\s*\b(?:const|restrict|__restrict))+$", "", spelling)
    else:
        spelling = re.sub(r"\bconst\s+", "", spelling)
    return replace(type_, spelling=spelling)


def _statement(program: Program, node: Node) -> Node:
    """The statement of an assignment or a declaration."""
    above = program.parents[id(node)]
    return above if above.kind == "DECL_STMT" else node


def _words(program: Program, node: Node) -> str:
    return "".join(program.flat.buffer.text(node.span).split())


def _indent(program: Program, node: Node) -> str:
    start = program.flat.buffer.line_start(node.span.start)
    line = program.data[start : node.span.start].decode("utf-8", "replace")
    return line[: len(line) - len(line.lstrip())]
