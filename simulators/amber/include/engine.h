// What a generated file and the engine know of each other: operations, the netlist's numbers, the
// program order.

#pragma once

#include <cstdint>

namespace amber {

// The remainder and the quotient of a division that rounds down.
inline long modulo(long value, long by) {
    const long rest = value % by;
    return rest < 0 ? rest + by : rest;
}
inline int quotient(int value, int by) {
    return int((value - modulo(value, by)) / by);
}

// An operation. Which elements it loads and, last, stores for an iteration is the sum of one of
// `groups` rows of `depth` coefficients over the iteration, and a base: `affine` has the rows, then
// a base and the number of its row for each element. `elements` says it where it is not affine.
struct Operation {
    int loads, depth, groups;
    const int *affine;
    void (*elements)(const int *index, uint32_t *element);
    uint32_t (*value)(const int *index, const uint32_t *word);

    void find_elements(const int *index, uint32_t *element) const {
        if (elements)
            return elements(index, element);
        int sums[64];
        const int *next = affine;
        for (int g = 0; g < groups; ++g) {
            sums[g] = 0;
            for (int k = 0; k < depth; ++k)
                sums[g] += *next++ * index[k];
        }
        for (int k = 0; k <= loads; ++k, next += 2)
            element[k] = uint32_t(next[0] + sums[next[1]]);
    }
};
extern const Operation OPERATIONS[];
extern const long NETLIST[];
extern const uint32_t INPUT_ELEMENTS, OUTPUT_FIRST, OUTPUT_ELEMENTS, ELEMENTS;

// All operations in program order; `step` runs one for one iteration.
void run_program();
void step(int operation, const int *index);

}   // namespace amber
