"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from s2s.source.diagnostics import UserError
from s2s.source.output import write_file


def test_new_file_follows_the_mask() -> None:
    previous = os.umask(0o027)
    try:
        write_file("y.c", b"new")
    finally:
        os.umask(previous)
    assert stat.S_IMODE(Path("y.c").stat().st_mode) == 0o640


def test_existing_file_keeps_its_mode() -> None:
    Path("y.c").write_bytes(b"old and longer")
    Path("y.c").chmod(0o751)
    write_file("y.c", b"new")
    assert Path("y.c").read_bytes() == b"new"
    assert stat.S_IMODE(Path("y.c").stat().st_mode) == 0o751


def test_symbolic_link_stays_one() -> None:
    Path("sub").mkdir()
    Path("sub/real.c").write_bytes(b"old")
    Path("link.c").symlink_to("sub/real.c")
    write_file("link.c", b"new")
    assert Path("link.c").is_symlink()
    assert Path("sub/real.c").read_bytes() == b"new"
    assert os.listdir("sub") == ["real.c"]


def test_device_is_written_to_not_replaced() -> None:
    write_file("/dev/null", b"new")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_open_file_by_its_number_is_written_to() -> None:
    with open("log", "wb", buffering=0) as log:
        log.write(b"before ")
        write_file(f"/dev/fd/{log.fileno()}", b"new ")
        log.seek(0, os.SEEK_END)
        log.write(b"after")
    assert Path("log").read_bytes() == b"before new after"


def test_readers_of_the_old_file_keep_it() -> None:
    Path("y.c").write_bytes(b"old")
    with open("y.c", "rb") as reader:
        write_file("y.c", b"new")
        assert reader.read() == b"old"


@pytest.mark.parametrize("failing", ["replace", "chmod"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_failure_leaves_the_old_file_alone(
    monkeypatch: pytest.MonkeyPatch, failing: str, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    Path("y.c").write_bytes(b"old")
    monkeypatch.setattr(os, failing, fail)
    with pytest.raises((UserError, KeyboardInterrupt)):
        write_file("y.c", b"new")
    assert Path("y.c").read_bytes() == b"old"
    assert os.listdir() == ["y.c"]
