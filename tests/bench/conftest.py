"""What tests of measurements have in common."""

from __future__ import annotations

import pytest

from s2s.bench import records


@pytest.fixture(autouse=True)
def quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny programs beside other tests are noise; what is told of noise ``test_spread`` tests."""
    monkeypatch.setattr(records, "is_supported", lambda found: True)
