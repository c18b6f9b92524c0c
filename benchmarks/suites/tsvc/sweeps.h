/* Fewer sweeps over the arrays than the suite's own number, of which each loop takes its share.
 *
 * Included in front of all else, so that the suite's header, which sets the macro, is read here.
 * SWEEPS has to be a multiple of the arrays' side: some loops divide by it.
 */
#include "common.h"
#undef iterations
#define iterations SWEEPS
