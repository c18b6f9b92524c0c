"""The net after AI Engine kernels: wrong steps after the last proof do not leave."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.net import Mismatch
from s2s.net.aie import check
from s2s.net.aie.check import Emitted
from s2s.scop.cores import Cores
from s2s.scop.vector_kernel import Kernel

_PROGRAMS = Path(__file__).parent / "check"

FILTER = (_PROGRAMS / "filter.c").read_text()
LAYER = (_PROGRAMS / "layer.c").read_text()
SUMS = (_PROGRAMS / "sums.c").read_text()
LARGE = FILTER.replace("24", "200").replace("37", "500").replace("26", "202").replace("44", "504")


def emitted(tmp_path: Path, text: str) -> None:
    path = tmp_path / "source.c"
    path.write_text(text)
    options = Options(target="aie", header="kernel.h")
    outcome = transform_file(str(path), (), options)
    assert not [said.text for said in outcome.diagnostics if said.id == "check"]


@pytest.mark.parametrize("text", [FILTER, LAYER, SUMS, LARGE])
def test_right_kernels_leave(text: str, tmp_path: Path) -> None:
    emitted(tmp_path, text)


def replaced(old: str, new: str, count: int = 1) -> Callable[[str], str]:
    def mutate(text: str) -> str:
        changed = re.sub(old, new, text, count=count)
        assert changed != text, f"nothing to change: {old}"
        return changed

    return mutate


KERNELS = {
    "a bound": (FILTER, replaced(r"y < (\d+); \+\+y", r"y < \1 - 1; ++y")),
    "a step": (FILTER, replaced(r"I_0 \+= (\d+);", r"I_0 += \1 + 16;")),
    "an order": (
        FILTER,
        replaced(r"(x\d = upd_w\(x\d, 2[^\n]*\n)(.*?\n)(\s*acc0 = mac[^\n]*\n)", r"\2\3\1"),
    ),
    "an operand": (LARGE, replaced(r"srs\(acc1,", "srs(acc0,")),
    "a dropped statement": (FILTER, replaced(r"\n\s*acc0 = mac16[^\n]*", "")),
    "a wrong lane": (FILTER, replaced("0x03020100", "0x03020101")),
    "a wrong start": (FILTER, replaced(r"(mac16\(acc0, x\d, \d+, [^;]*?, z\d, )2,", r"\g<1>4,")),
    "a shift": (FILTER, replaced(r"_SHIFT 6", "_SHIFT 7")),
    "a load elsewhere": (FILTER, replaced(r"\(I_1 \+ 16\)", "(I_1 + 32)")),
    "a store elsewhere": (FILTER, replaced(r"\(O_0\) =", "(O_0 + 16) =")),
    "rounding": (LAYER, replaced(r"set_rnd\(rnd_pos_inf\);", "")),
    "saturation": (LAYER, replaced(r"set_sat\(\);", "")),
    "a bias": (LAYER, replaced(r"\(bias_0|\(l_bias_0", "(in_0")),
    "a sum begun anew": (SUMS, replaced(r"lmac8\(acc0, ", "lmul8(")),
    "one tile's bound": (LARGE, replaced(r"x < (\d+); \+\+x", r"x < \1 - 1; ++x")),
}
HEADERS = {
    "a place": (FILTER, replaced(r"d0 \+ 37 \* d1", "d0 + 36 * d1")),
    "a condition": (FILTER, replaced(r"if \(d0 < 37\)", "if (d0 < 36)")),
    "a table": (FILTER, replaced(r"= \{\n\s*0, 1,", "= {1, 0,")),
    "an exchange": (LARGE, replaced(r"(_exchange\([^)]*\)\n\{)", r"\1 return;")),
    "a gathered place": (LARGE, replaced(r"(= O_boxes\[n\];\n)", r"\1if (!n) continue;\n")),
    "text that does not compile": (FILTER, replaced("long place", "lung place")),
}  # fmt: skip


def found_out(tmp_path: Path, text: str) -> str:
    with pytest.raises(Mismatch) as problem:
        emitted(tmp_path, text)
    return str(problem.value)


@pytest.mark.parametrize("name", KERNELS)
def test_a_wrong_kernel_does_not_leave(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from s2s.emitters.aie import kernel

    text, mutate = KERNELS[name]
    emit = kernel.emit
    monkeypatch.setattr(kernel, "emit", lambda one: mutate(emit(one)))
    found_out(tmp_path, text)


@pytest.mark.parametrize("name", HEADERS)
def test_a_wrong_header_does_not_leave(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, mutate = HEADERS[name]

    def changed(kernel: Kernel, text: str, header: str, cores: Cores | None) -> Emitted:
        return Emitted(kernel, text, mutate(header), cores)

    monkeypatch.setattr(check, "Emitted", changed)
    found_out(tmp_path, text)


def test_nothing_is_written_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from s2s.emitters.aie import kernel

    text, mutate = KERNELS["a shift"]
    emit = kernel.emit
    monkeypatch.setattr(kernel, "emit", lambda one: mutate(emit(one)))
    source, out = tmp_path / "source.c", tmp_path / "out.cc"
    source.write_text(text)
    out.write_text("before")
    arguments = ["transform", "--target", "aie", str(source), "-o", str(out)]
    assert cli.main(arguments) == 70
    assert out.read_text() == "before" and not (tmp_path / "out.h").exists()
    assert "internal error: the emitted kernel leaves" in capsys.readouterr().err
    assert cli.main([*arguments, "--no-check"]) == 0
    assert "mac16" in out.read_text()


def test_a_source_that_cannot_be_called_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda name, **_: None)
    source = tmp_path / "source.c"
    source.write_text(FILTER)
    assert cli.main(["transform", "--target", "aie", str(source)]) == 0
    said = capsys.readouterr().err
    assert "is not compared with its source: there is no gcc [check]" in said


def test_a_tuned_kernel_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from s2s.emitters.aie import kernel

    emit, (text, mutate) = kernel.emit, KERNELS["a shift"]
    source, out = tmp_path / "source.c", tmp_path / "out.cc"
    source.write_text(text)
    cache = ["--tune-cache", str(tmp_path / "cache"), "--effort", "50", "--jobs", "1"]
    arguments = ["tune", str(source), "--target", "aie", "-o", str(out), *cache]
    assert cli.main(arguments) == 0 and "FILTER_SHIFT 6" in out.read_text()
    out.unlink()
    monkeypatch.setattr(kernel, "emit", lambda one: mutate(emit(one)))
    assert cli.main(arguments) == 70 and not out.exists()
    assert "internal error" in capsys.readouterr().err
