"""The headers of its own that a file includes, without a parser."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from s2s.frontends.c.own_headers import NotFoundError, OwnHeaders
from s2s.frontends.c.parse import parse
from s2s.source import SourceBuffer


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"):
        monkeypatch.delenv(name, raising=False)
    for path in ("a.h", "sub/b.h", "sub/c.h", "far/a.h", "far/d.h", "near/e.h"):
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text(f"#define IN_{Path(path).stem} {path!r}\n")
    return tmp_path


def _found(text: str, *flags: str) -> list[str]:
    headers = OwnHeaders("m.c", text.encode(), flags).find()
    return sorted(headers.texts)


@pytest.mark.parametrize(
    ("text", "flags", "expected"),
    [
        ('#include "a.h"\n', "", "a.h"),
        ("#include <a.h>\n", "", ""),
        ("#include <a.h>\n", "-Ifar", "far/a.h"),
        ('#include "a.h"\n', "-Ifar", "a.h"),
        (' # include "sub/b.h" // b\n%:include "d.h"\n', "-Isub -Ifar", "far/d.h sub/b.h"),
        ('#include "e.h"\n#include <e.h>\n', "-iquote near", "near/e.h"),
        ('#if 0\n#include "a.h"\n#endif\n#include "none.h"\n', "", "a.h"),
        ("#include <stdio.h>\n", "-I/usr/include", ""),
        ("#ifdef OTHER\n#include OTHER\n#endif\n", "", ""),
        ('#define SAY "# \\\n include"\n/*\n#include "a.h"\n*/\n', "", "a.h"),
    ],
)
def test_found(text: str, flags: str, expected: str) -> None:
    assert _found(text, *flags.split()) == expected.split()


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ('#define OTHER "a.h"\n#include OTHER\n', ""),
        ("#include OTHER\n", "-DOTHER=<a.h>"),
        ("#include __FILE__ ## x\n#include (x)\n", ""),
        ('/* */ #include "a.h"\n', ""),
        ('#/* */include "a.h"\n', ""),
        ('#\\\ninclude "a.h"\n', ""),
        ("int x;\n", "-include a.h"),
        ("int x;\n", "-isystem far"),
    ],
)
def test_only_a_parser_tells(text: str, flags: str) -> None:
    with pytest.raises(NotFoundError):
        _found(text, *flags.split())


def test_folders_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPATH", "far")
    with pytest.raises(NotFoundError):
        _found("#include <d.h>\n")


def test_macros() -> None:
    Path("a.h").write_text(
        "#define N 3\n#define N 4 + \\\n 5 // five\n# define F(x) N /* a\n b */ x\n"
    )
    headers = OwnHeaders("m.c", b'#include "a.h"\n#define M F(1)\n', ("-DK=2",)).find()
    assert headers.macros.names == {"N", "F", "M", "K"}
    found = headers.macros.needed(["M", "x"])
    assert {name: " ".join(macro.body) for name, macro in found.items()} == {
        "M": "F ( 1 )", "F": "N x", "N": "4 + 5",
    }  # fmt: skip
    assert headers.macros.needed(["K"])["K"].body == ("2",)


def test_all_that_the_parser_reads_is_found(folder: Path) -> None:
    draw = random.Random(3)
    names = [f"{place}h{number}.h" for number in range(6) for place in ("", "sub/", "far/")]
    for _ in range(20):
        for name in names:
            lines = [
                f"#ifndef G_{name.replace('/', '_')[:-2]}",
                f"#define G_{name.replace('/', '_')[:-2]}",
            ]
            for other in draw.sample(names, draw.randint(0, 3)):
                text = draw.choice(['"%s"', "<%s>"]) % draw.choice([other, Path(other).name])
                lines.append(f"#if __has_include({text})\n#include {text}\n#endif")
            Path(name).write_text("\n".join((*lines, "#endif", "")))
        text = "".join(f'#include "{name}"\n' for name in draw.sample(names, 2))
        flags = draw.choice([(), ("-Isub",), ("-Ifar", "-Isub"), ("-iquote", "far", "-Isub")])
        Path("m.c").write_text(text)
        unit = parse(SourceBuffer("m.c", text.encode()), flags)
        read = {str(Path(p).relative_to(folder)) for p in unit.included}
        assert read <= set(_found(text, *flags))
