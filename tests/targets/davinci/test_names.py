"""Arrays that have names which C++ or the host's side of a kernel uses otherwise."""

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_HERE = Path(__file__).parent

POOLING = (_HERE / "named_pooling.c").read_text()


@pytest.mark.parametrize("names", [("base", "half"), ("std", "new"), ("count", "template")])
def test_arrays_have_names_of_their_own(tmp_path: Path, names: tuple[str, str]) -> None:
    source = tmp_path / "pooling.c"
    source.write_text(POOLING.replace("FULL", names[0]).replace("SMALL", names[1]))
    outcome = transform_file(str(source), (), Options(target="davinci"))
    assert not [said.text for said in outcome.diagnostics if said.id == "check"]
    assert f"uint8_t *{names[1]}_" in outcome.text.decode()
