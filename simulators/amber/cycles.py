"""The cycle of one design as C++ of its own, for runs that are long enough to pay its compilation.

Each instance becomes a few lines with its nets and addresses as numbers: what it does as long as
nothing is wrong (``include/cycles.h``). Where anything is, and for what is seldom (queues,
addresses from data), the engine's own action is called: values, counts and errors are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from s2s.simulators.amber.netlist import KINDS, MODES, Netlist
from s2s.simulators.amber.numbers import Action, Count, Memory, Numbers, Port, read_numbers
from s2s.source.records import dataclass

MANY = 6
"""Uses of a kernel and choices of a multiplexer up to which they are written out."""
_AT_ONCE = 40
"""Instances for each function: compilers take more than twice as long for one of twice the size."""

Affine = tuple[int, int, list[int]]


def cycle_text(netlist: Netlist, affine: Sequence[Affine | None], values: Sequence[str]) -> str:
    """``amber::CYCLE`` of a design. ``affine``: each operation's depth, number of rows, and rows
    with elements (``generate.py``); ``values``: the name of its function.
    """
    writer = _Writer(read_numbers(netlist.numbers, KINDS), affine, values)
    parts = [*writer.actions(), *writer.memories()]
    functions = []
    for k, first in enumerate(range(0, len(parts), _AT_ONCE)):
        some = parts[first : first + _AT_ONCE]
        text = "".join(some)
        functions.append(f"static void part_{k}(Machine &m) {{\n{_HEAD}{_used(text)}{text}}}\n")
    calls = "".join(f"    part_{k}(m);\n" for k in range(len(functions)))
    sums = "".join(
        f"    S[{k}] = sum_of(m, {controller}, {{{', '.join(map(str, row))}}});\n"
        for (controller, row), k in writer.sums.items()
    )
    return (
        f"static const long *S[{len(writer.sums) + 1}];\n"
        f"static void begin(Machine &m) {{\n{sums}}}\n"
        f"{''.join(functions)}"
        f"static void run(Machine &m) {{\n{calls}    m.move();\n}}\n"
        "const Cycle CYCLE = {begin, run};\n"
    )


_HEAD = """    Word *const n = m.net.data();
    Memory *const M = m.memories.data();
    Controller *const C = m.controllers.data();
    (void) n, (void) M, (void) C;
