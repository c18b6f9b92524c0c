"""Layers of a network searched by the workers of a cluster."""

from __future__ import annotations

import sys

import pytest

from s2s.simulators.spatial.machine import load
from s2s.source.diagnostics import UserError
from s2s.source.spatial.reading import read_network
from s2s.tuning.spatial.networks import Wanted, search_all
from s2s.tuning.spatial.store import Store

NETWORK = b"""Network two {
  Layer first { Type: GEMM Dimensions { M: 24, N: 32, K: 40 } }
  Layer second { Type: DSCONV Dimensions { C: 8, R: 3, S: 3, Y: 10, X: 10 } }
}
"""


def test_the_workers_of_a_cluster_find_the_same() -> None:
    distributed = pytest.importorskip("distributed")
    layers = read_network("two.m", NETWORK).layers
    wanted = Wanted(load("p2"), effort=12)
    own = {"processes": False, "protocol": "tcp://", "dashboard_address": ":0"}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **own) as cluster:
        address = cluster.scheduler_address
        found = list(search_all(layers, wanted, Store(""), scheduler=address))
    assert found == list(search_all(layers, wanted, Store("")))
    assert [one.names for one in found] == [("first",), ("second",)]


def test_what_is_wrong_with_a_cluster_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    layers = read_network("two.m", NETWORK).layers
    monkeypatch.setitem(sys.modules, "dask.distributed", None)
    with pytest.raises(UserError, match=r"needs dask: pip install 's2s\[cluster\]'"):
        list(search_all(layers, Wanted(load("p2")), Store(""), scheduler="tcp://127.0.0.1:9"))
