"""Functions, static methods and variables that the headers declare, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate import algorithms, boundary, reductions
from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.funcs import assign, func_of_expr
from s2s.frontends.halide.evaluate.language import FuncRef, Tuple, Var
from s2s.frontends.halide.evaluate.methods import Loaded, method
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.templates import template_type
from s2s.frontends.halide.evaluate.types import ctype
from s2s.frontends.halide.evaluate.values import (
    NULL,
    STREAM,
    UNDEFINED,
    VOID,
    Cell,
    Enumerator,
    Number,
    Pointer,
    deref,
    number,
    unwrap_parameter,
)
from s2s.frontends.halide.evaluate.world import Target, integer, operand, text_of, to_expr
from s2s.frontends.halide.functions import (
    FUNCTIONS,
    concat_bits,
    extract_bits,
    mux,
    reinterpret,
    saturating_cast,
)
from s2s.frontends.halide.polynomials import FAST
from s2s.frontends.halide.randoms import UINT32, random_call
from s2s.frontends.halide.schedule import inlined, root
from s2s.scop.errors import Illegal
from s2s.scop.expressions import BOOL, FLOAT32, INT32, Call, Const, Expr, Type

_CASTS = {
    f"{letter}{bits}": Type(code, bits)
    for letter, code in (("i", "int"), ("u", "uint"), ("f", "float"))
    for bits in (8, 16, 32, 64)
    if not (letter == "f" and bits == 8)
} | {"bf16": Type("bfloat", 16)}


def function(interpreter: Part, called: Node, node: Node, arguments: list[Any]) -> Any:
    """A function that the headers declare."""
    name = called.name
    scope = called.scope
    if scope == "BoundaryConditions":
        return boundary.condition(interpreter.world, name, arguments)
    if scope == "ConciseCasts":
        return _concise(name, arguments)
    if scope in ("std", "") or called.scope.startswith("s2s_"):
        return _standard(interpreter, name, node, arguments)
    if name in reductions.NAMES:
        return reductions.reduce(interpreter.world, name, arguments)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(interpreter, node, arguments)
    values = [unwrap_parameter(deref(a)) for a in arguments]
    if name in ("min", "max") and all(number(value) is not None for value in values):
        return algorithms.standard(interpreter, name, node, values)  # of generator parameters
    found: Callable[..., Expr] | None = FUNCTIONS.get(name) or FAST.get(name)
    if found is not None:
        return found(*map(operand, arguments))
    raise Illegal(f"'{name}' is not supported")


def _standard(interpreter: Part, name: str, node: Node, arguments: list[Any]) -> Any:
    values = [deref(a) for a in arguments]
    if any(isinstance(v, Expr) for v in values) and name in FUNCTIONS:
        return FUNCTIONS[name](*map(operand, arguments))
    return algorithms.standard(interpreter, name, node, arguments)


def _concise(name: str, arguments: list[Any]) -> Expr:
    value = to_expr(arguments[0])
    if name.endswith("_sat"):
        return saturating_cast(_CASTS[name.removesuffix("_sat")], value)
    if name not in _CASTS:
        raise Illegal(f"'{name}' is not supported")
    return typing.cast(_CASTS[name], value)


def _with_type(
    make: Callable[[Type, Expr], Expr],
) -> Callable[[Part, Node, list[Any]], Any]:
    def function(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
        if len(arguments) == 2:
            return make(unwrap_parameter(deref(arguments[0])), to_expr(arguments[1]))
        return make(template_type(node), to_expr(arguments[0]))

    return function


def _extract_bits(interpreter: Part, node: Node, arguments: list[Any]) -> Expr:
    values = list(arguments)
    type_ = unwrap_parameter(deref(values.pop(0))) if len(values) == 3 else template_type(node)
    return extract_bits(type_, *map(to_expr, values))


def _concat_bits(interpreter: Part, node: Node, arguments: list[Any]) -> Expr:
    parts = deref(arguments[0])
    if not isinstance(parts, Items):
        raise Illegal("concat_bits takes a vector of Exprs")
    return concat_bits([to_expr(part) for part in parts.items])


def _select(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    values = [deref(a) for a in arguments]
    if any(isinstance(v, Tuple) for v in values) or _is_tuple_ref(values):
        return _tuple_select(interpreter, node, arguments)
    return FUNCTIONS["select"](*(to_expr(v) for v in values))


def _is_tuple_ref(values: list[Any]) -> bool:
    return any(isinstance(v, FuncRef) and len(v.func.types) > 1 for v in values)


def _tuple_select(interpreter: Part, node: Node, arguments: list[Any]) -> Tuple:
    from s2s.frontends.halide.evaluate.definitions import values_of

    values = [deref(a) for a in arguments]
    size = len(values_of(values[-1]))
    columns = []
    for value in values:
        found = values_of(value)
        columns.append(found * size if len(found) == 1 else found)
    if any(len(c) != size for c in columns):
        raise Illegal("select() on Tuples requires all Tuples to have identical sizes")
    return Tuple([FUNCTIONS["select"](*(c[i] for c in columns)) for i in range(size)])


def _mux(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    index, values = to_expr(arguments[0]), deref(arguments[1])
    items = values.values if isinstance(values, Tuple) else values.items
    rows = [deref(v) for v in items]
    if rows and isinstance(rows[0], Tuple):
        parts = zip(*(r.values for r in rows), strict=True)
        return Tuple([mux(index, *map(to_expr, p)) for p in parts])
    return mux(index, *map(to_expr, rows))


def _undef(interpreter: Part, node: Node, arguments: list[Any]) -> Expr:
    return Call(deref(arguments[0]) if arguments else template_type(node), "undef", ())


def _random(interpreter: Part, node: Node, arguments: list[Any]) -> Expr:
    world = interpreter.world
    seeds = [] if not arguments or deref(arguments[0]) is UNDEFINED else [to_expr(arguments[0])]
    called = (node.referenced or node).name
    type_ = FLOAT32 if called == "random_float" else UINT32
    legal = (INT32,) if type_ == FLOAT32 else (INT32, UINT32)
    if any(s.type not in legal for s in seeds):
        raise Illegal(f"the seed of {called} must have type {' or '.join(map(str, legal))}")
    value = random_call(type_, seeds, world.randoms)
    world.randoms += 1
    return reinterpret(INT32, value) if called == "random_int" else value


def _through(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    """print, memoize_tag: the value itself; what they do besides concerns no result."""
    return to_expr(arguments[0])


def _print_when(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    return to_expr(arguments[1])


def _require(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    """A value, where something holds that is known before the pipeline runs."""
    world, condition = interpreter.world, to_expr(arguments[0])
    if condition.reads or not condition.variables <= world.scalars.keys():
        raise Illegal("'require' of what is only known in a loop is not supported")
    words = " ".join(v for v in map(deref, arguments[2:]) if isinstance(v, str))
    world.requirements.append((condition, words))
    return to_expr(arguments[1])


def _promise(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    return to_expr(arguments[0])


def _type_of_bits(code: str) -> Callable[[Part, Node, list[Any]], Type]:
    def function(interpreter: Part, node: Node, arguments: list[Any]) -> Type:
        return Type(code, integer(arguments[0], "bits"))

    return function


def _lambda(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    values = [deref(a) for a in arguments]
    if len(values) == 1:
        return func_of_expr(interpreter.world, values[0])
    from s2s.frontends.halide.evaluate.funcs import new_func

    made = new_func(interpreter.world, "lambda")
    assign(interpreter.world, FuncRef(made.func, values[:-1]), "", values[-1])
    return made


def _host(interpreter: Part, node: Node, arguments: list[Any]) -> Target:
    return interpreter.world.target


def _load_image(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    return Loaded(text_of(arguments[0]))


def _nothing(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    return VOID


def _unique_name(interpreter: Part, node: Node, arguments: list[Any]) -> str:
    return interpreter.world.program.unique(text_of(arguments[0]))


def _constant_like(value: int) -> Callable[[Part, Node, list[Any]], Expr]:
    return lambda interpreter, node, arguments: typing.const(deref(arguments[0]), value)


def _make_const(interpreter: Part, node: Node, arguments: list[Any]) -> Expr:
    return typing.const(deref(arguments[0]), number(deref(arguments[1])) or 0)


def _is_const(interpreter: Part, node: Node, arguments: list[Any]) -> bool:
    """With a second argument: the constant that it has to be."""
    value = to_expr(arguments[0])
    wanted = number(deref(arguments[1])) if len(arguments) > 1 else None
    return isinstance(value, Const) and wanted in (None, value.value)


def _is_number(value: int) -> Callable[[Part, Node, list[Any]], bool]:
    return lambda interpreter, node, arguments: _is_const(interpreter, node, [arguments[0], value])


def _as_const(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    """A constant's value; nothing of another expression or another kind of number."""
    value = to_expr(arguments[0])
    code = {"as_const_int": "int", "as_const_uint": "uint", "as_const_float": "float"}
    wanted = code[node.referenced.name if node.referenced is not None else node.name]
    if not isinstance(value, Const) or value.type.code != wanted:
        return NULL
    c_type = {"int": "long", "uint": "unsigned long", "float": "double"}[wanted]
    return Pointer(Cell(Number(value.value, c_type)))


