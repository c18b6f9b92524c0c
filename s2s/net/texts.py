"""Pieces of Python text: values, places of values, addresses."""

from __future__ import annotations

import ast

from s2s.net.errors import NotExecuted
from s2s.net.shapes import Shape
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Term:
    """Text of a value, or of the address of an array or record. ``loose``: not wrapped yet."""

    text: str
    shape: Shape
    loose: bool = False


@dataclass(frozen=True)
class Place:
    """Where a value is stored: the name of a Python variable, or text of an address."""

    text: str
    shape: Shape
    in_memory: bool


def wrap(text: str, shape: Shape) -> str:
    """Text of an integer taken into its type's range."""
    literal = number_in(text)
    if literal is not None and shape.least <= literal <= shape.most:
        return text
    if shape.boolean:
        return f"({text} != 0)"
    mask = (1 << shape.bits) - 1
    if not shape.signed:
        return f"({text} & {mask})"
    half = 1 << (shape.bits - 1)
    return f"(({text} + {half} & {mask}) - {half})"


def width_of(pointer: Shape) -> str:
    width = pointer.target.width
    if width in ("0", ""):
        raise NotExecuted("a pointer to an unknown size")
    return width


def scaled(count: str, pointer: Shape) -> str:
    width, literal = width_of(pointer), number_in(count)
    if literal is not None and width.isdigit():
        product = literal * int(width)
        return str(product) if product >= 0 else f"({product})"
    return count if width == "1" else f"{count}*{width}"


def in_row(text: str, count: str) -> str:
    literal = number_in(text)
    if literal is not None and count.isdigit() and 0 <= literal < int(count):
        return text
    return f"_at({text}, {count})"


def number_in(text: str) -> int | None:
    bare = text[1:-1] if text.startswith("(-") and text.endswith(")") else text
    digits = bare[1:] if bare.startswith("-") else bare
    return int(bare) if digits.isdigit() else None


def holds(text: str, shape: Shape) -> bool:
    literal = number_in(text)
    return literal is not None and shape.least <= literal <= shape.most


def storing(place: Place, text: str) -> str:
    if place.in_memory:
        return f"_set(M, {place.text}, {text}, _w)"
    return f"({place.text} := {text})"


def text_of_literal(spelling: str) -> bytes:
    """The characters of a string literal, with the zero behind them."""
    if not spelling.startswith('"'):
        raise NotExecuted("a wide string")
    value = ast.literal_eval("b" + spelling)
    assert isinstance(value, bytes)
    return value + b"\0"
