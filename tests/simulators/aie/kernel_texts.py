"""Kernels with intrinsics in the style of people and of generators, for the tests of cycles."""

_TAPS = "".join(
    f"""    v32int16 x{q} = undef_v32int16();
    x{q} = upd_w(x{q}, 0, *(v16int16 *)(w + 8 * k + {32 * q}));
    x{q} = upd_w(x{q}, 1, *(v16int16 *)(w + 8 * k + {32 * q + 16}));
    {"sum = mac16(sum, " if q else "v16acc48 sum = mul16("}x{q}, 0, 0x06040200, 0x0E0C0A08, 0x3210,
        z, {2 * q}, 0, 0, 1);
"""
    for q in range(4)
)
FULLY_CONNECTED = f"""
void fc(int16_t *restrict in, int16_t *restrict w, int16_t *restrict out) {{
  v16int16 z = *(v16int16 *)in;
  for (int k = 0; k < 4096; k += 16) chess_prepare_for_pipelining chess_loop_range(256, 256) {{
{_TAPS}    *(v16int16 *)(out + k) = srs(sum, 10);
  }}
}}
"""


def _column(q: int, n: int) -> str:
    call = f"s{n} = mac16(s{n}, " if q else f"v16acc48 s{n} = mul16("
    where = "0, 0x73727170, 0x77767574, 0x3120"
    return f"    {call}x{q}, {where}, z, {8 * n + 2 * q}, 0, 0, 1);\n"


_COLUMNS = "".join(
    f"""    v32int16 x{q} = undef_v32int16();
    x{q} = upd_w(x{q}, 0, *(v16int16 *)(a + i + {128 * q}));
    x{q} = upd_w(x{q}, 1, *(v16int16 *)(a + i + {128 * q + 64}));
{_column(q, 0)}{_column(q, 1)}"""
    for q in range(4)
)
# 64 x 8 times 8 x 2, columns contiguous.
MATRIX_PRODUCT = f"""
void product(int16_t *restrict a, int16_t *restrict b, int16_t *restrict c) {{
  v16int16 z = *(v16int16 *)b;
  for (int i = 0; i < 64; i += 16) chess_prepare_for_pipelining chess_loop_range(4, 4) {{
{_COLUMNS}    *(v16int16 *)(c + i) = srs(s0, 10);
    *(v16int16 *)(c + i + 64) = srs(s1, 10);
  }}
}}
"""


class Convolution:
    """A convolution of ``size`` x ``size`` taps over 256 x 16 outputs, ``jam`` rows at a time.

    ``by_rows`` multiplies a row of the image for all outputs before the next row; otherwise the
    outputs are computed one after the other.
    """

    def __init__(self, bits: int, size: int, jam: int = 1, *, by_rows: bool = True) -> None:
        self.bits, self.size, self.jam = bits, size, jam
        self.lanes = 8 if bits == 32 else 16
        self.columns = 1 if bits == 32 else 2
        self.taps = -(-size // self.columns) * self.columns
        self.by_rows = by_rows
        self._started: set[int] = set()

    def text(self) -> str:
        lanes, element = self.lanes, f"int{self.bits}_t"
        vector = f"v{lanes}int{self.bits}"
        weights = "".join(
            f"      {vector} w{i} = *({vector} *)(w + {i * lanes});\n"
            for i in range(-(-self.size * self.taps // lanes))
        )
        body = self._by_rows() if self.by_rows else self._by_outputs()
        trips = 256 // lanes
        return f"""
void conv({element} *restrict in, {element} *restrict w, {element} *restrict out) {{
  for (int y = 0; y < 16; y += {self.jam})
    for (int x = 0; x < 256; x += {lanes})
        chess_prepare_for_pipelining chess_loop_range({trips}, {trips}) {{
{weights}{body}    }}
}}
"""

    def _by_rows(self) -> str:
        text = ""
        for row in range(self.size + self.jam - 1):
            text += self._load(row)
            for output in range(self.jam):
                if 0 <= row - output < self.size:
                    text += self._multiply(output, row)
                if row - output == self.size - 1:
                    text += self._store(output)
        return text

    def _by_outputs(self) -> str:
        text, loaded = "", set()
        for output in range(self.jam):
            for row in range(output, output + self.size):
                text += "" if row in loaded else self._load(row)
                loaded.add(row)
                text += self._multiply(output, row)
            text += self._store(output)
        return text

    def _load(self, row: int) -> str:
        lanes = self.lanes
        kind, part = f"v{2 * lanes}int{self.bits}", f"v{lanes}int{self.bits}"
        text = f"      {kind} r{row} = undef_{kind}();\n"
        for i in range(2):
            at = f"in + (y + {row}) * 264 + x + {i * lanes}"
            text += f"      r{row} = upd_w(r{row}, {i}, *({part} *)({at}));\n"
        return text

    def _multiply(self, output: int, row: int) -> str:
        text = ""
        for tap in range(0, self.taps, self.columns):
            held, at = divmod((row - output) * self.taps + tap, self.lanes)
            text += f"      {self._sum(output)}r{row}, "
            if self.bits == 32:
                text += f"{tap}, 0x76543210, w{held}, {at}, 0);\n"
            else:
                text += f"{tap}, 0x03020100, 0x07060504, 0x2110, w{held}, {at}, 0, 0, 1);\n"
        return text

    def _sum(self, output: int) -> str:
        prefix, lanes = ("l", 8) if self.bits == 32 else ("", 16)
        if output in self._started:
            return f"s{output} = {prefix}mac{lanes}(s{output}, "
        self._started.add(output)
        kind = "v8acc80" if self.bits == 32 else "v16acc48"
        return f"{kind} s{output} = {prefix}mul{lanes}("

    def _store(self, output: int) -> str:
        vector = f"v{self.lanes}int{self.bits}"
        return f"      *({vector} *)(out + (y + {output}) * 256 + x) = srs(s{output}, 10);\n"
