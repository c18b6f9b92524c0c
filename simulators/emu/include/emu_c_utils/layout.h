/* What an address says about where it is. */
#ifndef S2S_EMU_LAYOUT_H
#define S2S_EMU_LAYOUT_H

#include <memoryweb/memoryweb.h>

static int pointers_are_on_same_nodelet(void *a, void *b)
{
    return mw_ptrtonodelet(a) == mw_ptrtonodelet(b);
}

#endif
