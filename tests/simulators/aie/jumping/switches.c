// switches
enum mode { LOW, MID, HIGH = 5 };
static int pick(int m, int v) { switch (m) { case LOW: return v; case MID: v += 3;
    case HIGH: v *= 2; break; case 9: { v = 1; break; } default: if (v > 100) break; v = -v; }
    return v + 1; }
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  for (int i = 0; i < 64; i++) { int r = 0; switch (a[i] & 7) { case 0: case 1: r = 7; break;
      case 2: r = 1; default: r += w[i]; break; case 5: r = 3; if (w[i] > 0) break; r = 4; }
    b[i] = r + pick(a[i] & 7, w[i]) + pick(1, 4); }
}
