"""What the headers declare: functions, methods, operators, conversions, by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.errors import Illegal
from s2s.frontends.halide.evaluate import algorithms, boundary, ports, reductions, stubs
from s2s.frontends.halide.evaluate.containers import (
    Items,
    Mapping,
    Tuples,
    items_method,
    mapping_method,
    string_method,
)
from s2s.frontends.halide.evaluate.funcs import (
    FuncObject,
    StageObject,
    as_func,
    assign,
    func_of_expr,
)
from s2s.frontends.halide.evaluate.language import (
    FuncElement,
    FuncRef,
    ImageObject,
    Tuple,
    Var,
)
from s2s.frontends.halide.evaluate.objects import Instance
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.pipelines import ENDS, PipelineObject, ask
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.types import CType, ctype
from s2s.frontends.halide.evaluate.values import (
    NULL,
    UNDEFINED,
    VOID,
    Cell,
    Enumerator,
    Number,
    Pointer,
    Ref,
    Void,
    deref,
    describe,
    number,
)
from s2s.frontends.halide.evaluate.world import Target, integer, operand, text_of, to_expr
from s2s.frontends.halide.functions import FUNCTIONS, mux, reinterpret, saturating_cast
from s2s.frontends.halide.polynomials import FAST
from s2s.frontends.halide.schedule import inlined, root
from s2s.scop.expressions import INT32, Call, Const, Expr, Type

STREAM = Void("a stream")

_BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "<": "lt", "<=": "le", ">": "gt",
    ">=": "ge", "==": "eq", "!=": "ne", "&&": "and", "||": "or", "&": "band", "|": "bor",
    "^": "bxor", "<<": "shl", ">>": "shr",
}  # fmt: skip
_ASSIGN = {"=": "", "+=": "add", "-=": "sub", "*=": "mul", "/=": "div"}
_CASTS = {
    f"{letter}{bits}": Type(code, bits)
    for letter, code in (("i", "int"), ("u", "uint"), ("f", "float"))
    for bits in (8, 16, 32, 64)
    if not (letter == "f" and bits == 8)
} | {"bf16": Type("bfloat", 16)}


# Operators.


def operator(interpreter: Part, name: str, arguments: list[Any], node: Node) -> Any:
    """An overloaded operator that the headers declare."""
    op = name.removeprefix("operator")
    target = arguments[0]
    value = deref(target)
    if value is STREAM or _is_stream(node):
        return STREAM
    if op == "()":
        return called(interpreter, value, arguments[1:])
    if op == "[]":
        return _indexed(interpreter, target, value, arguments[1])
    if op in _ASSIGN:
        return _assignment(interpreter, op, target, value, arguments[1])
    if op in ("*", "->", "++", "--") and isinstance(value, Pointer):
        return _iterator(op, target, value, len(arguments))
    if len(arguments) == 1:
        return _unary(op, value)
    return _binary(interpreter, op, value, deref(arguments[1]))


def _is_stream(node: Node) -> bool:
    return ctype(node.type).name in ("std::ostream", "std::basic_ostream")


def called(interpreter: Part, value: Any, arguments: list[Any]) -> Any:
    """``object(...)`` for an object of the language."""
    method = getattr(value, "m_call", None)
    if method is not None:
        return method(*arguments)
    if value is NULL:
        raise Illegal("a call of something that is undefined")
    return interpreter.apply(value, arguments, None)


def _indexed(interpreter: Part, target: Any, value: Any, index: Any) -> Any:
    if isinstance(value, Items):
        return items_method(value, "operator[]", [index])
    if isinstance(value, Mapping):
        return mapping_method(value, "operator[]", [index])
    if isinstance(value, str):
        return string_method(target, "operator[]", [index])
    method = getattr(value, "m_index", None)
    if method is None:
        raise Illegal(f"[] of {describe(value)}")
    return method(index)


def _assignment(interpreter: Part, op: str, target: Any, value: Any, new: Any) -> Any:
    if isinstance(value, FuncRef | FuncElement):
        return assign(interpreter.world, value, _ASSIGN[op], new)
    if isinstance(value, Tuples) and not isinstance(target, Ref):
        target = Cell(value)  # what std::tie gives
    if not isinstance(target, Ref):
        raise Illegal(f"assignment to {describe(value)}")
    if isinstance(value, str):
        return string_method(target, f"operator{op}", [new])
    if op == "=":
        return _replaced(interpreter, target, value, deref(new))
    if value is UNDEFINED:
        raise Illegal(f"operator{op} of undefined Expr")
    target.set(typing.binary(_ASSIGN[op], to_expr(value), to_expr(new)))
    return target


def _replaced(interpreter: Part, target: Ref, value: Any, new: Any) -> Any:
    from s2s.frontends.halide.evaluate.containers import copied

    if isinstance(value, Tuples) and isinstance(new, Tuples):
        for place, item in zip(value.values, new.values, strict=False):
            if isinstance(place, Ref):
                place.set(copied(deref(item)))
        if not any(isinstance(v, Ref) for v in value.values):
            target.set(copied(new))
        return target
    if isinstance(value, FuncObject):
        found = as_func(interpreter.world, new)
        interpreter.world.renamed[value.func.name] = found
        target.set(found)
        return target
    if isinstance(value, Items) and isinstance(new, Items) and new.element is None:
        element = value.element
        if element is not None:
            converted = [deref(interpreter.converted(v, element)) for v in new.items]
            new = Items(converted, element, value.make)
    target.set(copied(new))
    return target


def _iterator(op: str, target: Any, value: Pointer, count: int) -> Any:
    if op in ("*", "->"):
        return value.ref()
    moved = value.moved(1 if op == "++" else -1)
    if isinstance(target, Ref):
        target.set(moved)
    return value if count > 1 else target


def _unary(op: str, value: Any) -> Any:
    if op == "!" and getattr(value, "scalar_value", None) is not None:
        from s2s.frontends.halide.evaluate.values import truth

        return not truth(value.scalar_value)
    if op == "*" and value is NULL:
        raise Illegal("'*' of nothing")
    expr = to_expr(value)
    if op == "-":
        return typing.negate(expr)
    if op == "!":
        return typing.logical_not(expr)
    if op == "~":
        return typing.bitwise_not(expr)
    raise Illegal(f"operator{op} of {describe(value)} is not supported")


def _binary(interpreter: Part, op: str, left: Any, right: Any) -> Any:
    left, right = _unwrapped(left), _unwrapped(right)
    if isinstance(left, str) or isinstance(right, str):
        return _strings(op, left, right)
    plain = (number(left) is not None or isinstance(left, Pointer)) and (
        number(right) is not None or isinstance(right, Pointer)
    )
    if plain or left is NULL or right is NULL:
        return interpreter.operated(op, left, right)
    if isinstance(left, Type) or isinstance(right, Type):
        return (left == right) == (op == "==")
    if op in ("==", "!=", "<") and not _is_expr(left) and not _is_expr(right):
        return algorithms.compared(op, left, right)
    kind = _BINARY.get(op)
    if kind is None:
        raise Illegal(f"operator{op} of {describe(left)} is not supported")
    return typing.binary(kind, operand(left), operand(right))


def symbolic(op: str, left: Any, right: Any) -> Expr:
    """An operator of C++ on what is an int there, but known only when the pipeline runs."""
    kind = _BINARY.get(op)
    if kind is None:
        raise Illegal(f"operator{op} on a value that is known only when the pipeline runs")
    return typing.binary(kind, operand(left), operand(right))


def _unwrapped(value: Any) -> Any:
    """The value of a generator parameter."""
    found = getattr(value, "scalar_value", None)
    return value if found is None else found


def _is_expr(value: Any) -> bool:
    return isinstance(value, Expr) or hasattr(value, "expr") or number(value) is not None


def _strings(op: str, left: Any, right: Any) -> Any:
    a, b = (v if isinstance(v, str) else chr(int(number(v) or 0) & 0x7F) for v in (left, right))
    if op == "+":
        if len(a) + len(b) > 1 << 20:
            raise Illegal("a string grows too long")
        return a + b
    compare = {"==": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}
    if op not in compare:
        raise Illegal(f"operator{op} of strings")
    return compare[op]


# Conversions.


def conversion(interpreter: Part, value: Any, type_: CType) -> Any:
    """``operator T`` of an object of the library's."""
    found = _unwrapped(value)
    if found is not value:
        return interpreter.converted(found, type_)
    if type_.name == "bool":
        return value is not NULL
    if type_.name in ("Halide::Stage",) and isinstance(value, FuncObject):
        return value.stage(0)
    if isinstance(value, Loaded):
        return _loaded(interpreter, value, type_)
    if type_.name == "Halide::Buffer":
        return value
    if type_.name.endswith("ImageParam") and isinstance(value, FuncObject):
        return value.m_output_buffer()
    return interpreter.converted(value, type_)


