"""Reductions on Emu: a variable of each thread's own, added to a cell that all know."""

from __future__ import annotations

from s2s.emitters.emu.atomics import LONG, Cell, has_hardware
from s2s.source.records import dataclass

_WHOLE = {"+": "0", "-": "0", "*": "1", "&": "-1", "|": "0", "^": "0", "&&": "1", "||": "0"}
_STEPS = {"&&": "&", "||": "|", "-": "+"}


@dataclass(frozen=True)
class Reduction:
    """``op`` over the variable ``name`` of a type.

    Threads combine their own values into ``cell``: the variable itself, or a long beside it where
    Emu's memory has the operation on longs only (``is_apart``).
    """

    name: str
    own: Cell
    op: str

    @property
    def step(self) -> str:
        """The operation between cells."""
        return _STEPS.get(self.op, self.op)

    @property
    def is_apart(self) -> bool:
        whole = self.own.kind == "int" and not has_hardware(self.step, self.own)
        return self.op in ("&&", "||") or (whole and has_hardware(self.step, LONG) and self._fits)

    @property
    def _fits(self) -> bool:
        """Whether the type's values keep their order as longs."""
        return self.step not in ("min", "max") or self.own.signed or self.own.size < 8

    @property
    def cell(self) -> Cell:
        return LONG if self.is_apart else self.own

    @property
    def pointer(self) -> str:
        """The worker's parameter."""
        return f"s2s_all_{self.name}"

    @property
    def partial(self) -> str:
        return f"s2s_partial_{self.name}"

    @property
    def declared(self) -> str:
        return f"{self.cell.spelling} *{self.pointer}"

    def own_value(self) -> str:
        """The thread's own variable as an operand."""
        return f"{self.name} != 0" if self.op in ("&&", "||") else self.name

    def argument(self) -> str:
        """What the spawner passes."""
        return f"&{self.pointer}" if self.is_apart else f"&{self.name}"

    def before(self) -> str:
        """What the spawner declares."""
        return f"long {self.pointer} = {identity(self.op, LONG)};" if self.is_apart else ""

    def after(self) -> str:
        """What the spawner does when all threads are done."""
        if not self.is_apart:
            return ""
        if self.op in ("min", "max"):
            relation = "<" if self.op == "min" else ">"
            return f"if ({self.pointer} {relation} {self.name}) {self.name} = {self.pointer};"
        op = self.op if self.op in ("&&", "||") else self.step
        return f"{self.name} = {self.name} {op} {self.pointer};"


def identity(op: str, cell: Cell) -> str:
    """The value that changes nothing. Raises KeyError for an operation that is not known."""
    if op in _WHOLE:
        return _WHOLE[op]
    if op not in ("min", "max"):
        raise KeyError(op)
    if cell.kind == "float":
        return "(1.0 / 0.0)" if op == "min" else "(-1.0 / 0.0)"
    bits = 8 * cell.size - cell.signed
    most = 2**bits - 1
    suffix = ("" if cell.signed else "u") + ("l" if cell.size == 8 else "")
    if op == "min":
        return f"{most}{suffix}"
    return f"(-{most}{suffix} - 1)" if cell.signed else "0"
