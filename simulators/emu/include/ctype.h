#ifndef S2S_EMU_CTYPE_H
#define S2S_EMU_CTYPE_H
int isalnum(int character);
int isalpha(int character);
int isdigit(int character);
int islower(int character);
int isprint(int character);
int isspace(int character);
int isupper(int character);
int tolower(int character);
int toupper(int character);
int iscntrl(int character);
int ispunct(int character);
int isxdigit(int character);
#endif