"""


def _used(text: str) -> str:
    """Which controllers fire and what they count, where some text names it: ``f3`` and ``s5``."""
    fires = sorted({int(k) for k in re.findall(r"\bf(\d+)", text)})
    sums = sorted({int(k) for k in re.findall(r"\bs(\d+)", text)})
    lines = [f"    const bool f{k} = m.fires[{k}];\n" for k in fires]
    lines += [f"    const long s{k} = *S[{k}];\n" for k in sums]
    return "".join(lines)


@dataclass
class _Writer:
    numbers: Numbers
    affine: Sequence[Affine | None]
    values: Sequence[str]
    sums: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)

    def sum(self, controller: int, row: tuple[int, ...]) -> str:
        return f"s{self.sums.setdefault((controller, row), len(self.sums))}"

    def at(self, count: Count) -> str:
        return f"({self.sum(count.controller, count.row)} + {count.base})"

    # ---- what happens within a cycle

    def actions(self) -> Iterator[str]:
        for k, action in enumerate(self.numbers.actions):
            yield getattr(self, f"_{action.kind}")(k, action)

    def _input(self, k: int, action: Action) -> str:
        fires = [count.controller for count in action.counts]
        if len(fires) > 1:
            return _left(k, action, fires, "UNDEFINED")
        given = f"given({self.at(action.counts[0])})" if fires else "UNDEFINED"
        return f"    n[{action.out}] = {_any(fires)} ? {given} : UNDEFINED;\n"

    def _output(self, k: int, action: Action) -> str:
        fires = [count.controller for count in action.counts]
        if len(fires) > 1:
            return _cases((_any(fires), _act(k)))
        taken = f"take(m, n[{action.nets[0]}], {self.at(action.counts[0])})"
        return _cases((f"{_any(fires)} && !{taken}", _act(k)))

    def _rom(self, k: int, action: Action) -> str:
        word = f"n[{action.nets[0]}]"
        looked_up = f"n[{action.out}] = {{m.actions[{k}].table[{word}.value], ANY}};"
        return _cases((f"{word}.tag && {word}.value < {action.words}", looked_up), ("", _act(k)))

    def _mux(self, k: int, action: Action) -> str:
        pairs = [pair for pair in action.pairs if pair[0] >= 0]
        fixed = [place for controller, place in action.pairs if controller < 0]
        last = f"n[{action.nets[fixed[0]]}]" if fixed else "UNDEFINED"
        fires = [controller for controller, _ in pairs]
        if len(pairs) > MANY:
            return _left(k, action, fires, last)
        chosen = "".join(f"f{c} ? n[{action.nets[place]}] : " for c, place in pairs)
        word = f"n[{action.out}] = {chosen}{last};"
        return _cases(*_twice(fires, _act(k)), ("", word))

    def _kernel(self, k: int, action: Action) -> str:
        fires = [controller for controller, _ in action.pairs]
        if len(fires) > MANY or any(self.affine[op] is None for _, op in action.pairs):
            return _left(k, action, fires, "UNDEFINED")
        uses = [(f"f{c}", self._use(k, action, c, op)) for c, op in action.pairs]
        return _cases(*_twice(fires, _act(k)), *uses, ("", f"n[{action.out}] = UNDEFINED;"))

    def _use(self, k: int, action: Action, controller: int, operation: int) -> str:
        """A kernel's value for one of its operations."""
        found = self.affine[operation]
        assert found is not None
        depth, groups, flat = found
        rows = [tuple(flat[depth * g : depth * (g + 1)]) for g in range(groups)]
        elements = flat[depth * groups :]
        pairs = list(zip(elements[::2], elements[1::2], strict=True))
        lines = [f"const long g{g} = {self.sum(controller, row)};" for g, row in enumerate(rows)]
        wrong = []
        for net, (base, group) in zip(action.nets, pairs[:-1], strict=False):
            if net not in self.numbers.constants:
                any_of = "_or_any" if net in self.numbers.constant_or_other else ""
                wrong.append(f"other{any_of}(n[{net}], g{group} + {base})")
        words = ", ".join(f"n[{net}].value" for net in action.nets[: len(pairs) - 1])
        base, group = pairs[-1]
        value = f"{self.values[operation]}(C[{controller}].index, w)"
        word = f"n[{action.out}] = {{{value}, uint32_t(g{group} + {base}) + FIRST}};"
        checked = f"if ({' | '.join(wrong)}) {_act(k)} else {word}" if wrong else word
        return " ".join((*lines, f"const uint32_t w[] = {{{words or '0'}}};", checked))

    def _read(self, k: int, action: Action) -> str:
        memory = self.numbers.memories[action.memory]
        port = memory.out[action.port]
        mode = MODES[memory.mode]
        out = f"n[{action.out}]"
        chained = f"n[{action.nets[0]}]" if action.nets else "UNDEFINED"
        if mode == "fifo" or port.is_addressed or len(port.accesses) != 1:
            return _left(k, action, port.controllers, chained)
        ((count, *_),) = port.accesses
        where = f"M[{action.memory}], {self.at(count)}"
        fires = f"f{count.controller}"
        if mode == "sram":
            where = f"M[{action.memory}], {action.port}, {self.at(count)}"
            word = f"read_wide<{memory.wide * memory.fetches}>({where})"
            return f"    {out} = {fires} ? {word} : {chained};\n"
        read = f"read<{_shape(memory)}>({where}, {out})"
        return _cases((f"!{fires}", f"{out} = {chained};"), (f"!{read}", _act(k)))

    # ---- what happens at its end

    def memories(self) -> Iterator[str]:
        for k, memory in enumerate(self.numbers.memories):
            mode = MODES[memory.mode]
            if mode == "fifo" or any(port.is_addressed for port in memory.ports):
                yield _cases((_any(_fires(memory.ports)), f"m.write(M[{k}]);"))
            elif mode == "sram":
                yield self._wide(k, memory)
            else:
                yield self._words(k, memory, alone=mode == "dual_port")

    def _words(self, k: int, memory: Memory, *, alone: bool) -> str:
        """A memory from address to word; of one that is ``alone`` one port reads in a cycle."""
        engine = f"m.write(M[{k}]);"
        cases = _twice(_fires(memory.into), engine)
        if alone:
            cases += _twice(_fires(memory.out), engine)
        for port in memory.into:
            for count, *_ in port.accesses:
                where = f"M[{k}], {self.at(count)}, n[{port.net}]"
                written = f"if (!write<{_shape(memory)}>(m, {where})) {engine}"
                cases.append((f"f{count.controller}", written))
        return _cases(*cases)

    def _wide(self, k: int, memory: Memory) -> str:
        """An SRAM of wide fetches. One port uses it in a cycle, at a fetch that is there."""
        engine = f"m.write(M[{k}]);"
        cases = _twice(_fires((*memory.from_sram, *memory.to_sram)), engine)
        for port in memory.into:
            cases += _twice(port.controllers, engine)
        lines = []
        for name, ports in (("fetch", memory.from_sram), ("put", memory.to_sram)):
            for number, port in enumerate(ports):
                for first, second in port.accesses:
                    fires = f"f{first.controller}"
                    place = f"inside<{_shape(memory)}>({memory.wide} * {self.at(first)})"
                    if not memory.cut:
                        cases.append((f"{fires} && {place} < 0", engine))
                    shape = f"{memory.wide}, {memory.fetches}"
                    moved = f"{name}<{shape}>(M[{k}], {number}, {place}, {self.at(second)});"
                    lines.append(f"if ({fires}) {moved}")
        for number, port in enumerate(memory.into):
            for count, *_ in port.accesses:
                where = f"m, M[{k}], {number}, {self.at(count)}, n[{port.net}]"
                shape = str(memory.wide * memory.fetches)
                lines.append(f"if (f{count.controller}) collect<{shape}>({where});")
        moving = (*memory.into, *memory.to_sram, *memory.from_sram)
        return _cases((_any(_fires(moving)), _cases(*cases, ("", "\n        ".join(lines)))))


