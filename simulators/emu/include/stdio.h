#ifndef S2S_EMU_STDIO_H
#define S2S_EMU_STDIO_H
#include <stdarg.h>
#include <stddef.h>
typedef struct _IO_FILE FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int printf(const char *format, ...);
int fprintf(FILE *stream, const char *format, ...);
int sprintf(char *text, const char *format, ...);
int snprintf(char *text, size_t size, const char *format, ...);
int scanf(const char *format, ...);
int fscanf(FILE *stream, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *stream);
int fflush(FILE *stream);
size_t fread(void *memory, size_t bytes, size_t count, FILE *stream);
size_t fwrite(const void *memory, size_t bytes, size_t count, FILE *stream);
int fseek(FILE *stream, long offset, int from);
long ftell(FILE *stream);
int feof(FILE *stream);
int ferror(FILE *stream);
char *fgets(char *text, int size, FILE *stream);
int fgetc(FILE *stream);
int getc(FILE *stream);
int getchar(void);
int ungetc(int character, FILE *stream);
int fputs(const char *text, FILE *stream);
int fputc(int character, FILE *stream);
int putchar(int character);
int puts(const char *text);
void perror(const char *text);
int vprintf(const char *format, va_list arguments);
int vfprintf(FILE *stream, const char *format, va_list arguments);
int vsnprintf(char *text, size_t size, const char *format, va_list arguments);
int putc(int character, FILE *stream);
void rewind(FILE *stream);
int remove(const char *path);
#endif
