"""C++ around the language: each program must build ``out(x, y) = 42`` (or what it says)."""

# ruff: noqa: E501
from __future__ import annotations

from pathlib import Path

import pytest

from s2s.frontends.halide.evaluate import evaluate
from s2s.frontends.halide.evaluate.interpret import STEPS
from s2s.scop.expressions import Binary, Const, Expr, Load
from s2s.scop.pipeline import Pipeline
from s2s.source.diagnostics import UserError

_PROGRAMS = Path(__file__).parent / "metaprograms"

_HEAD = """\
#include "Halide.h"
#include <algorithm>
#include <map>
#include <string>
#include <vector>
using namespace Halide;
"""


def program(main: str, before: str = "", steps: int = STEPS) -> Pipeline:
    """The pipeline of a program whose ``main`` defines ``out``."""
    text = f'{_HEAD}{before}\nint main() {{ Var x("x"), y("y"); Func out("out");\n{main}\n'
    whole = f"{text}out.realize({{4, 4}}); return 0; }}\n"
    return evaluate("test.cpp", whole.encode(), steps=steps)


def value(expr: Expr) -> int | float:
    """A constant expression's value (sums and products only)."""
    match expr:
        case Const(value=found):
            return found
        case Binary(op="add", left=left, right=right):
            return value(left) + value(right)
        case Binary(op="mul", left=left, right=right):
            return value(left) * value(right)
    raise AssertionError(expr)


def result(main: str, before: str = "") -> int | float:
    made = program(main, before)
    definition = made.funcs["out"].definition
    assert definition is not None
    return value(definition.values[0])


