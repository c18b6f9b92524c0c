#ifndef S2S_EMU_STDLIB_H
#define S2S_EMU_STDLIB_H
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *memory, size_t bytes);
void free(void *memory);
void exit(int status);
void abort(void);
int atoi(const char *text);
long atol(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
double strtod(const char *text, char **end);
int rand(void);
void srand(unsigned seed);
long random(void);
void srandom(unsigned seed);
double drand48(void);
long lrand48(void);
void srand48(long seed);
int abs(int value);
long labs(long value);
char *getenv(const char *name);
void qsort(void *array, size_t count, size_t bytes, int (*compare)(const void *, const void *));
int atexit(void (*last)(void));
long long atoll(const char *text);
unsigned long long strtoull(const char *text, char **end, int base);
float strtof(const char *text, char **end);
long long llabs(long long value);
int rand_r(unsigned *seed);
void *bsearch(const void *key, const void *array, size_t count, size_t bytes,
              int (*compare)(const void *, const void *));
#endif
