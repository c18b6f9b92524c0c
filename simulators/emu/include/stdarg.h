#ifndef S2S_EMU_STDARG_H
#define S2S_EMU_STDARG_H
typedef int __builtin_va_list; /* for the parser; the compiler has its own */
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_arg(list, type) (*(type *)__va_arg(list))
#endif
