// Nodes that wait for words and for room, cycle by cycle. A word is in its queue from the turn that
// gives it; which turn of its reader is the last to take it is known, and then its place is free.
// Room is what was there when the cycle began; a word that passes by wires alone may be taken in
// the cycle in which it is given.

#pragma once

#include "machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace amber {
namespace handshakes {

enum NodeKind { INPUT_NODE, OUTPUT_NODE, KERNEL_NODE, WRITE_NODE, READ_NODE };

constexpr uint32_t NOT_TAKEN = UINT32_MAX;
constexpr long LAST = INT64_MAX;

struct Token {
    Word word;
    long seen = 0;   // the first cycle in which it may be taken
};

struct Queue {
    int source, target, port;
    long capacity, pause;   // cycles from the turn to that in which it may be taken
    std::vector<uint32_t> takes;   // for each turn of the reader
    std::vector<long> kept;        // the oldest word that is needed after so many turns
    std::vector<Token> words;
    long given = 0, head = 0, next_head = 0, peak = 0;

    bool has_room() const { return given < head || given - head < capacity; }
    Token &at(long number) { return words[size_t(number % capacity)]; }
    bool has(size_t turn, long now) {
        const long number = takes[turn];
        return number == NOT_TAKEN || (given > number && at(number).seen <= now);
    }
};

// Turns that count alike: numbers of loops are by rows of a start and a stride for each.
struct Piece {
    int operation = -1;
    long size = 1;
    std::vector<long> extent, turn;
    std::vector<std::vector<long>> index;
    std::vector<long> element;
};

struct Place {
    uint32_t piece, iteration;
};

struct Node {
    NodeKind kind;
    int instance;
    long latency, count;
    std::vector<Piece> pieces;
    std::vector<Place> places;   // of each turn
    std::vector<int> in, out;    // queues
    size_t turn = 0;
    long waited_for_words = 0, waited_for_room = 0;
};

// The value of a start and strides in an iteration, the innermost loop first.
inline long value_of(const std::vector<long> &row, const std::vector<long> &extent, long iteration) {
    long found = row[0];
    for (size_t k = 0; k < extent.size(); ++k) {
        found += row[k + 1] * (iteration % extent[k]);
        iteration /= extent[k];
    }
    return found;
}

class Run {
public:
    Run(const long *text, long stalls) : text(text), stalls(stalls) { load(); }
    bool compared = false;
    long now = 0, cycles = 0;
    std::vector<uint32_t> given = std::vector<uint32_t>(OUTPUT_ELEMENTS);
    std::vector<uint8_t> taken = std::vector<uint8_t>(OUTPUT_ELEMENTS);
    std::vector<long> taken_in = std::vector<long>(OUTPUT_ELEMENTS);

    void run();
    void report() const;

private:
    const long *text;
    long stalls;
    std::vector<Node> nodes;
    std::vector<Queue> queues;
    std::vector<int> moved;   // queues with another head at the end of the cycle

    long next() { return *text++; }
    std::vector<long> row(size_t strides) {
        std::vector<long> found(strides + 1);
        for (long &each : found)
            each = next();
        return found;
    }
    void load();
    void load_node(Node &node);
    void load_queue(Queue &queue);
    bool is_stalled(const Node &node, size_t number) const;
    bool can_go(Node &node);
    void go(Node &node);
    Word result(Node &node, const Piece &piece, long iteration);
    void take(const Node &node, uint32_t element, const Word &word);
    const Word *word_at(Node &node, int port);
    [[noreturn]] void stand_still();
};

}   // namespace handshakes
}   // namespace amber
