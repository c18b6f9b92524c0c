"""Random intrinsics leave what g++ computes from the same text with our header, bit for bit."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from s2s.simulators.davinci.command import execute_text
from s2s.simulators.davinci.machine import INCLUDE, load
from tests.thorough import count

KERNELS = count("S2S_KERNELS", 12, 60)
"""Random kernels, of 20 instructions each."""
SEED = int(os.environ.get("S2S_SEED", "1"))
SLOTS, SLOT = 24, 8192
"""Each instruction has a slot of the buffer for its result; the first ones hold the input."""
POINTS = SLOTS * SLOT // 2
BINARY = ("vmax", "vmin", "vadd", "vsub", "vmul", "vdiv")
HEAD = 'extern "C" __global__ __aicore__ void {name}(__gm__ half *x, __gm__ half *y) {{'


def kernel(seed: int) -> str:
    """Fills the buffer and an image in L1, works on slots, and stores all of them."""
    rnd = random.Random(seed)
    lines = [
        HEAD.format(name=f"kernel{seed}"),
        "    __ubuf__ half *ub = (__ubuf__ half *)(0);",
        "    __ubuf__ float *wide = (__ubuf__ float *)(0);",
        "    __ubuf__ uint8_t *bits = (__ubuf__ uint8_t *)(0);",
        "    __cbuf__ half *l1 = (__cbuf__ half *)(0);",
        f"    copy_gm_to_ubuf(ub, x, 0, {SLOTS}, {SLOT // 32}, 0, 0);",
        "    copy_gm_to_cbuf(l1, x, 0, 1, 1024, 0, 0, PAD_NONE);",
        "    pipe_barrier(PIPE_ALL);",
    ]
    for slot in range(4, SLOTS):
        lines += [f"    {line}" for line in instruction(rnd, slot)]
        lines.append("    pipe_barrier(PIPE_ALL);")
    lines.append(f"    copy_ubuf_to_gm(y, ub, 0, {SLOTS}, {SLOT // 32}, 0, 0);")
    return "\n".join([*lines, "    pipe_barrier(PIPE_ALL);", "}"]) + "\n"


def instruction(rnd: random.Random, slot: int) -> Iterator[str]:
    """What writes a slot: vector operations, comparisons, copies, windows in and out."""
    to, first, second = (SLOT // 2 * k for k in (slot, rnd.randrange(slot), rnd.randrange(slot)))
    repeat, block = rnd.randint(1, 4), rnd.randint(1, 2)
    step = 8 * block + rnd.randint(0, 2)
    reads = [(rnd.randint(0, 3), rnd.randint(0, 20)) for _ in range(2)]
    (b0, s0), (b1, s1) = reads
    strides = f"{repeat}, {block}, {b0}, {b1}, {step}, {s0}, {s1}"
    kind = rnd.choice(
        ["two", "two", "one", "fill", "float", "select", "packed", "copy", "in", "out"]
    )
    mask = rnd.choice(
        ["(uint64_t)-1, (uint64_t)-1", "0, 0xffff", f"{rnd.getrandbits(64)}ull, 0xff0full"]
    )
    yield f"set_vector_mask({mask});"
    match kind:
        case "two":
            yield f"{rnd.choice(BINARY)}(ub + {to}, ub + {first}, ub + {second}, {strides});"
        case "one":
            name = rnd.choice(["vabs", "vrelu", "vmuls", "vadds"])
            scalar = (
                f"(half)({rnd.randint(-8, 8) / 4}f), " if name[-1] == "s" and name != "vabs" else ""
            )
            yield f"{name}(ub + {to}, ub + {first}, {scalar}{repeat}, {block}, {b0}, {step}, {s0});"
        case "fill":
            yield f"vector_dup(ub + {to}, (half)(1.5f), {repeat}, {block}, 1, {step}, 0);"
        case "float":
            yield "set_vector_mask(0, (uint64_t)-1);"
            yield f"vconv_f162f32(wide + {to // 2}, ub + {first}, {repeat}, 1, {b0}, 8, {s0});"
            yield "pipe_barrier(PIPE_V);"
            yield f"vadds(wide + {to // 2}, wide + {to // 2}, 0.1f, {repeat}, 1, 1, 8, 8);"
            yield "pipe_barrier(PIPE_V);"
            yield f"vconv_f322f16(ub + {to + 1024}, wide + {to // 2}, {repeat}, 1, 1, 4, 8);"
        case "select":
            name = rnd.choice(["eq", "ne", "lt", "le", "gt", "ge"])
            yield f"vcmp_{name}(ub + {first}, ub + {second}, 1, 1, {b0}, {b1}, 8, 8, 8);"
            yield f"vsel(ub + {to}, ub + {first}, ub + {second}, {strides});"
        case "packed":
            name = rnd.choice(["eq", "ne", "lt", "le", "gt", "ge"])
            reads_two = f"{repeat}, 1, {b0}, {b1}, 8, {s0}, {s1}"
            yield f"vcmpv_{name}(bits + {2 * to}, ub + {first}, ub + {second}, {reads_two});"
            yield "pipe_barrier(PIPE_V);"
            yield f"set_cmpmask(ub + {to + 8 * rnd.randrange(repeat)});"
            yield "pipe_barrier(PIPE_V);"
            yield f"vsel(ub + {to + 256}, ub + {first}, ub + {second}, 1, 1, 1, 1, 8, 8, 8);"
        case "copy":
            bursts, length = rnd.randint(1, 6), rnd.randint(1, 20)
            words = f"{bursts}, {length}, {rnd.randint(0, 9)}, {rnd.randint(0, 9)}"
            yield f"copy_ubuf_to_ubuf(ub + {to}, ub + {first}, 0, {words});"
        case _:
            yield from windows(rnd, to, first, into=kind == "in")


def windows(rnd: random.Random, to: int, first: int, *, into: bool) -> Iterator[str]:
    """``img2col`` in both repeat modes, ``col2img``."""
    height, width = rnd.randint(4, 14), rnd.randint(4, 14)
    pads = [rnd.randint(0, 2) for _ in range(4)]
    kw, kh = rnd.randint(1, 3), rnd.randint(1, 3)
    sw, sh = rnd.randint(1, 3), rnd.randint(1, 3)
    dw, dh = (rnd.choice([1, 1, 2]) if k == 1 or 2 * (k - 1) < 4 else 1 for k in (kw, kh))
    image = width | height << 16 | sum(pad << 32 + 8 * k for k, pad in enumerate(pads))
    px, py, mode = rnd.randrange(kw), rnd.randrange(kh), rnd.randint(0, 1)
    repeat, jump = rnd.randint(1, 4), rnd.randint(1, 2)
    if into:
        yield f"set_padding({rnd.choice([0, 0xFBFF])});"
        yield f"set_fmatrix({image}ull);"
        words = f"{px}, {py}, {-pads[0]}, {-pads[2]}, 0, {sw}, {sh}, {kw}, {kh}, {dw}, {dh}"
        if mode == 0:
            repeat = min(repeat, (kh - py) * kw - px)
        yield f"img2col_cbuf_to_ub(ub + {to}, l1, {words}, {jump}, {mode}, {repeat}, 2);"
        return
    while height * width * 16 > SLOT // 2:
        height -= 1
    yield f"vector_dup(ub + {to}, (half)(0.0f), 32, 1, 1, 8, 8);"
    yield f"set_fcol2img({width | height << 16 | image >> 32 << 32}ull);"
    yield "pipe_barrier(PIPE_V);"
    xm = px << 16 | py << 24 | (-pads[0] & 0xFFFF) << 32 | (-pads[2] & 0xFFFF) << 48
    xt = sw | sh << 6 | kw << 12 | kh << 20 | dw << 28 | dh << 36 | 1 << 44 | 1 << 52 | repeat << 56
    yield f"col2img(ub + {to}, ub + {first}, {xm}ull, {xt}ull);"


def test_random_intrinsics_leave_the_same_bits(tmp_path: Path) -> None:
    texts = {seed: kernel(seed) for seed in range(SEED * 100_000, SEED * 100_000 + KERNELS)}
    values = np.random.default_rng(SEED).integers(-64, 64, POINTS) / 8
    values.astype(np.float16).tofile(tmp_path / "x")
    np.save(tmp_path / "x.npy", values.astype(np.float16))
    calls = [f'    run(kernel{seed}, "{seed}");\n' for seed in texts]
    main = [MAIN, *texts.values(), "int main() {\n", *calls, "}\n"]
    (tmp_path / "main.cc").write_text("".join(main))
    command = ["g++", "-std=c++17", "-O0", "-w", "-D__CCE_KT_TEST__", f"-I{INCLUDE}"]
    subprocess.run([*command, "main.cc", "-o", "main"], cwd=tmp_path, check=True)
    subprocess.run(["./main"], cwd=tmp_path, check=True)
    chip, compared = load("ascend910-documented"), 0
    for seed, text in texts.items():
        whole = f"// davinci: in x {POINTS}\n// davinci: out y {POINTS}\n{text}"
        loaded = execute_text("k", whole, chip, files={"x": str(tmp_path / "x.npy")})
        said = {one.kind for one in loaded.execution.findings.found.values()}
        assert said <= {"undefined"}, (seed, loaded.execution.findings.found)
        core, array = loaded.execution.cores[0], loaded.execution.arrays[1]
        found, known = array.values(), core.ub.defined[:POINTS]
        wanted = np.fromfile(tmp_path / f"{seed}.out", np.float16)
        same = (found.view(np.uint16) == wanted.view(np.uint16)) | (
            np.isnan(found) & np.isnan(wanted)
        )
        assert same[known].all(), (seed, int(np.flatnonzero(known & ~same)[0]) // (SLOT // 2))
        compared += int(known.sum())
    assert compared > 0.9 * KERNELS * POINTS
    print(f"{KERNELS} kernels, {compared} halves compared")


MAIN = f"""#include "cce_host.h"
#include <string>
#include <vector>
#define __aicore__
static void run(void (*kernel)(half *, half *), const char *name) {{
    std::vector<half> x({POINTS}), y({POINTS});
    FILE *file = fopen("x", "rb");
    if (fread(x.data(), 2, {POINTS}, file) != {POINTS}) exit(1);
    fclose(file);
    cce::mask[0] = cce::mask[1] = ~0ull;
    kernel(x.data(), y.data());
    file = fopen((std::string(name) + ".out").c_str(), "wb");
    fwrite(y.data(), 2, {POINTS}, file);
    fclose(file);
}}
"""