# Methods.


def method(interpreter: Part, target: Any, name: str, arguments: list[Any], node: Node) -> Any:
    """A method that the headers declare, on an object (or the place of one)."""
    value = deref(target)
    if isinstance(value, Items):
        return _container_method(interpreter, value, name, arguments)
    if isinstance(value, Mapping):
        return _known(mapping_method, value, name, arguments, "std::map")
    if isinstance(value, str):
        return _known(string_method, target, name, arguments, "std::string")
    if value is STREAM:
        return STREAM
    if isinstance(value, FuncObject | PipelineObject) and name in ENDS:
        outputs = [value] if isinstance(value, FuncObject) else value.outputs
        ask(interpreter.world, outputs, name, arguments)
        return VOID
    if isinstance(value, Instance):
        return _of_generator(interpreter, value, name, arguments, node)
    if isinstance(value, FuncObject | StageObject | PipelineObject):
        return value.call(name, arguments)
    if isinstance(value, Type):
        return _type_method(value, name, arguments)
    if isinstance(value, Target):
        return _target_method(value, name, arguments, node)
    if isinstance(value, Expr):
        return _expr_method(value, name, arguments)
    if isinstance(value, Pointer) or value is NULL:
        return _pointer_method(target, value, name, arguments)
    return _object_method(interpreter, target, value, name, arguments, node)


