"""Work that computes too long is ended, in whatever thread it runs."""

import threading
import time

import pytest

from s2s.tuning.aie.limited import TooLong, within


def _compute(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_work_within_its_time_is_left_alone() -> None:
    with within(30):
        _compute(0.001)
    _compute(0.001)


def test_what_computes_too_long_is_ended() -> None:
    with pytest.raises(TooLong), within(0.02):
        _compute(30)


def test_waiting_is_not_computing() -> None:
    with within(0.1):
        time.sleep(0.2)
    _compute(0.01)


def test_other_threads_are_ended_too() -> None:
    ended = []

    def work() -> None:
        try:
            with within(0.02):
                _compute(30)
        except TooLong:
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    _compute(0.05)
    thread.join()
    assert ended == [True]
