// What a cycle of a design's own text is made of (simulators/amber/cycles.py writes it): each
// instance as long as nothing is wrong. Whatever else is left to the engine, which does it as for
// any design, or says what is wrong.

#pragma once

#include "machine.h"

namespace amber {

// Where a controller keeps one of its sums.
inline const long *sum_of(Machine &m, int controller, std::initializer_list<long> row) {
    Controller &c = m.controllers[controller];
    return &c.sums[c.sum(row)];
}

// Whether a word is not the element that it has to be; the second where it may be of any.
inline uint32_t other(const Word &word, long element) {
    return word.tag ^ (uint32_t(element) + FIRST);
}
inline uint32_t other_or_any(const Word &word, long element) {
    return word.tag == ANY ? 0 : other(word, element);
}

inline Word given(long element) {
    return {memory[size_t(element)], uint32_t(element) + FIRST};
}

// Whether an output takes a word.
inline bool take(Machine &m, const Word &word, long element) {
    const uint32_t place = uint32_t(element) - OUTPUT_FIRST;
    if (other_or_any(word, element) || m.taken[place])
        return false;
    m.taken[place] = 1;
    m.taken_in[place] = m.now;
    m.given[place] = word.value;
    m.cycles = m.now + 1;
    return true;
}

// An address among SIZE words, -1 if there is none.
template <long SIZE, bool CUT> long inside(long address) {
    if constexpr (CUT)
        return modulo(address, SIZE);
    return address >= 0 && address < SIZE ? address : -1;
}

// Whether a port reads a word of a memory.
template <long SIZE, bool CUT>
[[gnu::always_inline]] inline bool read(Memory &memory, long address, Word &to) {
    const long place = inside<SIZE, CUT>(address);
    if (place < 0)
        return false;
    Stored &stored = memory.words[size_t(place)];
    memory.lives.read_in_place(stored);
    to = stored.word;
    return true;
}
// A word of a transpose buffer, from the first one of its port on.
template <long WORDS>
[[gnu::always_inline]] inline Word read_wide(Memory &memory, int port, long address) {
    Stored &stored = memory.transpose[size_t(port * WORDS + modulo(address, WORDS))];
    memory.lives.read_copy(stored);
    return stored.word;
}

// Whether a port writes a word.
template <long SIZE, bool CUT>
bool write(Machine &m, Memory &memory, long address, const Word &word) {
    const long place = inside<SIZE, CUT>(address);
    if (place < 0)
        return false;
    memory.store(m.now, place, word);
    return true;
}

// A fetch of WIDE words from the SRAM to a transpose buffer of FETCHES, or from an aggregator.
template <long WIDE, long FETCHES>
void fetch(Memory &memory, int port, long place, long to) {
    const Stored *from = &memory.words[size_t(place)];
    Stored *into = &memory.transpose[size_t((port * FETCHES + modulo(to, FETCHES)) * WIDE)];
    for (long w = 0; w < WIDE; ++w)
        into[w] = from[w];
}
template <long WIDE, long FETCHES>
void put(Memory &memory, int port, long place, long fetch) {
    const Stored *from = &memory.aggregator[size_t((port * FETCHES + modulo(fetch, FETCHES)) * WIDE)];
    Stored *into = &memory.words[size_t(place)];
    for (long w = 0; w < WIDE; ++w)
        into[w] = from[w];
}
// A word that goes to an aggregator.
template <long WORDS>
void collect(Machine &m, Memory &memory, int port, long address, const Word &word) {
    const long number = word.tag ? memory.lives.write(m.now, 0) : NOBODY;
    memory.aggregator[size_t(port * WORDS + modulo(address, WORDS))] = {word, number, NOBODY};
}

}   // namespace amber