FORTY_TWO = {
    "for": "int n = 0; for (int i = 0; i < 7; i++) n += 2 * i; out(x, y) = n;",
    "arrays in two braces": (
        "std::array<int, 2> a{{20, 1}}; std::array<std::pair<int, int>, 2> b{{{10, 5}, {3, 3}}};"
        "out(x, y) = a[0] + a[1] + b[0].first + b[0].second + b[1].first + b[1].second;"
    ),
    "arrays with sizes of a pointer's member": (
        "struct S { std::vector<int> n = {2, 3}; }; S s; S *p = &s; Func f[p->n[1]];"
        "int a[p->n[0]][2]; a[1][1] = 39; out(x, y) = a[1][1] + 3;"
    ),
    "regions are filled in": (
        "Halide::Region b(2), c(2); b[1].min = 2; b[1].extent = 40; c = b; c[1].min = 7;"
        "out(x, y) = b[1].min + b[1].extent;"
    ),
    "for without parts": "int n = 0; for (;;) { if (++n == 42) break; } out(x, y) = n;",
    "while": "int n = 0; while (n < 42) n++; out(x, y) = n;",
    "do": "int n = 0; do { n += 6; } while (n < 40); out(x, y) = n;",
    "continue": "int n = 0; for (int i = 0; i < 10; i++) { if (i % 3) continue; n += i; }"
    "out(x, y) = n + 24;",
    "range": "int n = 0; for (int v : {20, 22}) n += v; out(x, y) = n;",
    "range of references": "std::vector<int> v = {1, 2}; for (auto &e : v) e *= 14;"
    "out(x, y) = v[0] + v[1];",
    "switch": "int n = 2, r = 0; switch (n) { case 1: r = 1; break; case 2: r += 40;"
    " case 3: r += 2; break; default: r = 9; } out(x, y) = r;",
    "if with initializer": "if (int n = 42; n > 3) out(x, y) = n; else out(x, y) = 0;",
    "ternary": "bool b = true; out(x, y) = b ? 42 : 0;",
    "lambda": "int k = 40; auto add = [&](int n) { return n + k; }; out(x, y) = add(2);",
    "lambda by copy": "int k = 40; auto add = [=](int n) { return n + k; }; k = 0;"
    "out(x, y) = add(2);",
    "generic lambda": "auto twice = [](auto v) { return v + v; }; out(x, y) = twice(21);",
    "std::function": "std::function<int(int)> f = [](int n) { return n * 2; }; out(x, y) = f(21);",
    "array": "int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; out(x, y) = a[0][1] * 20 + a[1][0] / 2;",
    "array of constant size": "const int n = 3; Expr a[n]; for (int i = 0; i < n; i++) a[i] = i;"
    "out(x, y) = a[1] + a[2] + 39;",
    "map": 'std::map<std::string, int> m{{"a", 40}}; m["b"] = 2; int n = 0;'
    "for (auto &[k, v] : m) n += v; out(x, y) = n;",
    "pair": "auto [a, b] = std::make_pair(40, 2); out(x, y) = a + b;",
    "tuple": "int a, b; std::tie(a, b) = std::make_tuple(40, 2); out(x, y) = a + b;",
    "string": 'std::string s = "f"; s += std::to_string(42); out(x, y) = std::stoi(s.substr(1));',
    "algorithm": "std::vector<int> v = {3, 1, 2}; std::sort(v.begin(), v.end());"
    "out(x, y) = v[0] * 36 + v[1] * v[2];",
    "find": "std::vector<int> v = {3, 1, 42}; auto i = std::find(v.begin(), v.end(), 42);"
    "out(x, y) = *i;",
    "pointer": "int n = 0; int *p = &n; *p = 42; out(x, y) = n;",
    "unsigned wraps": "uint8_t n = 250; n += 48; out(x, y) = Expr(0) + (int)n;",
    "integer division": "int n = -7 / 2; out(x, y) = n + 45;",
    "shift and bits": "out(x, y) = (1 << 5) + (0xff & 10);",
    "float": "float f = 0.1f; out(x, y) = (int)(f * 420.0f);",
    "double": "out(x, y) = (int)std::floor(std::sqrt(1764.5));",
    "static": "auto next = [] { static int n = 40; return ++n; }; next(); out(x, y) = next();",
    "sizeof": "out(x, y) = (int)(sizeof(int) * 10 + sizeof(uint16_t));",
    "expression": "Expr e; e = 40; e += 2; out(x, y) = e;",
    "comma": "int a, b; for (a = 0, b = 0; a < 6; a++, b += 7) {} out(x, y) = b;",
    "elements of a Buffer by their places": (
        "Buffer<int> a(4, 3); a.for_each_element([&](int x, int y) { a(x, y) = x + 10 * y; });"
        "Buffer<int> b(4, 3); b.for_each_element([&](const int *p) { b(p[0], p[1]) = p[1]; });"
        "a.for_each_value([](int &v) { v *= 2; }); out(x, y) = a(0, 2) + b(1, 2);"
    ),
    "parts of a Buffer are the Buffer": (
        "Buffer<int> a(6, 5); a.fill(1); Buffer<int> c = a.cropped(0, 2, 3).sliced(1, 4);"
        "c(3) = 20; Buffer<int> t = a.transposed(0, 1), u = a.copy(); t(4, 3) += 1; u(3, 4) = 0;"
        "a.translate(0, 100); c(2) = 21; out(x, y) = a(103, 4) + a(102, 4);"
    ),
    "constants looked at": (
        "using namespace Halide::Internal; Expr e = make_zero(Int(32)); int n = 0;"
        "if (is_const_zero(e) && !is_const_one(e)) n += 2; if (!as_const_int(x)) n += 10;"
        "if (auto k = as_const_int(Expr(30))) n += (int)*k; out(x, y) = n;"
    ),
    "copy of a vector": "std::vector<int> v = {42}; auto w = v; w[0] = 1; out(x, y) = v[0];",
}


@pytest.mark.parametrize("name", FORTY_TWO)
def test_a_program_computes_42(name: str) -> None:
    assert result(FORTY_TWO[name]) == 42


