// What a generated file and the engine know of each other: operations, the netlist's numbers, the
// program order.

#pragma once

#include <cstdint>
#include <initializer_list>

namespace amber {

// The remainder and the quotient of a division that rounds down.
inline long modulo(long value, long by) {
    const long rest = value % by;
    return rest < 0 ? rest + by : rest;
}
inline int quotient(int value, int by) {
    return int((value - modulo(value, by)) / by);
}

// The number of no element.
constexpr uint32_t NONE = UINT32_MAX;

// The number of an element of a box, or NONE outside of it.
inline uint32_t number(uint32_t first, std::initializer_list<int> place,
                       std::initializer_list<int> minima, std::initializer_list<int> extents) {
    uint32_t found = 0;
    for (unsigned k = 0; k < place.size(); ++k) {
        const long from = long(place.begin()[k]) - minima.begin()[k];
        if (from < 0 || from >= extents.begin()[k])
            return NONE;
        found = found * uint32_t(extents.begin()[k]) + uint32_t(from);
    }
    return first + found;
}

// The value that an element has in program order, for an operation's access that it leads to.
uint32_t stored(uint32_t element, int operation, int access);

// An operation. Which elements it loads and, last, stores for an iteration is the sum of one of
// `groups` rows of `depth` coefficients over the iteration, and a base: `affine` has the rows, then
// a base and the number of its row for each element. `elements` says it where it is not affine;
// places that depend on data are those of `word`, its loads, or of program order if there are none.
// `value` is the function as the program has it, `placed` that of the design.
struct Operation {
    int loads, depth, groups;
    const int *affine;
    void (*elements)(const int *index, const uint32_t *word, uint32_t *element);
    uint32_t (*value)(const int *index, const uint32_t *word);
    uint32_t (*placed)(const int *index, const uint32_t *word);

    void find_elements(const int *index, uint32_t *element) const {
        if (elements)
            return elements(index, nullptr, element);
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

// The cycle of this design as text of its own, where there is one (cycles.h): what to do once
// before the first cycle, and in each after it is known which controllers fire.
struct Machine;
struct Cycle {
    void (*begin)(Machine &);
    void (*run)(Machine &);
};
extern const Cycle CYCLE;

}   // namespace amber
