/* Files, whose buffers the host fills. */
#ifndef S2S_EMU_IO_H
#define S2S_EMU_IO_H

#include <stdio.h>

#define mw_fopen(path, mode, beside) fopen(path, mode)
#define mw_fclose(stream) fclose(stream)
#define mw_fread(memory, bytes, count, stream) fread(memory, bytes, count, stream)
#define mw_fwrite(memory, bytes, count, stream) fwrite(memory, bytes, count, stream)

#endif
