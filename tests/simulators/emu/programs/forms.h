/* What a compiler without Cilk takes for its loops. */
#pragma once
#ifndef cilk_for
#define cilk_for for
#endif
