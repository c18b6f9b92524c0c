"""Files of random functions with parallel loops, without a program: any steps, rows, reductions."""

from random import Random

TYPES = ("long", "double", "int", "float", "unsigned")
HEADERS = (
    "i = 0; i < n; i++", "i = 1; i < n; i++", "i = 0; i < n; i += 2", "i = n - 1; i >= 0; i--",
    "i = 0; i < n - 1; ++i", "i = 0; i < n / 2; i += 3", "i = 0; i <= n; i++",
)  # fmt: skip
REDUCED = {"+": "s += i * 3;", "max": "if (s < i * 3 % 17) s = i * 3 % 17;", "|": "s |= i & 9;",
           "^": "s ^= i * 5;"}  # fmt: skip


def functions(choose: Random) -> str:
    type_ = choose.choice(TYPES)
    first = f"static {type_} knob;\nlong limit = 3;\n"
    return first + "".join(function(choose, f"f{k}", type_) for k in range(choose.randint(1, 2)))


def function(choose: Random, name: str, type_: str) -> str:
    arrays = [(f"a{k}", choose.choice((type_, "long", "double"))) for k in range(2)]
    given = ["long n", *(f"{t} *{a}" for a, t in arrays), "const long *row", "const int *column"]
    reduced = choose.choice((None, *REDUCED))
    loops = "".join(loop(choose, arrays, reduced) for _ in range(choose.randint(1, 3)))
    return f"long {name}({', '.join(given)})\n{{\n    long s = 2;\n{loops}    return s;\n}}\n"


def loop(choose: Random, arrays: list[tuple[str, str]], reduced: str | None) -> str:
    target, type_ = choose.choice(arrays)
    clauses = f" reduction({reduced} : s)" if reduced else ""
    clauses += choose.choice(("", "", " schedule(dynamic)", " schedule(static, 3)"))
    step = f"        {REDUCED[reduced]}\n" if reduced else ""
    lines = choose.choice((plain, over_a_row, atomic))(choose, target, type_)
    head = f"for ({choose.choice(('long', 'int'))} {choose.choice(HEADERS)})"
    return f"#pragma omp parallel for{clauses}\n    {head} {{\n{step}{lines}    }}\n"


def value(choose: Random, target: str) -> str:
    some = ("i", str(choose.randint(1, 9)), f"{target}[i]", "(i & 5)", "limit", "knob")
    return choose.choice(some)


def plain(choose: Random, target: str, type_: str) -> str:
    one, other = value(choose, target), value(choose, target)
    text = f"        if (i % {choose.randint(2, 5)}) {target}[i] = {one} + {other};\n"
    own = f"        else {{ {type_} u[2] = {{ {one}, 1 }}; {target}[i] += u[i & 1]; }}\n"
    return text + choose.choice(("", "        else continue;\n", own))


def over_a_row(choose: Random, target: str, type_: str) -> str:
    added = f"({type_})({value(choose, target)} + column[k])"
    rows = f"for (long k = row[i]; k < row[i + 1]; k++) t += {added};"
    return f"        {type_} t = i;\n        {rows}\n        {target}[i] = t;\n"


def atomic(choose: Random, target: str, type_: str) -> str:
    if type_ not in ("long", "double"):
        return plain(choose, target, type_)
    return f"#pragma omp atomic\n        {target}[i / 3] += {choose.choice(('i', '1', '2 * i'))};\n"