_SPECIAL: dict[str, Callable[[Part, Node, list[Any]], Any]] = {
    "cast": _with_type(typing.cast),
    "saturating_cast": _with_type(saturating_cast),
    "reinterpret": _with_type(reinterpret),
    "extract_bits": _extract_bits,
    "concat_bits": _concat_bits,
    "select": _select,
    "tuple_select": _tuple_select,
    "mux": _mux,
    "undef": _undef,
    **dict.fromkeys(("random_float", "random_uint", "random_int"), _random),
    **dict.fromkeys(("print", "memoize_tag"), _through),
    "print_when": _print_when,
    "require": _require,
    **dict.fromkeys(("unsafe_promise_clamped", "promise_clamped"), _promise),
    "Int": _type_of_bits("int"),
    "UInt": _type_of_bits("uint"),
    "Float": _type_of_bits("float"),
    "BFloat": _type_of_bits("bfloat"),
    "Bool": lambda interpreter, node, arguments: Type("uint", 1),
    "Handle": lambda interpreter, node, arguments: Type("handle", 64),
    "type_of": lambda interpreter, node, arguments: template_type(node),
    "lambda": _lambda,
    **dict.fromkeys(
        ("get_host_target", "get_target_from_environment", "get_jit_target_from_environment"),
        _host,
    ),
    "host_supports_target_device": lambda interpreter, node, arguments: False,
    **dict.fromkeys(("load_image", "load_and_convert_image"), _load_image),
    **dict.fromkeys(("save_image", "convert_and_save_image", "load_plugin"), _nothing),
    "unique_name": _unique_name,
    "make_zero": _constant_like(0),
    "make_one": _constant_like(1),
    "make_const": _make_const,
    "is_const": _is_const,
    "is_const_zero": _is_number(0),
    "is_const_one": _is_number(1),
    **dict.fromkeys(("as_const_int", "as_const_uint", "as_const_float"), _as_const),
    "const_true": lambda interpreter, node, arguments: typing.const(BOOL, 1),
    "const_false": lambda interpreter, node, arguments: typing.const(BOOL, 0),
    "simplify": lambda interpreter, node, arguments: to_expr(arguments[0]),
}


