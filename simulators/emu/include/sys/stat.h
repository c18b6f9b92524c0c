/* Sizes of files, as the host has them (x86-64, glibc). */
#ifndef S2S_EMU_SYS_STAT_H
#define S2S_EMU_SYS_STAT_H
#include <sys/types.h>
struct stat {
    unsigned long st_dev, st_ino, st_nlink;
    unsigned st_mode, st_uid, st_gid, s2s_padding;
    unsigned long st_rdev;
    off_t st_size;
    long st_blksize, st_blocks, s2s_times[9];
};
int stat(const char *path, struct stat *found);
#endif
