"""Functions of a compute file, and whether the operations of a program fit them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from s2s.source.clockwork.problems import meant, note, problem
from s2s.source.clockwork.programs import Operation, Program
from s2s.source.clockwork.tokens import Token, number_of, place_of, read_tokens
from s2s.source.diagnostics import Location
from s2s.source.reading import read_source
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Parameter:
    """``bits`` of a word, None for an index variable; 0: of a type that is not understood."""

    name: str
    bits: int | None


@dataclass(frozen=True)
class Signature:
    """A function; ``body`` are the places of the tokens between its braces.

    ``bits`` of its result are 0 where its type is not ``hw_uint``.
    """

    name: str
    bits: int
    parameters: tuple[Parameter, ...]
    at: Location
    body: tuple[int, int]


@dataclass(frozen=True)
class ComputeFile:
    """The functions of a compute file by name, and its tokens."""

    path: str
    functions: Mapping[str, Signature]
    tokens: Sequence[Token]
    more: frozenset[str]
    """Names that headers beside it mention."""


def read_compute_file(path: str) -> ComputeFile:
    """The functions of a compute file. Raises UserError."""
    data = read_source(path)
    tokens = read_tokens(path, data)
    found: dict[str, Signature] = {}
    at = 0
    while tokens[at].kind != "end":
        made = _signature(path, tokens, at)
        if made is not None:
            if made.name in found:
                where = note("the first one", found[made.name].at)
                raise problem(f"two functions are named '{made.name}'", made.at, where)
            found[made.name] = made
            at = made.body[1]
        elif _text(tokens[at]) == "{":
            at = _closing(path, tokens, at, "{", "}")
        at += 1
    return ComputeFile(path, found, tokens, _mentioned(path, data))


def _text(token: Token) -> str:
    return token.text if token.kind in ("name", "sign") else ""


def _mentioned(path: str, data: bytes) -> frozenset[str]:
    """Names of functions in headers beside the file."""
    found: set[str] = set()
    for name in re.findall(rb'^\s*#\s*include\s*"([\w./-]+)"', data, re.MULTILINE):
        beside = Path(path).parent / name.decode()
        if beside.is_file():
            found.update(re.findall(r"\b(\w+)\s*\(", beside.read_text("latin-1")))
    return frozenset(found)


def _signature(path: str, tokens: Sequence[Token], at: int) -> Signature | None:
    """A function that is defined from here on: its type, its name, parameters and a body."""
    if tokens[at].kind != "name":
        return None
    bits, end = _bits(tokens, at)
    if end >= len(tokens) - 1 or tokens[end].kind != "name" or _text(tokens[end + 1]) != "(":
        return None
    close = _closing(path, tokens, end + 1, "(", ")")
    if _text(tokens[close + 1]) != "{":
        return None
    last = _closing(path, tokens, close + 1, "{", "}")
    name = tokens[end]
    parameters = _parameters(tokens[end + 2 : close])
    return Signature(name.text, bits or 0, parameters, place_of(path, name), (close + 2, last))


def _bits(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Bits of ``hw_uint<N>``, 0 for another type, and what comes after it."""
    if _text(tokens[at]) != "hw_uint" or _text(tokens[at + 1]) != "<":
        return 0, at + 1
    value = number_of(tokens[at + 2]) if tokens[at + 2].kind == "number" else None
    return value or 0, at + 4


def _closing(path: str, tokens: Sequence[Token], at: int, opening: str, closing: str) -> int:
    depth = 0
    for k in range(at, len(tokens)):
        depth += (_text(tokens[k]) == opening) - (_text(tokens[k]) == closing)
        if depth == 0:
            return k
    raise problem(f"'{opening}' is never closed", place_of(path, tokens[at]))


def _parameters(tokens: Sequence[Token]) -> tuple[Parameter, ...]:
    groups: list[list[Token]] = [[]]
    for token in tokens:
        if _text(token) == ",":
            groups.append([])
        else:
            groups[-1].append(token)
    return tuple(_parameter(group) for group in groups if group)


def _parameter(tokens: Sequence[Token]) -> Parameter:
    words = [t for t in tokens if _text(t) not in ("const", "&", "&&")]
    name = words[-1].text if len(words) > 1 and words[-1].kind == "name" else ""
    if _text(words[0]) == "hw_uint" and len(words) >= 4:
        return Parameter(name, _bits([*words, words[-1]], 0)[0])
    return Parameter(name, None if [_text(w) for w in words[:-1]] == ["int"] else 0)


# ---- agreement


def check_agreement(program: Program, compute: ComputeFile) -> None:
    """Raise UserError for an operation that its function does not fit: name, number, widths and
    order of arguments, width of the result.
    """
    for operation, _ in program.operations:
        if not operation.function:
            continue
        signature = compute.functions.get(operation.function)
        if signature is None:
            if operation.function in compute.more:
                continue
            text = f"{operation.name}: {Path(compute.path).name} has no function"
            text += f" '{operation.function}'{meant(operation.function, compute.functions)}"
            raise problem(text, operation.at)
        _check_arguments(program, operation, signature)
        _check_result(program, operation, signature)


def _mismatch(operation: Operation, signature: Signature, text: str, at: Location) -> Exception:
    where = note(f"'{signature.name}' is here", signature.at)
    return problem(f"{operation.name}: {text}", at, where)


def _check_arguments(program: Program, operation: Operation, signature: Signature) -> None:
    words = [p for p in signature.parameters if p.bits is not None]
    buffers = operation.buffers
    _check_order(operation, signature, [p.name for p in words], list(buffers))
    if len(words) != len(buffers):
        text = f"loads from {_count(len(buffers), 'buffer')} ({', '.join(buffers) or 'none'}), its"
        text += f" function '{signature.name}' takes {_count(len(words), 'argument')}"
        if words:
            text += f" ({', '.join(p.name for p in words)})"
        raise _mismatch(operation, signature, text, operation.at)
    for parameter, buffer in zip(words, buffers, strict=True):
        loads = [load for load in operation.loads if load.buffer == buffer]
        has = len(loads) * program.width(buffer)
        if parameter.bits and parameter.bits != has:
            text = f"{_count(len(loads), 'load')} of '{buffer}' with {program.width(buffer)} bits"
            text += f" make {has} bits, argument '{parameter.name}' of '{signature.name}' has"
            raise _mismatch(operation, signature, f"{text} {parameter.bits}", loads[-1].at)
    indices = [p.name for p in signature.parameters if p.bits is None]
    if len(indices) != len(operation.indices):
        text = f"gives {_count(len(operation.indices), 'index variable')}, its function"
        text += f" '{signature.name}' takes {len(indices)}"
        raise _mismatch(operation, signature, text, operation.at)
    given = [f"_{name}" for name in operation.indices]
    _check_order(operation, signature, [n if n[:1] == "_" else f"_{n}" for n in indices], given)


def _check_order(
    operation: Operation, signature: Signature, wanted: Sequence[str], given: Sequence[str]
) -> None:
    """The same names in another order: values would be taken for each other."""
    if list(wanted) != list(given) and sorted(wanted) == sorted(given):
        text = f"arguments are {', '.join(given)} in the order of the loads, '{signature.name}'"
        raise _mismatch(operation, signature, f"{text} takes {', '.join(wanted)}", operation.at)


def _check_result(program: Program, operation: Operation, signature: Signature) -> None:
    width = program.width(operation.store.buffer)
    if signature.bits and signature.bits != width:
        text = f"'{signature.name}' gives {signature.bits} bits, '{operation.store.buffer}' has"
        raise _mismatch(operation, signature, f"{text} words of {width}", operation.store.at)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