def _act(k: int) -> str:
    """What the engine does for an action of any design."""
    return f"m.act(m.actions[{k}]);"


def _left(k: int, action: Action, controllers: Sequence[int], otherwise: str) -> str:
    """An action that is left to the engine where any of some controllers fires."""
    return f"    n[{action.out}] = {otherwise};\n" + _cases((_any(controllers), _act(k)))


def _cases(*cases: tuple[str, str]) -> str:
    """The first of some statements whose condition holds; one without a condition is the last."""
    text = ""
    for condition, statement in cases:
        head = f"if ({condition}) " if condition else ""
        text += f"{' else ' if text else '    '}{head}{{\n        {statement}\n    }}"
    return f"{text}\n"


def _twice(controllers: Sequence[int], statement: str) -> list[tuple[str, str]]:
    """What is done where more than one of some controllers fires."""
    if len(controllers) < 2:
        return []
    return [(f"{' + '.join(f'f{c}' for c in controllers)} > 1", statement)]


def _shape(memory: Memory) -> str:
    return f"{memory.size}, {str(memory.cut).lower()}"


def _fires(ports: Sequence[Port]) -> list[int]:
    return [controller for port in ports for controller in port.controllers]


def _any(controllers: Sequence[int]) -> str:
    return " | ".join(f"f{c}" for c in dict.fromkeys(controllers)) or "false"
