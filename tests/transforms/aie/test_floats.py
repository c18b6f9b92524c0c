"""Sums of floats leave the bits that the C program does: the net compares each emitted kernel."""

import re
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.emitters.aie import kernel
from s2s.net import Mismatch
from s2s.scop.vector_kernel import Kernel
from tests.transforms.aie.random_floats import written

HERE = Path(__file__).parent / "floats"


def transformed(path: Path) -> str:
    outcome = transform_file(str(path), (), Options(target="aie", header="kernel.h"))
    assert not [said.text for said in outcome.diagnostics if said.id == "check"]
    return outcome.text.decode()


@pytest.mark.parametrize("path", sorted(HERE.glob("*.c")), ids=lambda path: path.stem)
def test_kernels_of_floats_leave(path: Path) -> None:
    assert re.search("fpm(ac|sc)\\(", transformed(path))


@pytest.mark.parametrize("seed", range(3))
def test_however_the_sum_is_written(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "sum.c"
    path.write_text(written(seed))
    transformed(path)


def test_another_order_of_the_terms_does_not_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    emit = kernel.emit

    def reordered(of: Kernel) -> str:
        text = emit(of)
        steps = re.findall(r"fpmac\((acc0), (x\d+), (\d+), \S+ (z\d+), (\d+)", text)
        first, second = steps[1:3]  # of the first two the order does not matter
        assert first[1:4:2] == second[1:4:2]
        one = f"fpmac(acc0, {first[1]}, {first[2]}, 0x76543210, {first[3]}, {first[4]},"
        other = f"fpmac(acc0, {second[1]}, {second[2]}, 0x76543210, {second[3]}, {second[4]},"
        return text.replace(one, "@").replace(other, one).replace("@", other)

    monkeypatch.setattr(kernel, "emit", reordered)
    with pytest.raises(Mismatch):
        transformed(HERE / "fir.c")
