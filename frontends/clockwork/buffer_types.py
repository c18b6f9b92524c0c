"""Types of a program's buffers: how the functions of its operations take and give their words."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.clockwork.known_functions import TYPES
from s2s.scop.expressions import Type
from s2s.source.clockwork.programs import Operation, Program
from s2s.source.clockwork.signatures import ComputeFile, Signature


def buffer_types(program: Program, compute: ComputeFile) -> dict[str, Type]:
    """The type of each buffer, of its width: that of the first value that is stored, else that
    which the first load is converted to; unsigned where neither says it.
    """
    said: dict[str, list[Type]] = {}
    for operation, _ in program.operations:
        signature = compute.functions.get(operation.function)
        if signature is not None:
            given = _returned(compute, signature)
            if given is not None:
                said.setdefault(operation.store.buffer, []).append(given)
    for operation, _ in program.operations:
        signature = compute.functions.get(operation.function)
        if signature is not None:
            for buffer, kind in _taken(compute, signature, operation):
                said.setdefault(buffer, []).append(kind)
    found: dict[str, Type] = {}
    for name in program.boxes:
        width = program.width(name)
        fitting = [kind for kind in said.get(name, ()) if kind.bits == width]
        found[name] = fitting[0] if fitting else Type("uint", width)
    return _copied(program, found, said)


def _copied(
    program: Program, found: dict[str, Type], said: dict[str, list[Type]]
) -> dict[str, Type]:
    """Copies without a function keep the type."""
    for operation, _ in program.operations:
        to, sources = operation.store.buffer, operation.buffers
        if not operation.function and to not in said and found[sources[0]].bits == found[to].bits:
            found[to] = found[sources[0]]
    return found


def _returned(compute: ComputeFile, signature: Signature) -> Type | None:
    """The declared type of the variable that a function returns; indices are ``int``."""
    tokens, (first, last) = compute.tokens, signature.body
    if last - first < 3 or tokens[last - 1].text != ";" or tokens[last - 3].text != "return":
        return None
    name = tokens[last - 2].text
    for at in range(first, last - 3):
        if tokens[at + 1].text == name and tokens[at + 2].text == "=":
            return TYPES.get(tokens[at].text)
    is_index = any(p.name == name and p.bits is None for p in signature.parameters)
    return TYPES["int"] if is_index else None


def _taken(
    compute: ComputeFile, signature: Signature, operation: Operation
) -> Iterator[tuple[str, Type]]:
    """To what each buffer's words are converted: ``(int16_t) name.extract``, or
    ``make_from_bits(name.extract``.
    """
    words = [p.name for p in signature.parameters if p.bits is not None]
    buffers = dict(zip(words, operation.buffers, strict=False))
    tokens, (first, last) = compute.tokens, signature.body
    for at in range(first + 1, last - 1):
        if tokens[at].text not in buffers or tokens[at + 1].text != ".":
            continue
        before = at - 1
        while tokens[before].text == "(" and before > first:
            before -= 1
        if tokens[before].text == ")" and tokens[before - 1].text in TYPES:
            yield buffers[tokens[at].text], TYPES[tokens[before - 1].text]
        elif tokens[before].text == "make_from_bits":
            yield buffers[tokens[at].text], TYPES["bfloat16_t"]
