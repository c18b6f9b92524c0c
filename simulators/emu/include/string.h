#ifndef S2S_EMU_STRING_H
#define S2S_EMU_STRING_H
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *memory, int value, size_t bytes);
int memcmp(const void *first, const void *second, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *first, const char *second);
int strncmp(const char *first, const char *second, size_t size);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
char *strstr(const char *text, const char *part);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t size);
char *strdup(const char *text);
char *strtok(char *text, const char *between);
char *strpbrk(const char *text, const char *set);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strerror(int number);
void *memchr(const void *memory, int value, size_t bytes);
#endif
