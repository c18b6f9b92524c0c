"""What exists while a program is evaluated: Funcs, images, scalars, and the rules for defining.

Also the conversions of what C++ hands over (numbers, Vars, references to Funcs) to expressions.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate.values import (
    UNDEFINED,
    Enumerator,
    Number,
    deref,
    describe,
    number,
    scalar_type,
    type_name,
)
from s2s.frontends.halide.schedule import Program
from s2s.scop.errors import Illegal
from s2s.scop.expressions import INT32, Expr, Type, Variable
from s2s.scop.pipeline import GeneratorParameter, Image, ReductionVariable, Scalar
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass
class Domain:
    """A reduction domain: its variables and where it is cut (``where``)."""

    variables: list[ReductionVariable]
    predicate: Expr | None = None


@dataclass
class Target:
    """What code is for; ``features`` are Halide's names."""

    text: str = "x86-64-linux-avx-avx2-f16c-fma-sse41"
    vector_bytes: int = 32
    features: set[str] = field(default_factory=lambda: {"SSE41", "AVX", "AVX2", "FMA", "F16C"})
    words = "a Target"

    def member(self, name: str) -> Any:
        if name == "arch":
            return Enumerator("X86", 1, "Arch")
        if name == "os":
            return Enumerator("Linux", 1, "OS")
        if name in ("bits", "vector_bits"):
            return 64 if name == "bits" else self.vector_bytes * 8
        raise Illegal(f"'{name}' of a Target is not supported")

    def copied(self) -> Target:
        return Target(self.text, self.vector_bytes, set(self.features))


@dataclass
class World:
    """The state of an evaluation that the language's objects share."""

    program: Program = field(default_factory=Program)
    images: dict[str, Image] = field(default_factory=dict)
    scalars: dict[str, Scalar] = field(default_factory=dict)
    domains: dict[str, Domain] = field(default_factory=dict)
    """By the name of a reduction variable."""
    requirements: list[tuple[Expr, str]] = field(default_factory=list)
    frozen: set[str] = field(default_factory=set)
    """Funcs that another one reads: they get no more definitions."""
    target: Target = field(default_factory=Target)
    tables: list[Any] = field(default_factory=list)
    """Buffers that the pipeline reads; their elements are taken at the end."""
    parameters: dict[str, str] = field(default_factory=dict)
    """What the command line says about generator parameters and ports."""
    used: set[str] = field(default_factory=set)
    generator_parameters: dict[str, GeneratorParameter] = field(default_factory=dict)
    """Those that the generator declares, by name."""
    ports: list[Any] = field(default_factory=list)
    """Inputs and outputs of a generator in the order of their declaration."""
    renamed: dict[str, Any] = field(default_factory=dict)
    """What was assigned to a variable that held a Func, by that Func's name."""
    generating: bool = False
    """Whether a generator runs: what it compiles itself does not end it."""
    randoms: int = 0
    """Calls for random numbers so far."""
    definitions: int = 0
    """Definitions so far, those of the Funcs that Halide makes of input images included."""
    at: Span | None = None
    """The call that is being evaluated."""
    warnings: list[tuple[str, Span | None]] = field(default_factory=list)

    def input_image(self, name: str, type_: Type, rank: int) -> Image:
        """A new image of the caller's; Halide defines a Func that reads it."""
        self.definitions += 1
        return self.image(name, type_, rank)

    def image(self, name: str, type_: Type, rank: int) -> Image:
        """A new image; a name that is taken is made different."""
        name = self._free(name)
        image = self.images[name] = Image(name, type_, rank, at=self.at)
        return image

    def scalar(self, name: str, type_: Type, default: int | float | None = None) -> Scalar:
        name = self._free(name)
        scalar = self.scalars[name] = Scalar(name, type_, default, self.at)
        return scalar

    def _free(self, name: str) -> str:
        base, count = name, 0
        while name in self.images or name in self.scalars:
            count += 1
            name = f"{base}_{count}"
        return name

    def reduction(self, name: str, ranges: list[tuple[Expr, Expr]]) -> Domain:
        """A new reduction domain; its variables are ``name$x``, ``name$y``..."""
        letters = "xyzw"
        taken, base, count = name, name, 0
        while any(f"{taken}${c}" in self.domains for c in ("x", "0")):
            count += 1
            taken = f"{base}${count}"
        variables = [
            ReductionVariable(f"{taken}${letters[i] if len(ranges) <= 4 else i}", *bounds)
            for i, bounds in enumerate(ranges)
        ]
        domain = Domain(variables)
        self.domains.update((v.name, domain) for v in variables)
        return domain


def literal_type(value: Any) -> Type:
    """Halide's type of a C++ arithmetic value."""
    return scalar_type(type_name(value))


def to_expr(value: Any) -> Expr:
    """What C++ converts to an ``Expr``."""
    value = deref(value)
    if isinstance(value, Expr):
        return value
    plain = number(value)
    if plain is not None:
        if isinstance(value, Enumerator):
            raise Illegal(f"the enumerator {value.name} is no Expr; cast it to int")
        return typing.const(literal_type(value), plain)
    if value is UNDEFINED:
        raise Illegal("use of an undefined Expr")
    convert = getattr(value, "expr", None)
    if convert is None:
        raise Illegal(f"{describe(value)} is no Expr")
    made = convert()
    assert isinstance(made, Expr)
    return made


def operand(value: Any) -> Expr | int:
    """An operand of an operator that has an overload for int."""
    value = deref(value)
    if isinstance(value, bool | Enumerator):
        return int(number(value) or 0)
    if isinstance(value, int):
        return value
    if isinstance(value, Number) and value.type in _NARROW:
        return int(value.value)
    return to_expr(value)


_NARROW = frozenset({"char", "signed char", "unsigned char", "short", "unsigned short"})


def subscript(value: Any, func: str, place: int) -> Expr:
    """An argument of a call of a Func or an image: int32, narrower integers are converted."""
    expr = to_expr(value)
    type_ = expr.type
    if type_ == INT32:
        return expr
    if not type_.is_integer or type_.bits > 32 or type_ == Type("uint", 32):
        raise Illegal(
            f"implicit cast from {type_} to int in argument {place + 1} in call to '{func}' "
            "is not allowed; use an explicit cast"
        )
    return typing.cast(INT32, expr)


def integer(value: Any, purpose: str) -> int:
    """A value that must be a number when the pipeline is built."""
    plain = number(deref(value))
    if plain is None:
        from s2s.scop.expressions import Const

        expr = to_expr(value)
        if isinstance(expr, Const):
            return int(expr.value)
        raise Illegal(f"{purpose} must be a number that is known when the pipeline is built")
    return int(plain)


def text_of(value: Any) -> str:
    value = deref(value)
    if not isinstance(value, str):
        raise Illegal(f"{describe(value)} is no string")
    return value


def variable(name: str, type_: Type = INT32) -> Variable:
    return Variable(type_, name)
