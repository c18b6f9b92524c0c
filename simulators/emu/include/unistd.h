#ifndef S2S_EMU_UNISTD_H
#define S2S_EMU_UNISTD_H
int getopt(int count, char *const *arguments, const char *options);
extern char *optarg;
extern int optind;
#endif
