"""Programs as C text: a function of its own, and files that run many of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.properties.program import (
    TABLE_SIZE,
    Affine,
    Array,
    Assign,
    If,
    Loop,
    Node,
    Omp,
    Program,
    Ref,
)

_HERE = Path(__file__).parent

HEADER = (_HERE / "printed_head.c").read_text()


def function_text(program: Program) -> str:
    """Declarations of the arrays that the function names, and the function."""
    return "".join(f"{line}\n" for line in [*_globals(program), *_Printer(program).function()])


def _globals(program: Program) -> list[str]:
    number = program.number
    lines = [f"static int k{number}_mix(int x) {{ return (x * 3 + 1) % 1009; }}"]
    lines.append(f"int k{number}_ix[{TABLE_SIZE}];")
    lines += [f"long k{number}_out[{max(1, len(program.results))}];"]
    for array in program.arrays:
        if array.form == "global":
            sizes = "".join(f"[{size}]" for size in array.inner)
            lines.append(f"{array.element} {array.name}{sizes};")
    return lines


def main_text(programs: Sequence[Program]) -> str:
    """The harness: each program at each of its sizes, all memory filled before, shown after."""
    lines: list[str] = []
    for program in programs:
        lines += [
            f"static {a.element} {a.name}_memory[{a.count}];"
            for a in program.arrays if a.form != "global"
        ]  # fmt: skip
    lines.append("int main(void) {")
    for program in programs:
        lines += [f"    {line}" for line in _calls(program)]
    return "\n".join([*lines, "    return 0;", "}", ""])


def _calls(program: Program) -> list[str]:
    number = program.number
    lines = [f"for (int i = 0; i < {TABLE_SIZE}; i++) k{number}_ix[i] = (5 * i + 2) % 11;"]
    for position, run in enumerate(program.runs):
        places = [
            (a, f"&{a.name}{'[0]' * a.rank}" if a.form == "global" else f"{a.name}_memory")
            for a in program.arrays
        ]
        lines += [f"fill_{a.element}({place}, {a.count});" for a, place in places]
        passed = [str(run[name]) for _, name in program.parameters]
        passed += [f"(void *){a.name}_memory" for a in program.arrays if a.form != "global"]
        lines.append(f"k{number}({', '.join(passed)});")
        for a, place in places:
            size = f"{a.count} * sizeof({a.element})"
            lines.append(f'show("{number}.{position} {a.name}", {place}, {size});')
        if program.results:
            out = f"k{number}_out"
            lines.append(f'show("{number}.{position} scalars", {out}, sizeof({out}));')
    return lines


class _Printer:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.table = f"k{program.number}_ix"

    def function(self) -> list[str]:
        program = self.program
        parameters = [f"{type_} {name}" for type_, name in program.parameters]
        parameters += [_parameter(a) for a in program.arrays if a.form != "global"]
        lines = [f"void k{program.number}({', '.join(parameters) or 'void'}) {{"]
        for type_, name, first in program.scalars:
            lines.append(f"    {type_} {name} = {first};")
        for name, type_ in self._undeclared().items():
            lines.append(f"    {type_} {name};")
        for node in program.body:
            lines += self.node(node, 1)
        for position, name in enumerate(program.results):
            lines.append(f"    k{program.number}_out[{position}] = {name};")
        return [*lines, "}"]

    def _undeclared(self) -> dict[str, str]:
        from tests.properties.program import walk

        return {
            n.var: n.type
            for n in walk(self.program.body) if isinstance(n, Loop) and not n.declared
        }  # fmt: skip

    def node(self, node: Node, depth: int) -> list[str]:
        pad = "    " * depth
        if isinstance(node, Assign):
            return [pad + line for line in self.assign(node)]
        if isinstance(node, Loop):
            return [f"{pad}for ({header(node)}) {{", *self.nodes(node.body, depth + 1), f"{pad}}}"]
        if isinstance(node, If):
            return self._if(node, depth)
        return self._omp(node, depth)

    def nodes(self, nodes: Sequence[Node], depth: int) -> list[str]:
        return [line for node in nodes for line in self.node(node, depth)]

    def _if(self, node: If, depth: int) -> list[str]:
        pad = "    " * depth
        tests = [f"{c.left.text()} {c.op} {c.right.text()}" for c in node.conditions]
        lines = [
            f"{pad}if ({f' {node.joiner} '.join(tests)}) {{",
            *self.nodes(node.then, depth + 1),
        ]
        if node.otherwise:
            lines += [f"{pad}}} else {{", *self.nodes(node.otherwise, depth + 1)]
        return [*lines, f"{pad}}}"]

    def _omp(self, node: Omp, depth: int) -> list[str]:
        pad = "    " * depth
        lines = [f"#pragma omp {node.kind}{''.join(' ' + c for c in clauses(node))}"]
        plain = node.kind in ("parallel for", "for", "atomic")
        if plain:
            return [*lines, *self.nodes(node.body, depth)]
        if node.body:
            lines += [f"{pad}{{", *self.nodes(node.body, depth + 1), f"{pad}}}"]
        return lines

    def assign(self, node: Assign) -> list[str]:
        parts = [f"{c} * {self.ref(r)}" if not node.real else f"{_real(c)} * {self.ref(r)}"
                 for c, r in node.operands]  # fmt: skip
        parts += [f"{c} * {n}" if not node.real else f"{_real(c)} * {n}" for n, c in node.iterators]
        parts.append(f"{_real(node.constant) if node.real else node.constant}")
        value = " + ".join(parts)
        if not node.real:
            value = f"({value}) % 1009"
            if node.helper:
                value = f"k{self.program.number}_mix({value})"
        declared = f"{node.declares} " if node.declares else ""
        text = f"{declared}{self.ref(node.target)} {node.op} {value} /*{node.number}*/;"
        if node.condition is None:
            return [text]
        test = f"{self.ref(node.condition)} {'< 4.0' if node.real else '% 2 == 0'}"
        return [f"if ({test})", f"    {text}"]

    def ref(self, ref: Ref) -> str:
        array = self.program.array(ref.name)
        if array is None or array.form != "flat" or len(ref.indices) < 2:
            return ref.name + "".join(f"[{i.text(self.table)}]" for i in ref.indices)
        flat = ref.indices[0].text(self.table)
        for size, index in zip(array.inner, ref.indices[1:], strict=True):
            inside = index.text(self.table)
            left = flat if " " not in flat else f"({flat})"
            flat = f"{left} * {size} + {inside if not inside.startswith('-') else f'({inside})'}"
        return f"{ref.name}[{flat}]"


def _real(value: int) -> str:
    return f"{value / 8!r}"


def _parameter(array: Array) -> str:
    word = "restrict " if array.restrict else ""
    if array.form == "flat" or array.rank == 1:
        return f"{array.element} *{word}{array.name}"
    sizes = "".join(f"[{size}]" for size in array.inner)
    if array.form == "pointer":
        return f"{array.element} (*{word}{array.name}){sizes}"
    return f"{array.element} {array.name}[{word.strip()}]{sizes}"


def header(loop: Loop) -> str:
    """The three parts of a loop's header."""
    declared = f"{loop.type} " if loop.declared else ""
    var = loop.var
    if loop.down:
        change = f"{var}--" if loop.step == 1 else f"{var} -= {loop.step}"
        first = loop.upper.plus(-1).text()
        if loop.style == "strict":
            test = f"{var} > {loop.lower.plus(-1).text()}"
        else:
            test = f"{var} >= {loop.lower.text()}"
        return f"{declared}{var} = {first}; {test}; {change}"
    change = f"{var}++" if loop.step == 1 else f"{var} += {loop.step}"
    if loop.style == "assigned":
        change = f"{var} = {var} + {loop.step}"
    test = f"{var} < {loop.upper.text()}"
    if loop.style == "closed":
        test = f"{var} <= {loop.upper.plus(-1).text()}"
    if loop.style == "swapped":
        test = f"{loop.upper.text()} > {var}"
    return f"{declared}{var} = {loop.lower.text()}; {test}; {change}"


def clauses(node: Omp) -> list[str]:
    found: list[str] = []
    if node.name:
        found.append(f"({node.name})")
    if node.collapse > 1:
        found.append(f"collapse({node.collapse})")
    if node.private:
        found.append(f"private({', '.join(node.private)})")
    if node.firstprivate:
        found.append(f"firstprivate({', '.join(node.firstprivate)})")
    for item in node.depends:
        tag = item.name + "".join(f"[{_index(i)}]" for i in item.indices)
        found.append(f"depend({item.kind}: {tag})")
    if node.nowait:
        found.append("nowait")
    return found


def _index(value: Affine) -> str:
    return value.text()