DECLARED = {
    "function with a default": ("int f(int a, int b = 2) { return a + b; }", "out(x, y) = f(40);"),
    "recursion": ("int f(int n) { return n ? n + f(n - 1) : 0; }", "out(x, y) = f(8) + 6;"),
    "reference": ("void set(int &n) { n = 42; }", "int n = 0; set(n); out(x, y) = n;"),
    "template": ("template<typename T> T add(T a, T b) { return a + b; }", "out(x, y) = add(40, 2);"),
    "arguments of a template without an object": (
        "struct P { template<int N, int M> int add(int n) { return n + N * M; } int f() { return add<4, 5>(22); } };",
        "P p; out(x, y) = p.f();",
    ),
    "a constructor that calls another": (
        "struct P { int a, b; P(int a, int b) : a(a), b(b) {} P(int n) : P(n, 2 * n) { b += 2; } };",
        "P p(14); out(x, y) = p.b + p.a - 2;",
    ),
    "template of Expr": (
        "template<int N> Expr power(Expr e) { return N == 0 ? Expr(1) : e * power<N ? N - 1 : 0>(e); }",
        "out(x, y) = power<0>(x) * 42;",
    ),
    "pack": (
        "int sum() { return 0; } template<typename... A> int sum(int a, A... r)"
        "{ return a + sum(r...); }",
        "out(x, y) = sum(20, 20, 2);",
    ),
    "struct": ("struct P { int a = 40, b; int f() const { return a + b; } };",
               "P p; p.b = 2; P q = p; p.b = 9; out(x, y) = q.f();"),
    "aggregate": ("struct P { int a, b; };", "std::vector<P> v = {{40, 2}}; out(x, y) = v[0].a + v[0].b;"),
    "constructor": ("struct P { int a; P(int n) : a(n * 2) { a += 2; } };",
                    "P p(20); out(x, y) = p.a;"),
    "inheritance": ("struct A { int k = 40; virtual int f() { return 0; } };"
                    "struct B : A { int f() override { return k + 2; } };",
                    "B b; A *a = &b; out(x, y) = a->f();"),
    "operator": ("struct V { int a; V operator+(const V &o) const { return V{a + o.a}; } };",
                 "V v = V{40} + V{2}; out(x, y) = v.a;"),
    "global": ("const int sizes[] = {40, 2}; constexpr int n = 1;", "out(x, y) = sizes[0] + sizes[n];"),
    "enumeration": ("enum class M { A = 40, B };", "M m = M::A; out(x, y) = m == M::B ? 0 : (int)m + 2;"),
    "namespace": ("namespace k { static int f() { return 42; } }", "out(x, y) = k::f();"),
    "macro": ("#define N 42", "out(x, y) = N;"),
    "class template": ("template<int N> struct M { int v[N] = {}; int f() { return N; } };",
                       "M<40> m; m.v[1] = 2; out(x, y) = m.f() + m.v[1];"),
    "if constexpr": ("template<typename T> int f(T) { if constexpr (std::is_same<T, int>::value)"
                     " return 42; else return 0; }", "out(x, y) = f(1);"),
    "smart pointer": ("struct P { int a = 42; };",
                      "auto p = std::make_unique<P>(); out(x, y) = p->a;"),
}  # fmt: skip


@pytest.mark.parametrize("name", DECLARED)
def test_declarations(name: str) -> None:
    before, main = DECLARED[name]
    assert result(main, before) == 42


def test_funcs_in_containers_are_handles() -> None:
    made = program(
        "std::vector<Func> f(3); for (int i = 0; i < 3; i++) f[i](x, y) = i ? f[i - 1](x, y) + 1 : 0;"
        "out(x, y) = f[2](x, y);"
    )
    assert len(made.funcs) == 4
    definition = made.funcs["out"].definition
    assert definition is not None
    read = definition.values[0]
    assert isinstance(read, Load)
    assert read.tensor in made.funcs


def test_a_table_has_its_elements() -> None:
    made = program(
        'Buffer<uint8_t> table(3, "table"); for (int i = 0; i < 3; i++) table(i) = i * 100;'
        "out(x, y) = table(clamp(x, 0, 2));"
    )
    assert made.images["table"].data == (0, 100, 200)


