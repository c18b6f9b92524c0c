"""What users get wrong is said in one line, with status 1 or 2."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from s2s.cli.main import main

HERE = Path(__file__).parent
KERNEL = HERE / "clean" / "generated-names.cce.c"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--set", "vector_start=nan"], 1, "nan is no value for 'vector_start'"),
        (["--set", "gm_read_bytes=0"], 1, "0 is no value for 'gm_read_bytes'"),
        (["--set", "ub_bytes=100"], 1, "100 is no value for 'ub_bytes'"),
        (["--set", "ub_bytes=1e15"], 1, "1e+15 is no value for 'ub_bytes'"),
        (["--set", "events=0"], 1, "0 is no value for 'events'"),
        (["--set", "vector_strat=2"], 1, "has no number 'vector_strat'"),
        (["--set", "vector_start"], 2, "'vector_start' is not NAME=NUMBER"),
        (["--blocks", "0"], 2, "'0' is no number of cores"),
        (["--blocks", "100000"], 2, "'100000' is no number of cores"),
        (["--function", "nobody"], 1, "no kernel is named 'nobody'"),
        (["--input", "nobody=x.npy"], 1, "there is no array 'nobody'"),
        (["--input", "input_1=missing.npy"], 1, "missing.npy: No such file or directory"),
        (["--input", "input_1=short.npy"], 1, "'input_1' has 2048 elements, 5 are given"),
        (["--input", "input_1=objects.npy"], 1, "objects.npy: Object arrays cannot be loaded"),
        (["--input", "input_1=empty.npy"], 1, "empty.npy: "),
        (["--size", "input_1=-4"], 1, "'input_1' cannot have -4 elements"),
        (["--size", "input_1=99999999999999"], 1, "'input_1' cannot have 99999999999999 elements"),
        (["--value", "input_1=3"], 1, "'input_1' is an array, not a number"),
        (["--value", "x=3"], 1, "has no parameter 'x'"),
        (["--output", "T_add_=y.txt"], 1, "y.txt: arrays are written as .npy"),
        (["extra"], 2, "unrecognized arguments: extra"),
    ],
)
def test_a_wrong_word_is_one_line(
    words: list[str],
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("short.npy", np.zeros(5, np.float16))
    np.save("objects.npy", np.array([{}], dtype=object))
    Path("empty.npy").touch()
    command = ["simulate", str(KERNEL), "--machine", "ascend910-paper", *words]
    try:
        found = main(command)
    except SystemExit as ended:
        found = ended.code  # type: ignore[assignment]
    err = capsys.readouterr().err
    assert found == status, err
    assert said in err
    assert err.count("error:") == 1
    assert "internal" not in err
