#ifndef S2S_EMU_MATH_H
#define S2S_EMU_MATH_H
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VAL (__builtin_huge_val())
#define M_PI 3.14159265358979323846
double sqrt(double x);
double fabs(double x);
double floor(double x);
double ceil(double x);
double exp(double x);
double exp2(double x);
double log(double x);
double log2(double x);
double log10(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double atan(double x);
double round(double x);
double trunc(double x);
float sqrtf(float x);
float fabsf(float x);
float floorf(float x);
float ceilf(float x);
float expf(float x);
float logf(float x);
double pow(double x, double y);
double fmin(double x, double y);
double fmax(double x, double y);
double fmod(double x, double y);
double atan2(double y, double x);
#define HUGE_VALF INFINITY
#define M_E 2.7182818284590452354
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
double cbrt(double x);
double asin(double x);
double acos(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double expm1(double x);
double log1p(double x);
double rint(double x);
double copysign(double x, double y);
double hypot(double x, double y);
double ldexp(double x, int y);
double fma(double x, double y, double z);
long lround(double x);
long lrint(double x);
float sinf(float x);
float cosf(float x);
float powf(float x, float y);
float fminf(float x, float y);
float fmaxf(float x, float y);
float roundf(float x);
float truncf(float x);
#endif
