// Words that memories hold, and how many of them are alive.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace amber {

using std::size_t;

struct Word {
    uint32_t value, tag;
};
constexpr Word UNDEFINED = {0, 0};
constexpr uint32_t ANY = 1, FIRST = 2;

constexpr long NOBODY = -1;

// A word in its place, with the number of its write (below -1: one that is settled, NOBODY: none)
// and the last write before the last cycle in which it was read.
struct Stored {
    Word word = UNDEFINED;
    long number = NOBODY, last = NOBODY;
};

// Words by the number of their write. A word is alive after write n when n is from its own number
// to its last. Numbers are settled in their order, each as soon as its word is gone; at most RING
// are open, the oldest of more is settled as if it were read no more, and a read of it counts as
// one that is not known. In an SRAM words are copied: whether one is gone nobody says.
struct Lives {
    static constexpr long RING = 1 << 16;
    static constexpr long OPEN = -2;
    struct Entry {
        long last, cycle;
        uint32_t ends, place;
    };
    std::vector<Entry> ring;
    std::vector<Stored> *words = nullptr;   // where a word is that is not gone; none in an SRAM
    long writes = 0, settled = 0, alive = 0, peak = 0, peak_cycle = -1;
    bool exact = true;
    long mask = -1;   // the ring's size, less 1

    Entry &entry(long number) { return ring[size_t(number & mask)]; }

    // The number of a word that is written to a place, `words` of which has one that goes.
    long write(long cycle, uint32_t place) {
        if (words)
            leave((*words)[place]);
        if (writes - settled > mask)
            make_room();
        entry(writes) = {words ? OPEN : writes - 1, cycle, 0, place};
        return writes++;
    }
    void read(Stored &stored) {
        if (words)
            read_in_place(stored);
        else
            read_copy(stored);
    }
    void read_in_place(Stored &stored) {
        stored.last = writes - 1;   // words are written at the end of a cycle
        exact &= stored.number >= NOBODY;
    }
    void read_copy(const Stored &stored) {
        if (stored.number >= settled)
            entry(stored.number).last = writes - 1;
        else if (stored.number >= 0)
            exact = false;
    }
    void leave(Stored &stored) {
        if (stored.number < 0)
            return;
        entry(stored.number).last = stored.last;
        while (settled < writes && entry(settled).last != OPEN)
            settle();
    }
    void make_room() {
        if (mask + 1 == RING)
            return settle();
        std::vector<Entry> larger(ring.empty() ? 64 : 2 * ring.size());
        for (long k = settled; k < writes; ++k)
            larger[size_t(k) & (larger.size() - 1)] = entry(k);
        mask = long(larger.size()) - 1;
        ring.swap(larger);
    }
    void settle() {
        Entry &one = entry(settled);
        if (one.last == OPEN) {
            Stored &stored = (*words)[one.place];
            one.last = stored.last;
            stored.number = -2;
        }
        if (one.last >= settled) {
            ++alive;
            ++entry(one.last).ends;
        }
        if (alive > peak) {
            peak = alive;
            peak_cycle = one.cycle;
        }
        alive -= one.ends;
        ++settled;
    }
    void finish() {
        while (settled < writes)
            settle();
    }
};

}   // namespace amber
