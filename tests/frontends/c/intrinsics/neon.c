#include <arm_neon.h>

void axpy(float *y, const float *x, float a, int n)
{
    for (int i = 0; i + 4 <= n; i += 4)
        vst1q_f32(y + i, vmlaq_n_f32(vld1q_f32(y + i), vld1q_f32(x + i), a));
}

void grey(uint8_t *out, const uint8_t *rgb, int n)
{
    const uint8x8_t r = vdup_n_u8(77), g = vdup_n_u8(150), b = vdup_n_u8(29);
    for (int i = 0; i < n; i += 8) {
        uint8x8x3_t in = vld3_u8(rgb + 3 * i);
        uint16x8_t sum = vmull_u8(in.val[0], r);
        sum = vmlal_u8(sum, in.val[1], g);
        sum = vmlal_u8(sum, in.val[2], b);
        vst1_u8(out + i, vshrn_n_u16(sum, 8));
    }
}

int32_t dot(const int8_t *a, const int8_t *b, int n)
{
    int32x4_t s = vdupq_n_s32(0);
    for (int i = 0; i < n; i += 16) {
        int8x16_t x = vld1q_s8(a + i), y = vld1q_s8(b + i);
        int16x8_t p = vmull_s8(vget_low_s8(x), vget_low_s8(y));
        p = vmlal_high_s8(p, x, y);
        s = vpadalq_s16(s, p);
    }
    return vaddvq_s32(s) + vgetq_lane_s32(s, 0) * 0;
}

float largest(const float *a, int n)
{
    float32x4_t m = vld1q_f32(a);
    for (int i = 4; i < n; i += 4)
        m = vmaxq_f32(m, vld1q_f32(a + i));
    float32x2_t h = vpmax_f32(vget_low_f32(m), vget_high_f32(m));
    return vget_lane_f32(vpmax_f32(h, h), 0) + vmaxvq_f32(m);
}

void select_lanes(float *a, const float *b, int n)
{
    for (int i = 0; i < n; i += 4) {
        float32x4_t x = vld1q_f32(a + i), y = vld1q_f32(b + i);
        uint32x4_t m = vcgtq_f32(x, y);
        x = vbslq_f32(vmvnq_u32(m), x, vsqrtq_f32(y));
        x[0] += vgetq_lane_f32(y, 3);
        vst1q_f32(a + i, vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(x), m)));
    }
}

void transpose(int16_t *a)
{
    int16x4x4_t m = vld4_s16(a);
    int16x4x2_t t = vtrn_s16(m.val[0], m.val[1]);
    int32x2x2_t u = vzip_s32(vreinterpret_s32_s16(t.val[0]), vreinterpret_s32_s16(m.val[2]));
    vst1_s16(a, vreinterpret_s16_s32(u.val[1]));
    vst4_s16(a, m);
}

int16x8_t saturate(int32x4_t a, int32x4_t b)
{
    int16x4_t low = vqmovn_s32(vrshrq_n_s32(a, 3));
    return vcombine_s16(low, vqmovn_s32(vqrdmulhq_n_s32(b, 77)));
}

void lookup(uint8_t *a, const uint8_t *table, int n)
{
    uint8x16x4_t t = vld1q_u8_x4(table);
    for (int i = 0; i < n; i += 16)
        vst1q_u8(a + i, vqtbl4q_u8(t, vandq_u8(vld1q_u8(a + i), vdupq_n_u8(63))));
}

float64x2_t halves(float32x4_t a, int64x2_t b)
{
    return vaddq_f64(vcvt_f64_f32(vget_low_f32(a)), vcvtq_f64_s64(b));
}