def _container_method(interpreter: Part, value: Items, name: str, arguments: list[Any]) -> Any:
    element = value.element
    if name == "emplace_back":
        from s2s.frontends.halide.evaluate import construct

        if element is None:
            made = deref(arguments[0])
        elif len(arguments) == 1:
            made = interpreter.converted(arguments[0], element)
        elif interpreter.find_class(element) is not None:
            class_ = interpreter.find_class(element)
            assert class_ is not None
            made = interpreter.emplaced(class_, arguments)
        else:
            made = construct.make(interpreter, element, arguments, None)
        name, arguments = "push_back", [made]
    elif name in _TAKING and element is not None:
        place = 0 if name.startswith(("push", "fill")) else 1
        arguments = [
            interpreter.converted(a, element)
            if i >= place and not isinstance(deref(a), Pointer)
            else a
            for i, a in enumerate(arguments)
        ]
    if name in ("set_type", "set_dimensions"):
        for item in value.items:
            getattr(deref(item), f"m_{name}")(*arguments)
        return VOID
    return _known(items_method, value, name, arguments, "std::vector")


_TAKING = frozenset({"push_back", "push", "push_front", "resize", "fill", "insert", "assign"})


def _known(
    method: Callable[..., Any], value: Any, name: str, arguments: list[Any], words: str
) -> Any:
    try:
        return method(value, name, arguments)
    except KeyError:
        raise Illegal(f"'{words}::{name}' is not supported") from None


def _object_method(
    interpreter: Part, target: Any, value: Any, name: str, arguments: list[Any], node: Node
) -> Any:
    found = getattr(value, "m_" + name, None)
    if found is not None:
        return found(*arguments)
    inner = _unwrapped(value)
    if inner is not value:
        if name == "min" or name == "max":
            return _type_method(inner, name, arguments)
        return method(interpreter, inner, name, arguments, node)
    if getattr(value, "image_of", None) is not None or hasattr(value, "as_func"):
        return as_func(interpreter.world, value).call(name, arguments)
    if name == "set":
        if not isinstance(target, Ref):
            raise Illegal("'set' of a value")
        target.set(deref(arguments[0]))
        return VOID
    if name == "str":
        return ""
    raise Illegal(f"'{name}' of {describe(value)} is not supported")


