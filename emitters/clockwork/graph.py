"""``NAME.dot``: the array with what is on its tiles, and nets, for graphviz.

Drawn like Figure 6.3 of Setter's dissertation: signs for operations, names for memories and
streams; here at their places (``neato -n`` keeps them).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from s2s.scop.fabric import Configuration, Part, Tile

STEP = 72
"""Points from one tile to the next."""
COLOURS = {"pe": "#cfe2f3", "memory": "#fce5cd", "io": "#d9ead3"}
EMPTY = {"pe": "#f4f8fc", "memory": "#fef7ee", "io": "#f4faf2"}
SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "eq": "==", "ne": "!=", "lt": "<",
    "le": "<=", "gt": ">", "ge": ">=", "and": "&&", "or": "||", "not": "!", "band": "&", "bor": "|",
    "bxor": "^", "bnot": "~", "shl": "<<", "shr": ">>", "select": "?:", "mul_shr": "*>>",
}  # fmt: skip


def print_graph(configuration: Configuration) -> str:
    """The text of the file."""
    lines = [
        f"digraph {json.dumps(configuration.fabric.name)} {{",
        "  // neato -n -Tsvg draws it; the streams' tiles are the uppermost row",
        '  node [shape=box, fixedsize=true, width=0.8, height=0.8, fontsize=8, style="filled"];',
        '  edge [color="#00000060", arrowsize=0.4, fontsize=6];',
        *_nodes(configuration),
        *_edges(configuration),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _nodes(configuration: Configuration) -> Iterator[str]:
    array, parts = configuration.array, configuration.fabric.parts
    on = {configuration.places[name]: part for name, part in parts.items()}
    rows = array["rows"]
    for kind in ("io", "pe", "memory"):
        for tile in array.tiles(kind):
            x, y = tile[0] * STEP, (rows - 1 - tile[1]) * STEP
            colour = COLOURS[kind] if tile in on else EMPTY[kind]
            text = _label(on[tile]) if tile in on else ""
            more = f", tooltip={json.dumps(on[tile].name)}" if tile in on else ', color="#cccccc"'
            yield (
                f'  {_name(tile)} [pos="{x},{y}", label={json.dumps(text)},'
                f' fillcolor="{colour}"{more}];'
            )


def _name(tile: Tile) -> str:
    return f"x{tile[0]}y{tile[1]}" if tile[1] >= 0 else f"x{tile[0]}io"


def _label(part: Part) -> str:
    """A sign for an operation with its constants, a name for what else there is."""
    if part.element is None or part.kind == "memory":
        return "\n".join(_wrapped(part.instance))
    constants = [str(o.value) for o in part.element.operands if not o.port]
    return " ".join([SIGNS.get(part.element.op, part.element.op), *constants])


def _wrapped(name: str, width: int = 12) -> Iterator[str]:
    for k in range(0, min(len(name), 4 * width), width):
        yield name[k : k + width]


def _edges(configuration: Configuration) -> Iterator[str]:
    """A net's source to each of its targets, with the registers between them."""
    fabric, places = configuration.fabric, configuration.places
    for link in fabric.links:
        registers = fabric.delay(link)
        text = f' [label="{registers}"]' if registers else ""
        source, target = places[link.source[0]], places[link.target[0]]
        yield f"  {_name(source)} -> {_name(target)}{text};"
