"""Every file stands under a rule, and imports only what the rule of its room allows."""

from collections.abc import Callable

import pytest

from tests.house import rooms


def test_every_file_is_in_a_room() -> None:
    outside = [name for name in rooms.modules() if rooms.room_of(name) is None]
    assert outside == ["s2s", "s2s.__main__", "s2s.api", "s2s.entry", "s2s.frontends"]


def test_rooms_and_arrows_are_few(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print("\n" + rooms.picture())
    assert len(rooms.MAY_IMPORT) <= 20
    assert len(rooms.arrows()) <= 110


def test_fences_hold() -> None:
    assert rooms.broken_fences() == []


@pytest.mark.parametrize("found", [rooms.wrong_arrows, rooms.long_circles])
def test_nothing_breaks_a_rule(found: Callable[[], list[object]]) -> None:
    assert found() == []