def _of_generator(
    interpreter: Part, value: Instance, name: str, arguments: list[Any], node: Node
) -> Any:
    native = value.native
    if native is None:
        raise Illegal(f"'{name}' of {describe(value)} is not supported")
    if name in ("create", "apply"):
        return stubs.call(interpreter, name, value, arguments, node)
    if name in ("natural_vector_size", "add_input", "add_output"):
        return _generator_template(interpreter, native, name, arguments, node)
    found = getattr(native, "m_" + name, None)
    if found is None:
        raise Illegal(f"'Generator::{name}' is not supported")
    return found(*arguments)


def _generator_template(
    interpreter: Part, native: Any, name: str, arguments: list[Any], node: Node
) -> Any:
    if name == "natural_vector_size":
        of = _unwrapped(deref(arguments[0])) if arguments else template_type(node)
        return native.m_natural_vector_size(of)
    port = CType("", (template_argument(node),))
    make = ports.make_input if name == "add_input" else ports.make_output
    from s2s.frontends.halide.evaluate.values import Cell

    return Pointer(Cell(make(interpreter, port, arguments, None)))


def _pointer_method(target: Any, value: Any, name: str, arguments: list[Any]) -> Any:
    if name == "defined":
        return False
    if name in ("get", "value"):
        return value
    if name == "has_value":
        return value is not NULL
    if name == "reset":
        target.set(deref(arguments[0]) if arguments else NULL)
        return VOID
    raise Illegal(f"'{name}' of {describe(value)} is not supported")