def static(interpreter: Part, called: Node, node: Node, arguments: list[Any]) -> Any:
    """A static method, or a method of the generator without an object."""
    name, scope = called.name, called.scope
    if scope in ("GeneratorBase", "Generator") and name not in _SPECIAL:
        this = interpreter.frame.this
        if this is None:
            raise Illegal(f"'{name}' outside of a generator")
        return method(interpreter, this, name, arguments, node)
    if scope == "LoopLevel":
        at = interpreter.world.at
        return root(at) if name == "root" else inlined(at)
    if scope == "Var":
        if name == "implicit":
            return Var(f"_{integer(arguments[0], 'the number of an implicit variable')}")
        if name == "outermost":
            return Var("__outermost")
    if scope == "numeric_limits":
        return algorithms.limit(name, ctype(node.type))
    if scope == "Buffer":
        return _static_buffer(interpreter, name, node, arguments)
    if name in _SPECIAL:
        return _SPECIAL[name](interpreter, node, arguments)
    raise Illegal(f"'{scope}::{name}' is not supported")


def _static_buffer(interpreter: Part, name: str, node: Node, arguments: list[Any]) -> Any:
    from s2s.frontends.halide.evaluate import construct

    if name in ("make_scalar", "make_interleaved"):
        extents = arguments if name == "make_interleaved" else []
        named = [*extents, interpreter.world.program.fresh("b")]
        return construct.make(interpreter, ctype(node.type), named, None)
    raise Illegal(f"'Buffer::{name}' is not supported")


def constant(name: str) -> Any:
    """A variable that the headers declare."""
    if name in ("cout", "cerr", "clog", "stdout", "stderr", "stdin"):
        return STREAM
    if name[:1] == "_" and (name == "_" or name[1:].isdigit()):
        return Var(name)
    if name == "npos":
        return Number((1 << 64) - 1, "unsigned long")
    if name in ("Int", "UInt", "Float", "BFloat", "Handle"):
        return Enumerator(f"halide_type_{name.lower()}", 0, "halide_type_code_t")
    raise Illegal(f"'{name}' has no value that is known here")
