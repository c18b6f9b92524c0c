"""``--target cuda``: kernels that run on the host's threads leave the same values.

``shim/cuda_runtime.h`` stands for CUDA: the threads of a block are threads with a real barrier.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file
from s2s.emitters.cuda import region
from s2s.source.diagnostics import Severity
from s2s.transforms import offload
from tests.properties.bitwise import program, told
from tests.properties.cyclic import HEADER, CyclicLoop, draw_loop
from tests.thorough import count

_HERE = Path(__file__).parent

HERE = Path(__file__).parent
LOOPS = HERE / "loops_for_threads.c"
CUDA = Options(target="cuda", strict=True)
_COUNT = count("S2S_KERNELS", 12, 80)

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="no g++")


def _built(source: Path, *flags: str) -> Path:
    binary = source.with_suffix("")
    command = ["g++", "-w", "-O1", "-ffp-contract=off", "-std=c++20", *flags, "-x", "c++"]
    subprocess.run([*command, str(source), "-o", str(binary), "-lpthread"], check=True)
    return binary


def _output(binary: Path, *arguments: str, **environment: str) -> str:
    return subprocess.run(
        [str(binary), *arguments], capture_output=True, text=True, timeout=120, check=True,
        env={**os.environ, **environment},
    ).stdout  # fmt: skip


@pytest.fixture(scope="module")
def done() -> Outcome:
    return transform_file(str(LOOPS), (), CUDA)


@pytest.fixture(scope="module")
def binaries(done: Outcome, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The original and the kernels, compiled."""
    directory = tmp_path_factory.mktemp("kernels")
    original, kernels = directory / "original.cpp", directory / "kernels.cpp"
    original.write_text("#define restrict __restrict__\n" + LOOPS.read_text())
    kernels.write_bytes(done.text)
    return _built(original), _built(kernels, f"-I{HERE / 'shim'}")


@pytest.mark.parametrize("n", [0, 1, 2, 17, 1023, 1024, 1025, 3000])
def test_kernels_leave_the_same_values(binaries: tuple[Path, Path], n: int) -> None:
    original, kernels = binaries
    assert _output(kernels, str(n)) == _output(original, str(n))


@pytest.mark.parametrize("call", [1, 2, 3, 5, 6])
def test_an_error_leads_to_the_loop_of_the_source(binaries: tuple[Path, Path], call: int) -> None:
    original, kernels = binaries
    assert _output(kernels, "500", SHIM_FAILS=str(call)) == _output(original, "500")


def test_remarks_say_what_was_made(done: Outcome) -> None:
    said = [d.text for d in done.diagnostics if d.severity is Severity.REMARK]
    assert said.count("CUDA kernel") == 4
    assert "CUDA kernel, renamed 1 source, 2 loops in strips of 1024" in said
    assert any("1 source and 1 sink" in text for text in said)
    missed = [d.text for d in done.diagnostics if d.severity is Severity.MISSED]
    assert "the loop has 8 iterations" in missed
    assert "no loop for threads: a parallel loop carries a dependence" in missed


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("a[i] = g(b[i]);", "may overlap"),
        ("a[i] = exp(b[i]);", "'exp' may be something else on the device"),
        ("a[i] = rows[i][1];", "rows of 'rows' are anywhere in memory"),
        ("a[k[i]] = b[i];", ""),
        ("a[i] = a[i - 1] * b[i];", "carries a dependence"),
        ("a[i] = s->x + b[i];", ""),
        ("if (b[i] > 0) a[i] = b[i + 1];", "calls or jumps"),
        ("{\n#ifdef M\na[i] = 1;\n#else\na[i] = 2;\n#endif\n}", "preprocessor"),
        ("a[i] = (float)(l * b[i]);", "'l'"),
    ],
)
def test_other_loops_stay_with_a_reason(body: str, reason: str, tmp_path: Path) -> None:
    source = tmp_path / "loop.c"
    source.write_text(
        "#include <math.h>\nstruct s { float x; };\nfloat g(float);\n"
        "void f(int n, float *restrict a, float *restrict b, float **rows, int *restrict k,\n"
        "       struct s *s, long double l)\n"
        f"{{\n    for (int i = 1; i < n; i++) {body}\n}}\n"
    )
    done = transform_file(str(source), (), CUDA)
    assert not done.changed
    assert any(reason in d.text for d in done.diagnostics), done.diagnostics
    assert all(d.severity is Severity.MISSED for d in done.diagnostics)


def test_functions_with_threads_stay(tmp_path: Path) -> None:
    source = tmp_path / "loop.c"
    source.write_text((_HERE / "threads.c").read_text())
    assert not transform_file(str(source), (), CUDA).changed


def test_random_loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short strips, so that a few iterations are many of them."""
    monkeypatch.setattr(offload, "THREADS", 8)
    monkeypatch.setattr(region, "THREADS", 8)
    made: dict[CyclicLoop, list[str]] = {}
    in_front = kernels = ""
    for number in range(_COUNT):
        loop = draw_loop(f"kernels {number}", f"loop{number}")
        source = tmp_path / "one.c"
        source.write_text(HEADER + loop.text)
        text = transform_file(str(source), ("-fno-strict-aliasing",), CUDA).text.decode()
        if "__global__" in text:
            in_front, text = text.split(HEADER)
            kernel, function = text.rsplit("double loop", 1)
            kernels += kernel.replace("s2s_kernel1", f"kernel_{loop.name}")
            function = function.replace("s2s_kernel1", f"kernel_{loop.name}")
            made[loop] = [f"double loop{function}"]
    assert len(made) >= _COUNT // 10
    source = tmp_path / "loops.cpp"
    source.write_text(in_front + program(made, kernels))
    ran = _output(_built(source, "-fno-strict-aliasing", f"-I{HERE / 'shim'}"))
    assert not told(made, ran)


_SCALARS = Path(__file__).with_name("kernels.c").read_text()


def test_kernels_are_given_what_they_use(tmp_path: Path) -> None:
    """No variable that is renamed, and no enumerator: their types have no names."""
    source = tmp_path / "scalars.c"
    source.write_text(_SCALARS)
    text = transform_file(str(source), (), CUDA).text.decode()
    launch = next(line for line in text.splitlines() if "S2S_LAUNCH(s2s_kernel" in line)
    assert launch.endswith(" factor);")
    source.with_suffix(".cpp").write_text(text)
    _built(source.with_suffix(".cpp"), f"-I{HERE / 'shim'}", "-c", "-Werror=uninitialized", "-O2")
