"""Vector intrinsics: code that uses them stays as it is, and the rest of the file does not."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Outcome
from s2s.driver.transform import transform_file
from s2s.frontends.c.parse import parse
from s2s.source import SourceBuffer
from s2s.source.compiler_answers import machine_flags, parser_flags

_PROGRAMS = Path(__file__).parent / "intrinsics"

HERE = Path(__file__).parent / "intrinsics"
PRODUCT = (_PROGRAMS / "product.c").read_text()
CASES = [
    ("sse.c", "-march=native"),
    ("sse.c", "-msse4.2"),
    ("avx.c", "-march=native"),
    ("avx.c", "-mavx"),
    ("avx512.c", "-march=native"),
    ("neon.c", "-march=armv8-a"),
    ("neon.c", "-O3"),
    ("sve.c", "-march=armv8-a+sve"),
]


def transformed(place: Path, text: str, *flags: str) -> Outcome:
    source = place / "source.c"
    source.write_text(text)
    return transform_file(str(source), ("-O3", *flags))


def compiles(text: bytes, *flags: str) -> bool:
    command = ["gcc", "-x", "c", "-fsyntax-only", "-w", *flags, "-"]
    return subprocess.run(command, input=text, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(("name", "flag"), CASES)
def test_kernels_stay_and_the_product_does_not(name: str, flag: str, tmp_path: Path) -> None:
    kernels = (HERE / name).read_text()
    outcome = transformed(tmp_path, kernels + PRODUCT, flag)
    remarks = [d.text for d in outcome.diagnostics if d.severity.value == "remark"]
    taken = ("unrolled and jammed", "held along")
    assert any(way in text for text in remarks for way in taken), outcome.diagnostics
    assert not any(d.id in ("parse", "internal") for d in outcome.diagnostics)
    text = outcome.text.decode()
    for kernel in re.findall(r"^[^\n#/]*\)\n\{\n.*?^\}\n", kernels, re.M | re.S):
        plain = not re.search(r"\b(?:_mm|__|v\w+_[sufp]\d+|sv)", kernel)
        assert plain or kernel in text, kernel
    if "arm" not in kernels:
        assert compiles(outcome.text, flag)


def test_a_function_with_intrinsics_and_a_plain_nest(tmp_path: Path) -> None:
    text = PRODUCT.replace("{\n    for", "{\n    _mm_storeu_pd(a[0], _mm_set1_pd(1));\n    for", 1)
    outcome = transformed(tmp_path, "#include <emmintrin.h>\n" + text)
    assert b"jammed" in outcome.text
    assert b"_mm_storeu_pd(a[0], _mm_set1_pd(1));" in outcome.text
    assert compiles(outcome.text)


@pytest.mark.parametrize("call", ["_mm_storeu_pd(&c[i], _mm_set1_pd(1));", "_mm_mfence();"])
def test_intrinsics_may_write_memory(call: str, tmp_path: Path) -> None:
    text = PRODUCT.replace("c[i] +=", call + " c[i] +=").replace("k++)", "k++) {")
    outcome = transformed(tmp_path, "#include <emmintrin.h>\n" + text.replace("];\n", "]; }\n"))
    assert not outcome.changed


def test_definitions_of_later_intrinsics_are_the_programs(tmp_path: Path) -> None:
    own = "static inline __m128i _mm_abs_epi32(__m128i x) { return x; }\n"
    use = "__m128i f(__m128i x) { return _mm_abs_epi32(x); }\n"
    outcome = transformed(tmp_path, "#include <emmintrin.h>\n" + own + use + PRODUCT)
    assert b"jammed" in outcome.text
    assert outcome.text.decode().startswith("#include <emmintrin.h>\n" + own + use)


HIDDEN = {
    "builtin of gcc alone": """
        __v4si v = __builtin_ia32_pmulld128(*(__v4si *)table, *(__v4si *)table);
        table[1] = (double)v[0] + (double)v[1] + (double)v[2];""",
    "nested function": """
        double twice(double x) { return table[2] + x * 2 + 1; }
        table[1] = twice(table[2]) + twice(table[1]);""",
}


@pytest.mark.parametrize("body", HIDDEN.values(), ids=HIDDEN)
def test_one_function_that_only_the_compiler_reads(body: str, tmp_path: Path) -> None:
    function = "static double table[8];\nstatic void odd(void)\n{" + body + "\n}\n"
    user = "void user(double *a) { for (int i = 0; i < 9; i++) { odd(); a[i] = table[1]; } }\n"
    text = "#include <immintrin.h>\n" + function + user
    outcome = transformed(tmp_path, text + PRODUCT)
    assert outcome.text.decode().startswith(text)
    assert b"jammed" in outcome.text
    assert [d.id for d in outcome.diagnostics if "function left as it is" in d.text] == ["parse"]
    assert compiles(outcome.text)


def test_lines_behind_a_hidden_function_keep_their_numbers(tmp_path: Path) -> None:
    text = "static int seen[4];\nint odd(void)\n{\n    int f(int x) { return x + seen[1]; }\n"
    outcome = transformed(tmp_path, text + "    return f(seen[2]) + f(seen[3]);\n}\n" + PRODUCT)
    taken = [d for d in outcome.diagnostics if d.severity.value == "remark"]
    assert [d.location.line for d in taken if d.location] == [9]


GCC_SPELLS = re.compile(
    r"extern __inline ((?:unsigned |const )*\w+)\s*(?:__attribute__ ?\(\([^;{}]*?\)\)\s*)?"
    r"(_mm\w*|_\w+) \([^(){};]*\) \{"
)


def test_every_intrinsic_of_the_compiler_is_declared() -> None:
    """Names and types of the compiler's own header, against ours."""
    flags = ["-O2", "-march=sapphirerapids"]
    command = ["gcc", "-E", "-P", "-x", "c", *flags, "-"]
    source = b"#include <x86intrin.h>\n"
    done = subprocess.run(command, input=source, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("a compiler for other machines, or an old one")
    found = GCC_SPELLS.findall(re.sub(r"\s+", " ", done.stdout.decode()))
    assert len(found) > 4000
    lines = [
        f'_Static_assert(__builtin_types_compatible_p(__typeof__({name}()), {type_}), "{name}");'
        for type_, name in found
        if name not in EXACT
    ]
    text = "#include <x86intrin.h>\n" + "\n".join(lines)
    buffer = SourceBuffer("all.c", text.encode())
    unit = parse(buffer, (), parser_flags(()), on_disk=False)
    assert [error.text for error in unit.errors] == []


# The parser wants the arguments of those that it has itself.
EXACT = {"_mm_getcsr", "_mm_setcsr"}


def test_macros_of_the_machine_are_the_compilers() -> None:
    flags = ("-march=haswell", "-mno-avx2")
    asked = "\n".join(f"#ifdef {m}\nint {m}_;\n#endif" for m in ("__AVX2__", "__AVX__", "__BMI2__"))
    unit = parse(SourceBuffer("m.c", asked.encode()), flags, machine_flags(flags), on_disk=False)
    assert set(unit.names) == {"__AVX___", "__BMI2___"}
    assert machine_flags(("-O3",)) == ()
    assert machine_flags(("-O3", "-m32")) == ("-m32",)


def test_a_machine_that_the_parser_has_never_heard_of() -> None:
    flags = ("-march=s2s_9000",)
    unit = parse(SourceBuffer("m.c", b"int x;"), flags, machine_flags(flags), on_disk=False)
    assert set(unit.names) == {"x"}