def _type_method(value: Type, name: str, arguments: list[Any]) -> Any:
    simple: dict[str, Callable[[], Any]] = {
        "bits": lambda: value.bits,
        "bytes": lambda: (value.bits + 7) // 8,
        "lanes": lambda: 1,
        "is_bool": lambda: value == Type("uint", 1),
        "is_float": lambda: value.is_float,
        "is_bfloat": lambda: value.code == "bfloat",
        "is_int": lambda: value.code == "int",
        "is_uint": lambda: value.code == "uint",
        "is_int_or_uint": lambda: value.is_integer,
        "is_handle": lambda: value.code == "handle",
        "is_scalar": lambda: True,
        "is_vector": lambda: False,
        "element_of": lambda: value,
        "widen": lambda: Type(value.code, value.bits * 2),
        "narrow": lambda: Type(value.code, value.bits // 2),
        "max": lambda: reductions.extreme_value(value, least=False),
        "min": lambda: reductions.extreme_value(value, least=True),
        "code": lambda: Enumerator(f"halide_type_{value.code}", 0, "halide_type_code_t"),
    }
    if name in simple:
        return simple[name]()
    if name == "with_bits":
        return Type(value.code, integer(arguments[0], "bits"))
    if name == "with_code":
        return Type(deref(arguments[0]).name.rsplit("_", 1)[-1].lower(), value.bits)
    if name == "with_lanes":
        return value
    if name == "can_represent":
        return _can_represent(value, deref(arguments[0]))
    if name == "is_max":
        return number(deref(arguments[0])) == value.largest
    if name == "is_min":
        return number(deref(arguments[0])) == value.smallest
    raise Illegal(f"'Type::{name}' is not supported")


def _can_represent(value: Type, other: Any) -> bool:
    if isinstance(other, Type):
        return typing.can_represent(value, other)
    plain = number(other) or 0
    return typing.const(value, plain).value == plain


def _target_method(value: Target, name: str, arguments: list[Any], node: Node) -> Any:
    values = [deref(a) for a in arguments]
    if name == "has_feature":
        return values[0].name in value.features
    if name in ("features_any_of", "features_all_of"):
        found = [deref(f).name in value.features for f in values[0].items]
        return any(found) if name == "features_any_of" else all(found)
    if name in ("has_gpu_feature", "supports_device_api"):
        return False
    if name in ("with_feature", "without_feature", "set_feature"):
        made = value if name == "set_feature" else value.copied()
        change = made.features.discard if name == "without_feature" else made.features.add
        change(values[0].name)
        return made
    if name == "natural_vector_size":
        of = values[0] if values else ports.halide_type(template_argument(node))
        return max(1, value.vector_bytes * 8 // max(of.bits if of else 8, 8))
    if name == "to_string":
        return value.text
    if name == "supports_type":
        return True
    raise Illegal(f"'Target::{name}' is not supported")


def _expr_method(value: Expr, name: str, arguments: list[Any]) -> Any:
    if name == "type":
        return value.type
    if name == "defined":
        return True
    if name == "same_as":
        return deref(arguments[0]) is value
    if name in ("min", "max", "extent", "set_min_value"):
        return value
    raise Illegal(f"'Expr::{name}' is not supported")


# Functions.


def template_argument(node: Node, index: int = 0) -> CType:
    """The explicit (or deduced) template argument of the function that is called."""
    called = node.referenced or node
    cursor = called.cursor
    shown = _shown_type(called.type)
    if shown is not None:
        return shown
    if cursor.get_num_template_arguments() > index:
        return ctype(cursor.get_template_argument_type(index).get_canonical().spelling)
    callee = node.parts[0] if node.parts else node
    found = _first_type(callee)
    if found is None:
        raise Illegal(f"the type that '{called.name}' is for is not known")
    return found


def _shown_type(spelling: str) -> CType | None:
    """The argument that a function's type shows as ``S2SType<T>``."""
    start = spelling.find("S2SType<")
    if start < 0:
        return None
    text = spelling[start + len("S2SType<") :]
    depth = 1
    for place, letter in enumerate(text):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if depth == 0:
            return ctype(text[:place])
    return None


def _first_type(node: Node) -> CType | None:
    for child in node.children:
        if child.kind == "TYPE_REF":
            return ctype(child.cursor.type.get_canonical().spelling)
        found = _first_type(child)
        if found is not None:
            return found
    return None


def template_type(node: Node) -> Type:
    found = ports.halide_type(template_argument(node))
    if found is None:
        raise Illegal("the type is none of Halide's")
    return found


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
            return make(_unwrapped(deref(arguments[0])), to_expr(arguments[1]))
        return make(template_type(node), to_expr(arguments[0]))

    return function


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
    if any(s.type != INT32 for s in seeds):
        raise Illegal("the seed of a random number must have type int32")
    made = (*seeds, Const(INT32, world.randoms))
    world.randoms += 1
    called = (node.referenced or node).name
    type_ = Type("float", 32) if called == "random_float" else Type("uint", 32)
    value = Call(type_, "random", made)
    return reinterpret(INT32, value) if called == "random_int" else value


def _through(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    """print, memoize_tag: the value itself; what they do besides concerns no result."""
    return to_expr(arguments[0])


def _print_when(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
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


class Loaded:
    """An image that is read from a file: its type and rank are where it goes."""

    words = "an image from a file"

    def __init__(self, path: str) -> None:
        self.path = path


def _loaded(interpreter: Part, value: Loaded, type_: CType) -> Any:
    """An image of a file: one that the caller passes."""
    of = ports.element_type(type_)
    if of is None:
        raise Illegal("an image whose type is not known")
    stem = re.sub(r"\W", "_", value.path.rsplit("/", 1)[-1].split(".")[0]) or "image"
    name = interpreter.hint or stem
    return ImageObject(interpreter.world, interpreter.world.image(name, of, ports.rank_of(type_)))


def _nothing(interpreter: Part, node: Node, arguments: list[Any]) -> Any:
    return VOID


def _unique_name(interpreter: Part, node: Node, arguments: list[Any]) -> str:
    return interpreter.world.program.unique(text_of(arguments[0]))


def _constant_like(value: int) -> Callable[[Part, Node, list[Any]], Expr]:
    return lambda interpreter, node, arguments: typing.const(deref(arguments[0]), value)


def _make_const(interpreter: Part, node: Node, arguments: list[Any]) -> Expr:
    return typing.const(deref(arguments[0]), number(deref(arguments[1])) or 0)


def _is_const(interpreter: Part, node: Node, arguments: list[Any]) -> bool:
    return isinstance(to_expr(arguments[0]), Const)


_SPECIAL: dict[str, Callable[[Part, Node, list[Any]], Any]] = {
    "cast": _with_type(typing.cast),
    "saturating_cast": _with_type(saturating_cast),
    "reinterpret": _with_type(reinterpret),
    "select": _select,
    "tuple_select": _tuple_select,
    "mux": _mux,
    "undef": _undef,
    **dict.fromkeys(("random_float", "random_uint", "random_int"), _random),
    **dict.fromkeys(("print", "memoize_tag"), _through),
    "print_when": _print_when,
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
