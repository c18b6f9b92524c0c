#ifndef S2S_EMU_UNISTD_H
#define S2S_EMU_UNISTD_H
int getopt(int count, char *const *arguments, const char *options);
extern char *optarg;
extern int optind;
unsigned sleep(unsigned seconds);
int getpid(void);
int access(const char *path, int mode);
#endif
