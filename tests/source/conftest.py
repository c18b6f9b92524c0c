"""Tests of files run in a folder of their own, as those of the command line do."""

from tests.cli.conftest import in_tmp_path, unprivileged

__all__ = ["in_tmp_path", "unprivileged"]
