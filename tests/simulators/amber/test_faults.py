"""Whatever is wrong with a design is found at its instance, port, cycle and element."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from s2s.cli.main import main
from tests.simulators.amber.engines import both_engines
from tests.simulators.amber.netlists import Files, blur, controller, element
from tests.simulators.amber.test_designs import copying, finished, wide

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@pytest.fixture(autouse=True)
def _by_both_engines() -> Iterator[None]:
    with both_engines():
        yield


def untouched(memory: dict[str, Any]) -> None:
    """No fault."""


def refused(files: Files, folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    files.write(folder)
    assert main(["simulate", str(folder), "--machine", "amber", *words]) == 1
    return capsys.readouterr().err.replace(f"{folder}/", "")


def sram(change: Callable[[dict[str, Any]], Any] = untouched) -> Files:
    files = copying()
    wide(files, 14)
    change(files.instances["m"])
    return finished(files, "m.out0", 14)


def dual(change: Callable[[dict[str, Any]], Any] = untouched) -> Files:
    files = copying()
    files.add("m", "memory", buffer="source", mode="dual_port", capacity=9,  modulo=16,
              **{"in": [controller([32], [1], 0, [1])],
                 "out": [controller([32], [1], 9, [1])]})  # fmt: skip
    files.connect("in.out", "m.in0")
    change(files.instances["m"])
    return finished(files, "m.out0", 9)


def queue(capacity: int, start: int) -> Files:
    files = copying()
    files.add("m", "memory", buffer="source", mode="fifo", capacity=capacity,
              **{"in": [controller([32], [1], 0)],
                 "out": [controller([32], [2], start)]})  # fmt: skip
    files.connect("in.out", "m.in0")
    return finished(files, "m.out0", start, stride=2)


def direct(**fields: Any) -> Files:
    """A copy without anything between, some fields of its kernel others."""
    return alter(finished(copying(), "in.out", 0), "k", **fields)


def alter(files: Files, name: str, **fields: Any) -> Files:
    files.instances[name] |= fields
    return files


def given_twice() -> Files:
    files = direct()
    files.add("more", "output", buffer="target", controller=controller([1], [1], 5),
              element=element((5, [0])))  # fmt: skip
    files.connect("k.out", "more.in")
    return files


def unconnected() -> Files:
    files = direct()
    files.connections.pop(0)
    return files


def circle() -> Files:
    files = mux(controller([1], [1], 40))
    files.connections[1] = ["k.out", "x.in1"]
    return files


def lost_operation() -> Files:
    files = direct()
    files.operation("lost", "x", "same", [["source", "x"]], ["target", "x"])
    return files


def other_cycles() -> Files:
    files = direct()
    files.cycles = 33
    return files


def mux(second: dict[str, Any]) -> Files:
    files = copying()
    files.add("x", "mux", select=[controller([32], [1], 0), second])
    files.connect("in.out", "x.in0")
    files.connect("in.out", "x.in1")
    return finished(files, "x.out", 0)


def shared(begin: int) -> Files:
    """Two operations on one kernel, the second from a cycle on."""
    files = copying(4)
    files.stream("output", "other")
    files.loop("z", "prg", 4)
    files.operation("op2", "z", "same", [["source", "z"]], ["other", "z"])
    files.add("again", "input", buffer="source", controller=controller([4], [1], begin),
              element=element((0, [1])))  # fmt: skip
    files.add("x", "mux", select=[controller([4], [1], 0), controller([4], [1], begin)])
    files.connect("in.out", "x.in0")
    files.connect("again.out", "x.in1")
    files = finished(files, "x.out", 0, 4)
    uses = [{"operation": "op", "controller": controller([4], [1], 0)},
            {"operation": "op2", "controller": controller([4], [1], begin)}]  # fmt: skip
    files.instances["k"] = {"type": "kernel", "function": "same", "latency": 0, "uses": uses}
    files.add("out2", "output", buffer="other", controller=controller([4], [1], begin),
              element=element((0, [1])))  # fmt: skip
    files.connect("k.out", "out2.in")
    files.cycles = begin + 4
    return files


def twice(memory: dict[str, Any]) -> None:
    memory["out"] = [[*memory["out"], controller([3], [1], 20, [1], 11)]]


EARLY = controller([18, 3], [1, 20], 41)
OVERLAP = [controller([4], [1], 0), controller([3], [1], 4)]
BACK = controller([16, 2], [1, 15], 0)
SEVEN = controller([2] * 7, [2**k for k in range(7)], 0, [1] * 7)
NOTHING = "takes a word at port in0 to which nothing was written, as"

FAULTS: dict[str, tuple[Callable[[], Files], str]] = {
    "a kernel before its word": (
        lambda: alter(blur(20, 5), "k0", controller=EARLY),
        f"blur_memory.cpp:14:3: error: cycle 41: instance 'k0' {NOTHING} image[0, 0] (op0)",
    ),
    "a word that nothing has written": (
        lambda: dual(lambda m: m.update(out=[controller([32], [1], 9, [1], 9)])),
        f"copied_memory.cpp:13:3: error: cycle 9: instance 'k' {NOTHING} source[0] (op)",
    ),
    "a word of another element": (
        lambda: dual(lambda m: m.update(out=[controller([32], [1], 9, [1], 1)])),
        "cycle 9: instance 'k' takes source[1] at port in0, where source[0] has to be (op)",
    ),
    "a word that is overwritten too soon": (
        lambda: dual(lambda m: m.update(modulo=8, capacity=8)),
        "cycle 9: instance 'k' takes source[8] at port in0, where source[0] has to be (op)",
    ),
    "a port with two users": (
        lambda: dual(twice),
        "cycle 20: instance 'm' uses port out0 twice",
    ),
    "two readers of a memory with one port for them": (
        lambda: dual(lambda m: m["out"].append(controller([1], [1], 12, [1]))),
        "cycle 12: instance 'm' uses its SRAM twice, by out0 and out1",
    ),
    "more living words than the capacity": (
        lambda: dual(lambda m: m.update(capacity=8)),
        "cycle 8: instance 'm' holds 9 words that are needed later, its capacity is 8",
    ),
    "an address beyond the capacity": (
        lambda: dual(lambda m: m.pop("modulo")),
        "cycle 9: instance 'm': address 9 of port in0 is not among 9 words",
    ),
    "an SRAM that gives and takes a fetch": (
        lambda: sram(lambda m: m["sram2tb"][0].update(start=12)),
        "cycle 12: instance 'm' uses its SRAM twice, by sram2tb 0 and agg2sram 0",
    ),
    "a fetch before its last word": (
        lambda: sram(lambda m: m["agg2sram"][0].update(start=3)),
        f"cycle 17: instance 'k' {NOTHING} source[3]",
    ),
    "a fetch too late for its words": (
        lambda: sram(lambda m: m["sram2tb"][0].update(start=14)),
        f"cycle 14: instance 'k' {NOTHING} source[0]",
    ),
    "a queue that is too short": (
        lambda: queue(16, 3),
        "cycle 30: instance 'm' writes to port in0 of a queue that is full (16 words)",
    ),
    "a queue that is empty": (
        lambda: queue(17, 0),
        "cycle 0: instance 'm' reads from port out0 of a queue that is empty",
    ),
    "a mux with two selectors": (
        lambda: mux(controller([2], [4], 3)),
        "cycle 3: instance 'x' selects inputs in0 and in1 at a time",
    ),
    "a kernel with two operations": (
        lambda: alter(shared(3), "x", select=OVERLAP),
        "cycle 3: instance 'k' runs op and op2 at a time",
    ),
    "a wrong latency": (
        lambda: direct(latency=1),
        f"cycle 0: instance 'out' {NOTHING.replace('in0', 'in')} target[0]",
    ),
    "an output without its last element": (
        lambda: alter(direct(), "out", controller=controller([31], [1], 0)),
        "target[31] of the output is never given",
    ),
    "an output with an element twice": (
        given_twice,
        "cycle 5: instance 'more' gives target[5] again, after cycle 5",
    ),
    "other cycles than it says": (
        other_cycles,
        "copied_design.json: says 33 cycles, the run takes 32",
    ),
    "a port without a driver": (
        unconnected,
        "port 'in0' of instance 'k' is not connected",
    ),
    "a circle of wires": (
        circle,
        "a circle without a register: ",
    ),
    "an operation that no kernel runs": (
        lost_operation,
        "error: no kernel runs lost",
    ),
    "other iterations than the memory file's": (
        lambda: direct(controller=controller([16], [1], 0)),
        "copied_memory.cpp:11:1: error: instance 'k' runs op for 16 iterations, its loops have 32",
    ),
    "a controller that goes back": (
        lambda: alter(direct(), "in", controller=BACK, element=element((0, [1, 16]))),
        "instance 'in': the cycles of ",
    ),
    "a buffer that no tile holds": (
        lambda: dual(lambda m: m.update(capacity=4000, modulo=4096)),
        "instance 'm': buffer 'source' needs 4096 words, a memory tile has 2048",
    ),
    "a tile with three ports": (
        lambda: dual(lambda m: m["out"].extend([controller([1], [1], 60, [1])] * 2)),
        "instance 'm': 3 ports 'out', a tile has 2",
    ),
    "more loops than a tile counts": (
        lambda: dual(lambda m: m.update(out=[SEVEN])),
        "instance 'm': a controller of 'out' has 7 loops, a tile counts 6",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make, text = FAULTS[name]
    assert text in refused(make(), tmp_path, capsys)


def test_the_designs_without_the_faults_run(tmp_path: Path) -> None:
    right = (dual(), sram(), queue(17, 3), mux(controller([1], [1], 40)), shared(4), direct())
    for k, files in enumerate(right):
        (tmp_path / str(k)).mkdir()
        files.write(tmp_path / str(k))
        assert main(["simulate", str(tmp_path / str(k)), "--machine", "amber"]) == 0


def other_load(width: str) -> Files:
    files = finished(copying(), "in.out", 0)
    files.memory[-1] = (
        f'{width}  op->add_store("target", "x");\n  op->add_load("other", "(x + 1)");'
    )
    files.compute[0] = "hw_uint<16> same(hw_uint<16> &a, hw_uint<16> &b) { return a; }"
    files.connect("in.out", "k.in1")
    return files


def test_a_program_that_reads_what_nothing_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(other_load('  prg.buffer_port_widths["other"] = 16;\n'), tmp_path, capsys)
    assert "error: op loads 'other', which is no input and stored by no operation" in said


def test_a_compute_file_that_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = finished(copying(), "in.out", 0)
    files.compute[0] = "hw_uint<16> same(hw_uint<16> &a, hw_uint<16> &b) { return a; }"
    assert "error: g++: too few arguments to function" in refused(files, tmp_path, capsys)


def test_values_that_differ_from_program_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A loop that overwrites what it needs again: another order gives other values."""
    files = Files("order")
    files.stream("input", "source")
    files.stream("output", "target")
    files.buffer("sum")
    files.loop("x", "prg", 4)
    files.operation("a", "x", "first", [["source", "x"]], ["sum", "0"])
    files.operation("b", "x", "first", [["sum", "0"]], ["target", "x"])
    files.function("first", [("source", 1)], "return source[0];")
    fires = controller([4], [1], 0)
    files.add("in", "input", buffer="source", controller=fires, element=element((0, [1])))
    files.add("ka", "kernel", operation="a", function="first", latency=0, controller=fires)
    files.add("kb", "kernel", operation="b", function="first", latency=0,
              controller=controller([4], [1], 0))  # fmt: skip
    files.add("hold", "memory", buffer="sum", mode="register_file", capacity=4,
              **{"in": [controller([4], [1], 0, [1])],
                 "out": [controller([4], [1], 4, [-1], 3)]})  # fmt: skip
    files.instances["kb"]["controller"] = controller([4], [1], 4)
    files.add("out", "output", buffer="target", controller=controller([4], [1], 4),
              element=element((0, [1])))  # fmt: skip
    for source, target in (("in.out", "ka.in0"), ("ka.out", "hold.in0"), ("hold.out0", "kb.in0"),
                           ("kb.out", "out.in")):  # fmt: skip
        files.connect(source, target)
    files.cycles = 8
    said = refused(files, tmp_path, capsys)
    assert "cycle 4: target[0] is " in said
    assert ", in program order " in said