REFUSED = {
    "int n = 0; while (true) n++;": "takes too many steps",
    "goto end; end: out(x, y) = 1;": "'goto' is not supported",
    'throw std::runtime_error("no");': "the program throws no",
    "assert(1 > 2);": "an assertion of the program fails",
    "int n = 1 / (x.name().size() - 1);": "division by zero",
    "std::vector<int> v(2); out(x, y) = v[2];": "index 2 is outside of a container of 2",
    "out(x, x) = 1;": "Var 'x' appears more than once",
    "Func f; out(x, y) = f(x);": "is called, but has no definition",
    "out(x, y) = x; Func f; f(x) = out(x);": "is called with 1 arguments, but was defined with 2",
    'out(x, y) = Var("z");': "undefined variable 'z'",
    "RDom r(0, 3); out(x, y) = r;": "reduction domain referenced in the pure definition",
    "out(x, y) = x; out(x, y) += cast<uint8_t>(x) + 1.5f;": "has type float32, but its pure",
    "out(x, y) = x; Func f; f(x) = out(x, x); out(x, 0) = 1;": "cannot be given a new update",
    "out(x, y) = cast<uint8_t>(x) + 256;": "changes its value to 0",
    "out(x, y) = select(x, 1, 2);": "must be a boolean",
    "out(x, y) = x; out.gpu_tile(x, y, Var(), Var(), 8, 8);": "the target is a CPU",
    "out(x, y) = x; out.update();": "update(0) of Func 'out', which has 0 update definitions",
}


@pytest.mark.parametrize("main", REFUSED)
def test_refusals_have_a_place(main: str) -> None:
    with pytest.raises(UserError) as caught:
        program(main, steps=50_000)
    found = caught.value.diagnostics[0]
    assert REFUSED[main] in found.text
    assert found.location is not None
    assert found.location.path == "test.cpp"
    assert found.location.line == 9


GENERATOR = (_PROGRAMS / "generator.cpp").read_text()


def generated(**parameters: str) -> Pipeline:
    text = (_HEAD + GENERATOR).encode()
    return evaluate("test.cpp", text, parameters={"input.type": "uint8", **parameters})


def test_a_generator() -> None:
    made = generated(kind="two", type="uint16")
    assert made.name == "the_generator"
    assert made.outputs == ["output"]
    assert str(made.funcs["output"].types[0]) == "uint16"
    assert len(made.funcs["output"].updates) == 1
    assert list(made.scalars) == ["offset"]
    assert made.scalars["offset"].default == 3


def test_inputs_may_be_added() -> None:
    assert list(generated(n="5").scalars) == ["offset", "extra"]


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("n", "10", "generator parameter 'n' is 10; legal is 0 to 9"),
        ("n", "many", "'many' is no value for the generator parameter 'n'"),
        ("kind", "three", "'three' is none of one, two"),
        ("m", "1", "'m' is no parameter of this program"),
        ("input.type", "int7x", "'int7x' is no type"),
    ],
)
def test_parameters_are_checked(name: str, value: str, text: str) -> None:
    with pytest.raises(UserError, match=text):
        generated(**{name: value})


_OPERATORS = (_PROGRAMS / "operators.cpp").read_text()


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("b && i", 1), ("b && c", 0), ("c || f", 1), ("c || c", 0), ("!b || !c", 1), ("f && d", 1),
        ("b && i > 2 || c", 1), ("l && false", 0), ("j || u", 1), ("m == Mode::B && b", 1),
        ("m != Mode::B || c", 0), ("i < j", 0), ("j < u", 0), ("u >= 3u", 1), ("l > i", 1),
        ("f < d", 1), ("d == 2.5", 1), ("f != 1.5f", 0), ("b == c", 0), ("!l", 0), ("!c", 1),
        ("j / u", 1431655764), ("u % j", 3), ("-5 / u", 1431655763), ("i / j", -2), ("i % j", 1),
        ("i * f", 10.5), ("l + 1u", 5000000001), ("t == UInt(16) && b", 1), ("t != UInt(16)", 0),
        ("(Type)t < UInt(32)", 1), ("Int(16) < (Type)t", 1), ("UInt(16) < Int(16)", 0),
        ("(b ? i : 2) && (i > j ? 3 : 0)", 1), ("min(i, 3) && max(j, 0)", 0),
    ],
)  # fmt: skip
def test_operators_of_generator_parameters(expression: str, value: float) -> None:
    made = evaluate("test.cpp", _OPERATORS.replace("EXPRESSION", expression).encode())
    definition = made.funcs["output"].definition
    assert definition is not None
    found = definition.values[0]
    assert isinstance(found, Const)
    assert found.value == value
