/* libm for Swift modules that import neither Glibc nor Foundation. Angles in radians. */
#ifndef MP_SYSTEM_MATH_H
#define MP_SYSTEM_MATH_H

static inline double mp_sin(double x) { return __builtin_sin(x); }
static inline double mp_cos(double x) { return __builtin_cos(x); }
static inline double mp_tan(double x) { return __builtin_tan(x); }
static inline double mp_atan(double x) { return __builtin_atan(x); }
static inline double mp_atan2(double y, double x) { return __builtin_atan2(y, x); }
static inline double mp_asin(double x) { return __builtin_asin(x); }
static inline double mp_hypot(double x, double y) { return __builtin_hypot(x, y); }
static inline double mp_exp(double x) { return __builtin_exp(x); }
static inline double mp_log(double x) { return __builtin_log(x); }
static inline double mp_pow(double x, double y) { return __builtin_pow(x, y); }
/* Absolute remainder with the sign of x. */
static inline double mp_fmod(double x, double y) { return __builtin_fmod(x, y); }

#endif
