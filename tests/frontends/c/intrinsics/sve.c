#include <arm_acle.h>
#include <arm_sve.h>

void axpy(float *y, const float *x, float a, long n)
{
    for (long i = 0; i < n; i += (long)svcntw()) {
        svbool_t p = svwhilelt_b32_s64(i, n);
        svfloat32_t v = svmla_n_f32_x(p, svld1_f32(p, y + i), svld1_f32(p, x + i), a);
        svst1_f32(p, y + i, v);
    }
}

double dot(const double *a, const double *b, long n)
{
    svfloat64_t s = svdup_f64(0);
    for (long i = 0; svptest_any(svptrue_b64(), svwhilelt_b64(i, n)); i += (long)svcntd()) {
        svbool_t p = svwhilelt_b64(i, n);
        s = svmla_m(p, s, svld1(p, a + i), svld1(p, b + i));
    }
    return svaddv(svptrue_b64(), s);
}

unsigned mixed(unsigned x)
{
    __dmb(0xb);
    return __rbit(x) + __clz(x);
}
